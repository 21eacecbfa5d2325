// Light, dark, or as the system is; remembered here alone.
import { $ } from "./dom";
import { t } from "./language";

const NAMES = { "": t("themeAuto"), light: t("themeLight"), dark: t("themeDark") };
const KEY = "citewell-theme";

function set(theme) {
  document.documentElement.dataset.theme = theme;
  $("theme").textContent = t("theme", { name: NAMES[theme] });
}

export function begin() {
  const kept = localStorage.getItem(KEY);
  set(kept in NAMES ? kept : "");
  $("theme").addEventListener("click", () => {
    const names = Object.keys(NAMES);
    const theme = names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length];
    localStorage.setItem(KEY, theme);
    set(theme);
  });
}
