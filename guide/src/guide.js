// Colors of the guide: those chosen on the page, else the system's. It runs before the page is drawn.
(() => {
  const STORED = "ridgepoint-theme";
  const NEXT = { system: "light", light: "dark", dark: "system" };
  const root = document.documentElement;

  // Storage is denied in private windows: the choice then lasts as long as the page.
  const read = () => {
    try {
      return localStorage.getItem(STORED);
    } catch {
      return null;
    }
  };
  const store = (theme) => {
    try {
      if (theme === "system") localStorage.removeItem(STORED);
      else localStorage.setItem(STORED, theme);
    } catch {}
  };

  let theme = read() in NEXT ? read() : "system";
  const apply = (shown) => (shown === "system" ? root.removeAttribute("data-theme") : (root.dataset.theme = shown));
  apply(theme);
  // Print is light, and has the answers.
  let folded = [];
  addEventListener("beforeprint", () => {
    apply("light");
    folded = [...document.querySelectorAll("details:not([open])")];
    folded.forEach((details) => (details.open = true));
  });
  addEventListener("afterprint", () => {
    apply(theme);
    folded.forEach((details) => (details.open = false));
  });

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const name = () => (button.textContent = `Theme: ${theme}`);
    name();
    button.hidden = false;
    button.addEventListener("click", () => {
      theme = NEXT[theme];
      store(theme);
      apply(theme);
      name();
    });
  });
})();
