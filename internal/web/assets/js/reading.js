// Read in place: a click on a reference, a tap or Enter opens what it refers to in a panel beside the text; j and k lead to the next
// reference of the same part of the page, Escape gives the focus back. With a key held, and without script, the link leads on.
import { about, dismiss } from "./cards.js";
import { editable, make } from "./dom.js";
import { kept } from "./keep.js";

let panel, shown;

const refOf = (event) => (event.target instanceof Element ? event.target.closest("main a[data-ref]") : null);

function build() {
  const close = make("button", { type: "button", class: "tool" }, "Close");
  close.addEventListener("click", shut);
  const hint = make("span", {}, make("kbd", {}, "j"), " ", make("kbd", {}, "k"), " next · ", make("kbd", {}, "Esc"));
  return make("aside", { class: "reading", "aria-label": "What it refers to" },
    make("p", { class: "rd-head" }, hint, close),
    make("div", { class: "rd-body", role: "status", tabindex: "0" }));
}

async function open(link) {
  dismiss();
  shown = link;
  const text = await about(link);
  if (shown !== link) return;
  if (!text) return location.assign(link.href);
  panel ??= build();
  if (!panel.isConnected) document.body.append(panel);
  dismiss();
  const body = panel.querySelector(".rd-body");
  body.replaceChildren(text);
  body.scrollTop = 0;
  mark(link);
}

function mark(link) {
  for (const old of document.querySelectorAll("a[data-ref][aria-current]")) old.removeAttribute("aria-current");
  link?.setAttribute("aria-current", "true");
}

function shut() {
  panel?.remove();
  mark();
  if (shown?.isConnected) shown.focus({ preventScroll: true });
  shown = undefined;
}

// move goes to the next reference of the part of the page that the open one stands in.
function move(step) {
  const part = shown.closest("section, article, main");
  const list = [...part.querySelectorAll("a[data-ref]")].filter((link) => link.offsetParent !== null);
  const next = list[list.indexOf(shown) + step];
  if (!next) return;
  next.scrollIntoView({ block: "nearest" });
  open(next);
}

export function reading() {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const inside = event.target instanceof Element && event.target.closest(".reading a[data-ref]");
    const link = inside || refOf(event);
    if (!link || !document.querySelector("[data-thread]:not([data-thread=''])")) return;
    event.preventDefault();
    if (inside) about(link).then((text) => text && panel?.querySelector(".rd-body").replaceChildren(text));
    else open(link);
  });
  document.addEventListener("keydown", (event) => {
    if (!panel?.isConnected || event.ctrlKey || event.metaKey || event.altKey || editable(event.target) || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") shut();
    else if ((event.key === "j" || event.key === "k") && shown?.isConnected && kept("keys") !== "off") {
      event.stopImmediatePropagation();
      event.preventDefault();
      move(event.key === "j" ? 1 : -1);
    }
  }, { capture: true });
}
