// <ridgepoint-figure src="https://host/path/?v=1&embed=roofline"></ridgepoint-figure>
//
// A figure of Ridgepoint in your page: a frame that takes the width it is given and as much height as it needs.
// Attributes: src, the link of a figure; height, in px until the figure tells its own (default 420).

// A page with two figures may well load this twice.
if (!customElements.get("ridgepoint-figure")) {
  const FIRST_HEIGHT = 420;

  class RidgepointFigure extends HTMLElement {
    static observedAttributes = ["src"];

    #frame = null;
    #listen = (event) => {
      const told = event.data;
      const ours = this.#frame && event.source === this.#frame.contentWindow;
      if (ours && told && told.ridgepoint === "height" && Number.isFinite(told.height)) {
        this.#frame.style.height = `${Math.min(Math.max(told.height, 80), 10000)}px`;
      }
    };

    connectedCallback() {
      if (!this.#frame) {
        this.#frame = document.createElement("iframe");
        this.#frame.loading = "lazy";
        this.#frame.title = this.getAttribute("title") || "Ridgepoint figure";
        this.#frame.style.cssText =
          `display:block;width:100%;border:0;height:${Number(this.getAttribute("height")) || FIRST_HEIGHT}px`;
        this.style.display ||= "block";
        this.append(this.#frame);
      }
      addEventListener("message", this.#listen);
      this.#load();
    }

    disconnectedCallback() {
      removeEventListener("message", this.#listen);
    }

    attributeChangedCallback() {
      this.#load();
    }

    #load() {
      const src = this.getAttribute("src");
      if (!this.#frame || !src) return;
      const url = new URL(src, document.baseURI);
      // Anything but a web address could run as script in this page.
      if (!/^https?:$/.test(url.protocol)) return;
      if (!url.searchParams.has("embed")) url.searchParams.set("embed", "explore");
      if (this.#frame.src !== url.href) this.#frame.src = url.href;
    }
  }

  customElements.define("ridgepoint-figure", RidgepointFigure);
}
