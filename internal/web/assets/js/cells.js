// The cells of what was expected: a click, a tap or the focus opens a cell in words beside the table. j and k lead to the next one, Escape
// closes it. Without script a cell leads to the same panel.
import { announce, editable } from "./dom.js";
import { kept } from "./keep.js";

const known = new Map();
let chosen; // the key of the open cell

const panel = () => document.querySelector("[data-cells] > .side");
const all = () => [...document.querySelectorAll("[data-cells] a[data-cell]")].filter((link) => link.offsetParent !== null);
const cellOf = (event) => (event.target instanceof Element ? event.target.closest("[data-cells] a[data-cell]") : null);

async function words(link) {
  const thread = document.querySelector("[data-thread]:not([data-thread=''])")?.dataset.thread;
  const address = `/t/${encodeURIComponent(thread)}/cell?cell=${encodeURIComponent(link.dataset.cell)}`;
  if (!known.has(address)) {
    const answer = await fetch(address, { headers: { accept: "text/html" } }).catch(() => null);
    if (!answer?.ok) return null;
    known.set(address, new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".panel-cell"));
  }
  return known.get(address)?.cloneNode(true) ?? null;
}

async function open(link) {
  chosen = link.dataset.cell;
  const text = await words(link);
  if (!text || chosen !== link.dataset.cell) return;
  panel()?.replaceChildren(text);
  mark();
}

function mark() {
  for (const link of document.querySelectorAll("[data-cells] a[data-cell]")) {
    if (link.dataset.cell === chosen) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function close() {
  const back = all().find((link) => link.dataset.cell === chosen);
  chosen = undefined;
  panel()?.replaceChildren();
  mark();
  back?.focus({ preventScroll: true });
  chosen = undefined;
}

function move(step) {
  const list = all();
  const at = list.findIndex((link) => link.dataset.cell === chosen);
  const next = list[Math.min(list.length - 1, Math.max(0, at + step))];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
  if (next) open(next);
}

export function cells() {
  if (!document.querySelector("[data-cells]")) return;
  chosen = document.querySelector("[data-cells] a[aria-current]")?.dataset.cell;
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const link = cellOf(event);
    if (link) {
      event.preventDefault();
      open(link);
      announce(link.textContent);
    } else if (event.target instanceof Element && event.target.closest(".panel-cell .close")) {
      event.preventDefault();
      close();
    }
  });
  document.addEventListener("focusin", (event) => {
    const link = cellOf(event);
    if (link?.matches(":focus-visible") && chosen !== link.dataset.cell && chosen !== undefined) open(link);
  });
  document.addEventListener("keydown", (event) => {
    if (!chosen || event.ctrlKey || event.metaKey || event.altKey || editable(event.target) || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") close();
    else if ((event.key === "j" || event.key === "k") && kept("keys") !== "off") {
      event.stopImmediatePropagation();
      event.preventDefault();
      move(event.key === "j" ? 1 : -1);
    }
  }, { capture: true });
  document.addEventListener("brenner:refreshed", () => { known.clear(); mark(); });
}
