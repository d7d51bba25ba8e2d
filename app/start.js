// Starts the program, and says what is wrong where it does not start. A classic script in a file: it also runs where
// modules do not, and under a policy that forbids scripts in the page. Where it cannot run itself, index.html's own
// words appear (`#late`).
(() => {
  const embedded = /[?&]embed=/.test(location.search);
  // An embedded figure has no bar and no panel.
  document.documentElement.classList.toggle("embedded", embedded);

  const name = (url) => url.split("/").pop();
  let program = "";
  let forbidden = "";
  let failed = false;

  // True if the host now has another build than this page is of.
  const renewed = async () => {
    try {
      const answer = await fetch(location.href.split(/[?#]/)[0], { cache: "no-store" });
      const found = answer.ok && (await answer.text()).match(/ridgepoint-[\da-f]+\.js/);
      return !!found && found[0] !== program;
    } catch {
      return false;
    }
  };

  // What keeps a file away, if anything does.
  const missing = async (url) => {
    try {
      const { ok, status } = await fetch(url);
      return ok ? "" : `Its file ${name(url)} is missing on this host (${status}).`;
    } catch {
      return `Its file ${name(url)} could not be fetched: the connection is gone, or something blocks it.`;
    }
  };

  const say = (words, more = []) => {
    const outline = document.getElementById("first-paint");
    const late = document.getElementById("late");
    // The program runs: it has its own words.
    if (!late) return;
    for (const part of outline.children) part.hidden = part !== late;
    outline.removeAttribute("aria-busy");
    document.getElementById("late-why").replaceChildren(words, ...more);
    late.className = "now";
    const height = Math.ceil(late.getBoundingClientRect().height);
    if (embedded) parent.postMessage({ ridgepoint: "height", height }, "*");
  };

  const fail = async (files, error) => {
    if (failed) return;
    failed = true;
    if (location.protocol === "file:") {
      return say("It is a program and has to be served: python3 -m http.server in this folder will do.");
    }
    const lost = (await Promise.all(files.map(missing))).find(Boolean);
    if (self.origin === "null" && !forbidden) {
      const link = document.createElement("a");
      Object.assign(link, { href: location.href, target: "_blank", rel: "noopener", textContent: location.href });
      return say("This frame is sandboxed without allow-same-origin, and this host does not let such a frame load the program. Open it at ", [link]);
    }
    if (await renewed()) return say("Ridgepoint was renewed since this page was loaded; reload, your scenario is in the address.");
    if (forbidden) return say(`A security policy of this host, or of the page around it, forbids it: ${forbidden}.`);
    if (!self.WebAssembly) return say("This browser has no WebAssembly, or it is turned off.");
    say(lost || `Its files do not fit together; some may be of another build. (${error})`);
  };

  addEventListener("securitypolicyviolation", (event) => {
    forbidden ||= `${event.effectiveDirective} ${name(event.blockedURI)}`;
  });
  // Scripts and styles of the page that do not arrive.
  addEventListener("error", ({ target }) => {
    if (target.rel === "stylesheet" && target.href) fail([target.href], "styles");
  }, true);

  const styled = (sheet) => sheet.sheet || new Promise((arrived) => sheet.addEventListener("load", arrived));

  document.addEventListener("DOMContentLoaded", async () => {
    document.getElementById("late-why").textContent = "Its program is still on its way: the connection is slow, or something holds it back.";
    document.getElementById("late-reload").addEventListener("click", (event) => {
      event.preventDefault();
      location.reload();
    });
    // Trunk's links to the program.
    const script = document.querySelector("link[rel=modulepreload]").href;
    const wasm = document.querySelector("link[as=fetch]").href;
    program = name(script);
    try {
      const styles = [...document.querySelectorAll("link[rel=stylesheet]")].map(styled);
      const [bindings] = await Promise.all([import(script), ...styles]);
      if (failed) return;
      await bindings.default({ module_or_path: wasm });
      // Tests wait for this.
      window.wasmBindings = bindings;
    } catch (error) {
      fail([script, wasm], error);
    }
  });

  // For parts of the program that do not arrive: app/src/part.
  window.ridgepoint = { renewed };
})();
