// <ridgepoint-figure src="https://host/path/?v=1&embed=roofline"><a href="…">…</a></ridgepoint-figure>
//
// A figure of Ridgepoint in your page: a frame that takes the width it is given and as much height as it needs.
// Attributes:
//   src      the link of a figure
//   sliders  the numbers a reader may change, as "batch,context"
//   theme    light, dark, or auto, as the page around it; without it the link's, else auto
//   title    off leaves out the question above the figure; anything else names the frame for screen readers
//   height   in px until the figure tells its own
// The element's content is left alone. It is shown where this script does not run or the address is not one of the
// web; a frame that does not answer gets a note with a link. Both are parts for styles, `content` and `frame`: print may
// show the content in place of the frame.

// A page with two figures may load this twice.
if (!customElements.get("ridgepoint-figure")) {
  // Height until the figure tells its own: near that of most at this width.
  const firstHeight = (width) => Math.min(Math.max(400, width / 2), 520);
  // From when the figure is first seen; the note is removed when the figure answers.
  const PATIENCE_MS = 20000;
  const SIZES = `
    :host { display: block; break-inside: avoid }
    :host([hidden]) { display: none }
    slot[hidden] { display: none }
    iframe { display: block; width: 100%; border: 0 }
    i { display: none; background: Canvas }
    /* Paper is narrower than most screens, and some figures are then taller. */
    @media print { iframe { min-height: 450px } }`;

  const figures = new Set();
  const look = new CSSStyleSheet();
  look.replaceSync(SIZES);

  // Red, green, blue, alpha of any colour that CSS knows.
  const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const paint = (colour) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    return pixel.getImageData(0, 0, 1, 1).data;
  };

  // Docs tools name their dark colours each in another way, but all paint a background.
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = (element, canvas) => {
    const luma = ([red, green, blue]) => 0.3 * red + 0.59 * green + 0.11 * blue;
    for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
      const colour = paint(getComputedStyle(at).backgroundColor);
      if (colour[3] > 127) return luma(colour) < 128;
    }
    // Nothing is painted: the canvas, in the scheme of the whole page, from its styles or its <meta name="color-scheme">.
    canvas.style.colorScheme = getComputedStyle(document.documentElement).colorScheme;
    return luma(paint(getComputedStyle(canvas).backgroundColor)) < 128;
  };
  const colour = () => figures.forEach((figure) => figure.colour());
  const watcher = new MutationObserver(() => requestAnimationFrame(colour));
  system.addEventListener("change", colour);
  addEventListener("transitionend", (event) => event.propertyName.startsWith("background") && colour());

  // What is printed is loaded first, seen or not.
  addEventListener("beforeprint", () => figures.forEach((figure) => figure.hurry()));

  class RidgepointFigure extends HTMLElement {
    static observedAttributes = ["src", "sliders", "theme", "title"];

    #inside = this.attachShadow({ mode: "open" });
    #content = document.createElement("slot");
    #canvas = document.createElement("i");
    #frame = null;
    #note = null;
    #waiting = 0;
    #answered = false;
    #seen = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) this.#wait();
    });
    #listen = ({ source, data }) => {
      if (!this.#frame || source !== this.#frame.contentWindow || data?.ridgepoint !== "height") return;
      this.#answered = true;
      clearTimeout(this.#waiting);
      this.#note?.remove();
      // A figure in a hidden tab has no height yet.
      if (data.height > 0) this.#frame.style.height = `${Math.min(Math.max(data.height, 80), 10000)}px`;
      this.colour();
    };

    constructor() {
      super();
      this.#inside.adoptedStyleSheets = [look];
      this.#content.part = "content";
      this.#inside.append(this.#content, this.#canvas);
      // Content may come after its element.
      this.#content.addEventListener("slotchange", () => this.#name());
    }

    connectedCallback() {
      figures.add(this);
      // Here, as there may be no body when this script runs.
      for (const part of [document.documentElement, document.body]) watcher.observe(part, { attributes: true });
      addEventListener("message", this.#listen);
      this.#load();
    }

    disconnectedCallback() {
      figures.delete(this);
      removeEventListener("message", this.#listen);
      this.#seen.disconnect();
      clearTimeout(this.#waiting);
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#load();
    }

    // Tells the figure whether the page around it is dark: most browsers hand the scheme of the frame on, the message
    // is for those that do not.
    colour() {
      if (!this.#frame) return;
      const dark = isDark(this, this.#canvas);
      this.#frame.style.colorScheme = dark ? "dark" : "light";
      if (this.#answered) this.#frame.contentWindow.postMessage({ ridgepoint: "scheme", dark }, "*");
    }

    hurry() {
      if (this.#frame) this.#frame.loading = "eager";
    }

    #wait() {
      clearTimeout(this.#waiting);
      if (this.#answered || !this.#frame) return;
      this.#waiting = setTimeout(() => {
        const link = document.createElement("a");
        link.href = this.#frame.src;
        link.textContent = "open it in Ridgepoint";
        this.#note?.remove();
        this.#note = document.createElement("p");
        this.#note.append("This figure did not load; ", link, ".");
        this.#inside.append(this.#note);
      }, PATIENCE_MS);
    }

    // The address of the frame; null if it is none of the web: anything else could run as script in this page.
    #address() {
      const src = this.getAttribute("src");
      if (!src) return null;
      let url;
      try {
        url = new URL(src, document.baseURI);
      } catch {
        return null;
      }
      if (!/^https?:$/.test(url.protocol)) return null;
      const set = (key, value) => (value === null ? url.searchParams.delete(key) : url.searchParams.set(key, value));
      if (!url.searchParams.has("embed")) set("embed", "explore");
      if (this.hasAttribute("sliders")) set("sliders", this.getAttribute("sliders"));
      const theme = this.getAttribute("theme");
      if (theme) set("theme", theme === "auto" ? null : theme);
      if (this.title === "off") set("title", "off");
      return url.href;
    }

    #name() {
      if (!this.#frame) return;
      const named = this.title === "off" ? "" : this.title;
      this.#frame.title = named || this.textContent.trim() || "Ridgepoint figure";
    }

    #load() {
      const address = this.#address();
      if (!address) {
        this.#frame?.remove();
        this.#note?.remove();
        this.#frame = null;
        this.#content.hidden = false;
        return;
      }
      if (!this.#frame) {
        this.#frame = document.createElement("iframe");
        this.#frame.part = "frame";
        this.#frame.loading = "lazy";
        this.#frame.style.height = `${Number(this.getAttribute("height")) || firstHeight(this.offsetWidth)}px`;
      }
      this.#name();
      if (this.#frame.src !== address) {
        this.#answered = false;
        this.#frame.src = address;
      }
      this.colour();
      this.#content.hidden = true;
      if (!this.#frame.isConnected) this.#inside.append(this.#frame);
      // Tells again whether it is in view.
      this.#seen.unobserve(this);
      this.#seen.observe(this);
    }
  }

  customElements.define("ridgepoint-figure", RidgepointFigure);
}
