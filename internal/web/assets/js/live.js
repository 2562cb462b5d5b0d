// Brings the page up to date when something happens in the project: the server says that there is
// news, the page is fetched again and changed in place, so that focus, selection and scroll stay.
import { Idiomorph } from "../vendor/idiomorph/idiomorph.js";
import { follow } from "./stream.js";

const root = document.documentElement;
let pending = false;
let timer;
let due; // when a refresh is made even if more events come

export function live() {
  if (!root.dataset.cursor || "still" in root.dataset) return;
  const thread = root.dataset.thread;
  const heard = (event) => { if (!event || !thread || event.thread === thread) soon(); };
  const begin = () => follow(() => root.dataset.cursor, heard, say);
  let stream = begin();
  const pace = document.querySelector("main [data-pace]")?.dataset.pace; // what programs do makes no event
  if (pace) setInterval(() => { if (!document.hidden) soon(); }, 1000 * pace);
  window.addEventListener("pagehide", () => stream.close());
  window.addEventListener("pageshow", (event) => { // back from the browser's own cache
    if (!event.persisted) return;
    stream = begin();
    soon();
  });
}

// soon gathers a burst of events into one refresh, at most a second of them. A page that nobody sees waits until somebody does.
function soon(pause = 120) {
  clearTimeout(timer);
  if (document.hidden) {
    document.addEventListener("visibilitychange", () => soon(), { once: true });
    return;
  }
  due ??= Date.now() + 1000;
  timer = setTimeout(refresh, Math.min(pause, Math.max(0, due - Date.now())));
}

// refresh fetches the page again and changes it in place. What fails because a server is away is done again: no event may follow.
export async function refresh() {
  due = undefined;
  if (pending) return soon();
  pending = true;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (answer.ok && !answer.redirected) morph(await answer.text());
    else if (answer.status >= 500) soon(1000);
  } catch {
    soon(1000);
  } finally {
    pending = false;
  }
}

function morph(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.querySelector("main");
  if (!fresh) return;
  const hold = firstVisible();
  Idiomorph.morph(document.querySelector("main"), fresh, {
    ignoreActiveValue: true,
    callbacks: { beforeNodeMorphed: mayChange, beforeNodeRemoved: mayGo, beforeAttributeUpdated: mayUpdate },
  });
  hold();
  root.dataset.cursor = page.documentElement.dataset.cursor;
  if (page.title) document.title = page.title;
  document.dispatchEvent(new CustomEvent("brenner:refreshed"));
}

// firstVisible remembers what the reader sees first, and puts it back where it was.
function firstVisible() {
  const head = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
  const seen = scrollY > 0 && [...document.querySelectorAll("main [id]")].find((element) => {
    const at = element.getBoundingClientRect();
    return at.height > 0 && at.bottom > head && at.top >= head - 40 && at.top < innerHeight;
  });
  if (!seen) return () => {};
  const { id } = seen, top = seen.getBoundingClientRect().top;
  return () => {
    const now = document.getElementById(id);
    if (now) scrollBy({ top: now.getBoundingClientRect().top - top, behavior: "instant" });
  };
}

// A form that somebody has begun to fill in is theirs, and so is whatever asks to be left alone.
function mayChange(node) {
  return !(node instanceof Element && node.matches("[data-dirty], [data-leave]"));
}

function mayGo(node) {
  return !(node instanceof Element && (node.matches("[data-leave]") || node.querySelector("[data-dirty]") || node.matches("[data-dirty]")));
}

// What a person opened stays open.
function mayUpdate(name, node) {
  return !(name === "open" && node.matches("details, dialog")) && name !== "aria-busy";
}

function say(state) {
  const place = document.querySelector("[data-live]");
  if (!place) return;
  place.dataset.live = state;
  place.textContent = state === "live" ? "Live" : state === "reconnecting" ? "Reconnecting…" : "Not live; reload to see news";
}
