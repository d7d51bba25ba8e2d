// <ridgepoint-figure src="https://host/path/?v=1&embed=roofline"></ridgepoint-figure>
//
// A figure of Ridgepoint in your page: a frame that takes the width it is given and as much height as it needs.
// Attributes: src, the link of a figure; sliders, the numbers a reader may change, as "batch,context";
// height, in px until the figure tells its own (default 420).
// The element's content is shown where this script does not run; a frame that does not answer gets a note with a link.

// A page with two figures may load this twice.
if (!customElements.get("ridgepoint-figure")) {
  const FIRST_HEIGHT = 420;
  // Time after which the note is shown; it is removed when the figure sends its height.
  const PATIENCE_MS = 20000;

  class RidgepointFigure extends HTMLElement {
    static observedAttributes = ["src", "sliders"];

    #frame = null;
    #silence = null;
    #waiting = 0;
    #told = false;
    #listen = (event) => {
      const told = event.data;
      const ours = this.#frame && event.source === this.#frame.contentWindow;
      if (ours && told && told.ridgepoint === "height" && Number.isFinite(told.height)) {
        this.#frame.style.height = `${Math.min(Math.max(told.height, 80), 10000)}px`;
        this.#told = true;
        clearTimeout(this.#waiting);
        this.#silence?.remove();
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
        // Replaces the placeholder content.
        this.replaceChildren(this.#frame);
        // With lazy loading the wait starts when the frame loads.
        this.#frame.addEventListener("load", () => this.#wait());
      }
      addEventListener("message", this.#listen);
      this.#load();
    }

    disconnectedCallback() {
      removeEventListener("message", this.#listen);
      clearTimeout(this.#waiting);
    }

    attributeChangedCallback() {
      this.#load();
    }

    #wait() {
      clearTimeout(this.#waiting);
      if (this.#told) return;
      this.#waiting = setTimeout(() => {
        const link = document.createElement("a");
        link.href = this.#frame.src;
        link.textContent = "open it in Ridgepoint";
        this.#silence = document.createElement("p");
        this.#silence.append("This figure does not answer here; ", link, ".");
        this.append(this.#silence);
      }, PATIENCE_MS);
    }

    #load() {
      const src = this.getAttribute("src");
      if (!this.#frame || !src) return;
      const url = new URL(src, document.baseURI);
      // Anything but a web address could run as script in this page.
      if (!/^https?:$/.test(url.protocol)) return;
      if (!url.searchParams.has("embed")) url.searchParams.set("embed", "explore");
      const sliders = this.getAttribute("sliders");
      if (sliders !== null) url.searchParams.set("sliders", sliders);
      if (this.#frame.src === url.href) return;
      this.#told = false;
      this.#frame.src = url.href;
    }
  }

  customElements.define("ridgepoint-figure", RidgepointFigure);
}
