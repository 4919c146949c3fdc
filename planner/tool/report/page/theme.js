// Light or dark: what the system says, until the button says otherwise. Print is always light.

const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");

function setUpTheme(changed) {
  const button = byId("theme");
  let chosen = null;
  let printing = false;
  const apply = () => {
    const theme = printing ? "light" : chosen || (prefersDark.matches ? "dark" : "light");
    if (document.documentElement.dataset.theme === theme) return;
    document.documentElement.dataset.theme = theme;
    button.textContent = theme === "dark" ? "Light theme" : "Dark theme";
    changed();
  };
  button.addEventListener("click", () => {
    chosen = isDark() ? "light" : "dark";
    apply();
  });
  prefersDark.addEventListener("change", apply);
  window.addEventListener("beforeprint", () => { printing = true; apply(); });
  window.addEventListener("afterprint", () => { printing = false; apply(); });
  apply();
}
