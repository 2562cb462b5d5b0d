// On a phone a page begins with what is compared; its other parts unfold. Without script all of it is there.
import { make } from "./dom.js";

const narrow = matchMedia("(max-width: 56rem)");
const opened = new Set();

function apply() {
  for (const part of document.querySelectorAll("[data-fold]")) {
    const open = !narrow.matches || opened.has(part.dataset.fold);
    part.classList.toggle("folded", !open);
    button(part).setAttribute("aria-expanded", String(open));
  }
}

// button opens and closes a part; it stands in its head.
function button(part) {
  const head = part.firstElementChild;
  let found = head.querySelector(":scope > .unfold");
  if (!found) {
    found = make("button", { type: "button", class: "unfold quiet", "data-leave": true }, make("span", { class: "sr" }, `Show ${part.dataset.fold}`));
    head.append(found);
  }
  return found;
}

// reveal opens the part that a link leads into, and goes there.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const part = target?.closest("[data-fold]");
  if (!part || !narrow.matches || opened.has(part.dataset.fold)) return;
  opened.add(part.dataset.fold);
  apply();
  target.scrollIntoView();
}

export function folds() {
  if (!document.querySelector("[data-fold]")) return;
  apply();
  reveal();
  document.addEventListener("click", (event) => {
    const pressed = event.target instanceof Element && event.target.closest("button.unfold");
    if (!pressed) return;
    const { fold } = pressed.closest("[data-fold]").dataset;
    if (!opened.delete(fold)) opened.add(fold);
    apply();
  });
  narrow.addEventListener("change", apply);
  addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => { // the same place again changes no hash
    const link = event.target instanceof Element && event.target.closest('a[href*="#"]');
    if (link && link.hash && link.hash === location.hash && link.pathname === location.pathname) reveal();
  });
  document.addEventListener("brenner:refreshed", apply);
}
