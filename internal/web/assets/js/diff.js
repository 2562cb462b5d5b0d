// The rail of versions: while it is moved it says what each one was, and when it is let go the page
// shows what changed with it.
import { refresh } from "./live.js";

const entries = () => [...document.querySelectorAll("[data-versions] > li")];

function entryAt(rail) {
  return entries()[Number(rail.value) - 1];
}

// glance says in a line what a version was.
function glance(rail) {
  const entry = entryAt(rail), place = document.querySelector("[data-glance]");
  if (!entry || !place) return;
  const name = document.createElement("b");
  name.textContent = entry.dataset.name;
  const words = [".what", ".who-when", ".bits"].map((part) => entry.querySelector(part)?.textContent.trim().replace(/\s+/g, " ")).filter(Boolean);
  place.replaceChildren(name, ` ${words.join(" · ")}`);
  rail.setAttribute("aria-valuetext", `${entry.dataset.name}: ${words[0] ?? ""}`);
}

async function go(rail) {
  const href = entryAt(rail)?.querySelector("a")?.getAttribute("href");
  if (!href || href === location.pathname + location.search) return;
  history.pushState(null, "", href);
  await refresh();
}

const railOf = (e) => (e.target instanceof Element && e.target.matches("[data-scrub]") ? e.target : null);
document.addEventListener("input", (e) => { const rail = railOf(e); if (rail) glance(rail); });
document.addEventListener("change", (e) => { const rail = railOf(e); if (rail) go(rail); });
addEventListener("popstate", () => refresh());
document.addEventListener("brenner:refreshed", settle);

// settle brings the rail to the version that is shown, and that into view.
function settle() {
  const rail = document.querySelector("[data-scrub]");
  const at = entries().findIndex((entry) => entry.hasAttribute("aria-current"));
  if (!rail || at < 0) return;
  rail.value = String(at + 1);
  glance(rail);
  const entry = entries()[at], list = entry.parentElement;
  list.scrollTop = entry.offsetTop - list.offsetTop - list.clientHeight / 2;
}
settle();
