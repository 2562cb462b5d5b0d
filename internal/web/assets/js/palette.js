// The command palette: what matches in the project (asked of the API), and what the page itself can do.
import { announce, make } from "./dom.js";
import { nextTheme } from "./theme.js";
import { request } from "./request.js";
import { open } from "./keys.js";

const own = [
  { title: "Questions", hint: "page", url: "/" },
  { title: "Family tree", hint: "page", url: "/genealogy" },
  { title: "Inbox", hint: "page", url: "/inbox" },
  { title: "Ask a question", hint: "action", url: "/start" },
  { title: "Change the theme", hint: "action", run: nextTheme },
  { title: "Keyboard shortcuts", hint: "help", run: () => open("help") },
];

const dialog = document.getElementById("palette");
const field = document.getElementById("palette-text");
const box = document.getElementById("palette-list");
let shown = [];
let chosen = 0;
let timer;
let asked;

export function palette() {
  if (!dialog) return;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, 90);
  });
  field.addEventListener("keydown", pressed);
  box.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) go(Number(option.dataset.place));
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  new MutationObserver(() => { if (dialog.open) begin(); }).observe(dialog, { attributeFilter: ["open"] });
}

function begin() {
  field.value = "";
  look();
}

function pressed(event) {
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
  if (event.key in steps) {
    event.preventDefault();
    choose(Math.min(shown.length - 1, Math.max(0, chosen + steps[event.key])));
  } else if (event.key === "Enter" && !event.isComposing) {
    event.preventDefault();
    go(chosen);
  }
}

async function look() {
  const text = field.value.trim();
  asked?.abort();
  asked = new AbortController();
  const mine = own.filter((entry) => entry.title.toLowerCase().includes(text.toLowerCase()));
  show(mine, text);
  try {
    const answer = await request("GET", `/api/v1/palette?${new URLSearchParams({ q: text })}`, undefined, asked.signal);
    if (answer.ok) show(together(text, mine, answer.body.entries ?? []), text);
  } catch {
    // a later question took its place
  }
}

// together puts the project's entries before the page's own once something was typed, and drops repeats.
function together(text, mine, found) {
  const all = text ? [...found, ...mine] : [...mine, ...found];
  const seen = new Set();
  return all.filter((entry) => {
    if (entry.url && !entry.url.startsWith("/")) return false;
    const key = entry.url ?? entry.title;
    return !seen.has(key) && seen.add(key);
  });
}

function show(entries, text) {
  shown = entries.slice(0, 40);
  chosen = 0;
  box.replaceChildren(...shown.map((entry, i) => make("li", { role: "option", id: `palette-${i}`, "data-place": i, "aria-selected": i === 0 },
    make("span", { class: "title" }, entry.title), make("span", { class: "hint" }, entry.hint ?? entry.kind ?? ""))));
  if (!shown.length) {
    box.replaceChildren(make("li", { role: "option", "aria-disabled": "true", "aria-selected": "false", class: "none" }, `Nothing matches “${text}”; Enter searches the messages`));
  }
  choose(0);
}

function choose(place) {
  chosen = place;
  [...box.children].forEach((option, i) => option.setAttribute("aria-selected", String(i === place)));
  const option = box.children[place];
  field.setAttribute("aria-activedescendant", option?.id ?? "");
  option?.scrollIntoView({ block: "nearest" });
}

function go(place) {
  const entry = shown[place];
  if (!entry) {
    if (field.value.trim()) location.assign(`/search?${new URLSearchParams({ q: field.value.trim() })}`);
    return;
  }
  dialog.close();
  announce(entry.title);
  if (entry.run) entry.run();
  else location.assign(entry.url);
}
