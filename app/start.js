// Starts the program, and says what is wrong where it does not start. A classic script in a file: it also runs where
// modules do not, and under a policy that forbids scripts in the page. Where it cannot run itself, index.html's own
// words appear (`#late`). It delays neither the page nor its first picture.
(() => {
  const embedded = /[?&]embed=/.test(location.search);
  // An embedded figure has no bar and no panel.
  document.documentElement.classList.toggle("embedded", embedded);

  const RENEWED = "A new version is available. Reload; your scenario is saved in the URL.";
  const SLOW = "The connection is slow, or a file is blocked.";
  // Time after which a page that has not started says so; index.html's own words come as late (app/style.css).
  const LATE_MS = 9000;
  const PATIENCE_MS = 5000;

  const name = (url) => url.split("/").pop();
  const page = () => location.href.split(/[?#]/)[0];
  const ask = (url, how) => fetch(url, { signal: AbortSignal.timeout?.(PATIENCE_MS), ...how });
  const parsed = new Promise((done) => {
    if (document.readyState !== "loading") done();
    else document.addEventListener("DOMContentLoaded", done);
  });
  let program = "";
  let forbidden = "";
  let failed = false;
  // The last file that did not arrive after the start.
  let lost = "";

  // Hosts may require Trusted Types. The program sets markup that it makes itself, and starts scripts of its own host.
  const own = (url) => {
    if (new URL(url, location).origin === location.origin) return url;
    throw new TypeError(url);
  };
  const trusted = () => {
    try {
      self.trustedTypes?.createPolicy("default", { createHTML: (markup) => markup, createScriptURL: own });
    } catch {
      // The host names other policies, and may yet not require them.
    }
    try {
      document.createElement("p").innerHTML = "<b></b>";
      return true;
    } catch {
      return false;
    }
  };

  // True if the host now has another build than this page is of.
  const renewed = async () => {
    try {
      const answer = await ask(page(), { cache: "no-store" });
      const found = answer.ok && (await answer.text()).match(/ridgepoint-[\da-f]+\.js/);
      return !!found && found[0] !== program;
    } catch {
      return false;
    }
  };

  // What keeps a file away, if anything does.
  const trouble = async (url) => {
    const file = `file ${name(url)}`;
    try {
      const { ok, status, headers } = await ask(url);
      const wanted = { css: "css", js: "javascript" }[url.split(".").pop()] ?? "";
      const type = headers.get("content-type") ?? "";
      if (status === 404 || status === 410) return `Its ${file} is missing on this server (${status}).`;
      if (!ok) return `This server did not send its ${file} (${status}).`;
      return !type || (type.includes(wanted) && !type.includes("html")) ? "" : `This server sends its ${file} as ${type}.`;
    } catch {
      return `Its ${file} could not be fetched: no connection, or it is blocked.`;
    }
  };

  // In place of the outline, or over it.
  const say = (title, words, more = [], over = false) => {
    const outline = document.getElementById("first-paint");
    const late = document.getElementById("late");
    // The program runs: it has its own words.
    if (!late) return;
    for (const part of outline.children) part.hidden = part !== late && !over;
    if (!over) outline.removeAttribute("aria-busy");
    late.querySelector("h1").textContent = `Ridgepoint ${title}`;
    document.getElementById("late-why").replaceChildren(words, ...more);
    late.className = "now";
    const height = Math.ceil(late.getBoundingClientRect().height);
    if (embedded) parent.postMessage({ ridgepoint: "height", height }, "*");
  };
  const stop = (words, more) => say("has not started", words, more);

  // A program that this browser cannot compile, though it is one.
  const isTooNew = async (error, wasm) => {
    if (!(error instanceof WebAssembly.CompileError)) return false;
    const start = new Uint8Array(await (await ask(wasm)).arrayBuffer());
    return [0, 97, 115, 109].every((byte, at) => start[at] === byte);
  };

  const fail = async (files, wasm, error) => {
    failed = true;
    if (location.protocol === "file:") {
      return stop("Serve this folder over HTTP, e.g. python3 -m http.server.");
    }
    const missing = (await Promise.all(files.map(trouble))).find(Boolean);
    if (self.origin === "null" && !forbidden) {
      const link = document.createElement("a");
      Object.assign(link, { href: location.href, target: "_blank", rel: "noopener", textContent: location.href });
      return stop("This sandboxed frame lacks allow-same-origin, so it cannot load Ridgepoint. Open ", [link]);
    }
    if (await renewed()) return stop(RENEWED);
    if (forbidden) return stop(`Blocked by a security policy of this server or the embedding page: ${forbidden}.`);
    if (!self.WebAssembly) return stop("WebAssembly is unavailable or disabled in this browser.");
    if (missing) return stop(missing);
    const old = await isTooNew(error, wasm).catch(() => false);
    if (old) return stop(`This browser is too old for its program. Update the browser. (${error.message})`);
    stop(`Files from different builds are mixed. (${error})`);
  };

  addEventListener("securitypolicyviolation", (event) => {
    forbidden ||= `${event.effectiveDirective} ${name(event.blockedURI)}`;
  });
  // Styles of a part that do not arrive.
  addEventListener("error", ({ target }) => {
    if (target.rel === "stylesheet") lost = target.href;
  }, true);

  // Waits until a style sheet is here, or will not come.
  const styled = async (sheet) => {
    if (!sheet.sheet && document.readyState !== "complete") {
      await new Promise((done) => {
        for (const [on, what] of [[sheet, "load"], [sheet, "error"], [self, "load"]]) on.addEventListener(what, done);
      });
    }
    let rules = 0;
    try {
      rules = sheet.sheet.cssRules.length;
    } catch {
      // None came; or this is a frame without an origin, which may not read them.
      rules = self.origin === "null" && sheet.sheet;
    }
    if (!rules) throw new Error("no styles");
  };

  // Says that it takes long; styles that have not come would hide the words until they do.
  const late = async (styles) => {
    await parsed;
    if (failed) return;
    const unstyled = styles.filter((sheet) => !sheet.sheet);
    for (const sheet of unstyled) {
      sheet.media = "print";
      sheet.addEventListener("load", () => (sheet.media = "all"));
    }
    say("is still loading", SLOW, [], !unstyled.length);
  };

  const start = async () => {
    await parsed;
    // A page that is left while it loads has only its start.
    if (!document.getElementById("late-reload")) return;
    document.querySelector("#late h1").textContent = "Ridgepoint is still loading";
    document.getElementById("late-why").textContent = SLOW;
    document.getElementById("late-reload").addEventListener("click", (event) => {
      event.preventDefault();
      location.reload();
    });
    if (!trusted()) {
      failed = true;
      return stop("This server requires Trusted Types: it must allow the policy name “default”.");
    }
    // Trunk's links to the program.
    const script = document.querySelector("link[rel=modulepreload]").href;
    const wasm = document.querySelector("link[as=fetch]").href;
    const styles = [...document.querySelectorAll("link[rel=stylesheet]")];
    const waiting = setTimeout(late, LATE_MS, styles);
    program = name(script);
    try {
      const [bindings] = await Promise.all([import(script), ...styles.map(styled)]);
      await bindings.default({ module_or_path: wasm });
      clearTimeout(waiting);
      // Tests wait for this.
      window.wasmBindings = bindings;
      setTimeout(keep, 2000);
    } catch (error) {
      clearTimeout(waiting);
      fail([script, wasm, ...styles.map((sheet) => sheet.href)], wasm, error);
    }
  };

  // Keeps the page for use without a network, once it is shown and in a tab of its own; only a built page names the
  // service worker.
  const keep = () => {
    const worker = document.querySelector("meta[name=offline]")?.content;
    if (!worker || self !== top || !navigator.serviceWorker || navigator.connection?.saveData) return;
    const workers = navigator.serviceWorker;
    let kept = !!workers.controller;
    workers.addEventListener("controllerchange", () => {
      if (kept) announce();
      kept = true;
    });
    // Private windows may refuse.
    workers.register(worker).catch(() => {});
  };

  // The next build is here, for the next start.
  const announce = () => {
    document.querySelector(".renewed")?.remove();
    const note = document.createElement("p");
    const button = (words, act) => {
      const made = document.createElement("button");
      Object.assign(made, { type: "button", textContent: words, onclick: act });
      return made;
    };
    note.className = "renewed";
    note.role = "status";
    note.append(`${RENEWED} `, button("Reload", () => location.reload()), button("Later", () => note.remove()));
    document.body.append(note);
  };

  // The table of measured runs, asked for once, and again after it failed.
  let runs;
  const measured = () => (runs ??= fetch(document.querySelector("meta[name=runs]").content)
    .then((answer) => answer.ok ? answer.text() : Promise.reject(refused(answer)))
    .catch((error) => {
      runs = undefined;
      throw error;
    }));

  // Notes a file that the host refuses; its status.
  const refused = ({ url, status }) => {
    lost = url;
    return status;
  };

  // What kept the last file of a part away; empty if nothing is known.
  const why = async () => {
    const file = lost;
    lost = "";
    return file ? trouble(file) : "";
  };

  // For app/src/part: what is loaded after the program.
  window.ridgepoint = { renewed, measured, refused, why };
  start();
})();
