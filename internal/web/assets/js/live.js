// Brings the page up to date when something happens in the project: the server says that there is
// news, the page is fetched again and changed in place, so that focus, selection and scroll stay.
import { Idiomorph } from "../vendor/idiomorph/idiomorph.js";

const root = document.documentElement;
let pending = false;
let timer;

export function live() {
  const thread = root.dataset.thread;
  const query = new URLSearchParams({ after: root.dataset.cursor });
  if (thread) query.set("thread", thread);
  const source = new EventSource(`/api/v1/events?${query}`);
  source.addEventListener("open", () => say("live"));
  source.addEventListener("error", () => say("reconnecting…"));
  for (const kind of ["message", "delivery", "compiled"]) source.addEventListener(kind, soon);
  window.addEventListener("pagehide", () => source.close());
}

// soon gathers a burst of events into one refresh.
function soon() {
  clearTimeout(timer);
  timer = setTimeout(refresh, 120);
}

export async function refresh() {
  if (pending) return soon();
  pending = true;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (answer.ok) morph(await answer.text());
  } finally {
    pending = false;
  }
}

function morph(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  Idiomorph.morph(document.querySelector("main"), page.querySelector("main"), { ignoreActiveValue: true });
  root.dataset.cursor = page.documentElement.dataset.cursor;
  document.dispatchEvent(new CustomEvent("brenner:refreshed"));
}

function say(text) {
  const place = document.querySelector("[data-live]");
  if (place) place.textContent = text;
}
