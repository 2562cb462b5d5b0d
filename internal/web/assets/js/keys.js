// The keyboard. Keys that are meant as text are never taken, and single keys can be turned off in the
// help (WCAG 2.1.4).
import { announce, editable } from "./dom.js";
import { keep, kept } from "./keep.js";
import { nextTheme } from "./theme.js";

const places = { s: "/", g: "/genealogy", i: "/inbox", n: "/start" };
let awaiting = 0; // until when the letter behind g counts

export function keys() {
  document.addEventListener("keydown", pressed);
  for (const button of document.querySelectorAll("[data-open]")) button.addEventListener("click", () => open(button.dataset.open));
  const choice = document.querySelector("[data-single-keys]");
  if (choice) {
    choice.checked = kept("keys") !== "off";
    choice.addEventListener("change", () => keep("keys", choice.checked ? undefined : "off"));
  }
}

// open shows a dialog of the layout.
export function open(id) {
  const dialog = document.getElementById(id);
  if (dialog && !dialog.open) dialog.showModal();
}

function pressed(event) {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
    event.preventDefault();
    return open("palette");
  }
  if (event.key === "Escape" && editable(event.target) && !event.target.closest("dialog")) return event.target.blur();
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (editable(event.target) || document.querySelector("dialog[open]") || kept("keys") === "off") return;
  if (single(event.key)) event.preventDefault();
}

// single does what one key means and tells whether it means anything.
function single(key) {
  if (Date.now() < awaiting) {
    awaiting = 0;
    if (places[key]) {
      location.assign(places[key]);
      return true;
    }
  }
  switch (key) {
    case "/": return focusSearch();
    case "?": open("help"); return true;
    case "j": return move(1);
    case "k": return move(-1);
    case "t": nextTheme(); return true;
    case "g":
      awaiting = Date.now() + 1500;
      announce("Go to: s questions, g family tree, i inbox, n ask a question");
      return true;
    default: return false;
  }
}

function focusSearch() {
  const field = document.querySelector("[data-search]") ?? document.getElementById("q");
  if (!field) return false;
  field.focus();
  field.select();
  return true;
}

// move goes to the next entry of the page's list: its link gets the focus, so that Enter opens it and
// screen readers read it.
function move(step) {
  const rows = [...document.querySelectorAll("[data-row]")].filter((row) => row.offsetParent !== null);
  if (!rows.length) return false;
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step));
  const target = handle(rows[next]);
  target.focus({ preventScroll: true });
  rows[next].scrollIntoView({ block: "nearest" });
  return true;
}

function handle(row) {
  if (row.matches("a[href], button, [tabindex]")) return row;
  const link = row.querySelector("[data-row-link], a[href], button");
  if (link) return link;
  row.tabIndex = -1;
  return row;
}
