// The theme: as the system has it, light, or dark. early.js applies the choice before the first paint.
import { announce } from "./dom.js";
import { keep, kept } from "./keep.js";

const root = document.documentElement;
const order = ["system", "light", "dark"];

export function theme() {
  for (const button of document.querySelectorAll("[data-theme-toggle]")) button.addEventListener("click", nextTheme);
  name();
}

function current() {
  return kept("theme") ?? "system";
}

export function nextTheme() {
  const next = order[(order.indexOf(current()) + 1) % order.length];
  keep("theme", next === "system" ? undefined : next);
  if (next === "system") delete root.dataset.theme;
  else root.dataset.theme = next;
  name();
  announce(`Theme: ${next}`);
}

function name() {
  for (const place of document.querySelectorAll("[data-theme-name]")) {
    place.textContent = `Theme: ${current()}`;
    place.parentElement.title = `Theme: ${current()}`;
  }
}
