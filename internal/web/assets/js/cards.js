// What a reference refers to, in a card beside it: with a pointer after a moment, with the keyboard at once.
// Esc closes it; it can be entered and its text selected. Touch follows the link, as without script.
const wait = 150;
const known = new Map();
let card, shown, timer;

function refOf(event) {
  return event.target instanceof Element ? event.target.closest("a[data-ref]") : null;
}

function later(act, after = wait) {
  clearTimeout(timer);
  timer = setTimeout(act, after);
}

async function contents(link) {
  const thread = link.closest("[data-thread]:not([data-thread=''])")?.dataset.thread;
  if (!thread) return null;
  const address = `/t/${encodeURIComponent(thread)}/card?ref=${encodeURIComponent(link.dataset.ref)}`;
  if (!known.has(address)) {
    const answer = await fetch(address, { headers: { accept: "text/html" } }).catch(() => null);
    if (!answer?.ok) return null;
    known.set(address, new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main > *"));
  }
  return known.get(address)?.cloneNode(true) ?? null;
}

// open also ends what a pointer left pending: a card opened with the keyboard is not closed by a mouse that moved before.
async function open(link) {
  clearTimeout(timer);
  shown = link;
  const text = await contents(link);
  if (!text || shown !== link || !link.isConnected) return;
  card ??= build();
  if (!card.isConnected) document.body.append(card);
  for (const rest of text.querySelectorAll(".more")) rest.remove(); // the panel has it
  card.replaceChildren(text);
  card.showPopover();
  link.setAttribute("aria-describedby", card.id);
  place(link);
}

function build() {
  const element = document.createElement("div");
  element.className = "ref-card";
  element.id = "ref-card";
  element.popover = "manual";
  element.setAttribute("role", "tooltip");
  element.addEventListener("pointerenter", () => clearTimeout(timer));
  element.addEventListener("pointerleave", () => later(close));
  return element;
}

// place puts the card below the reference, or above where there is no room, and never off the screen.
function place(link) {
  const at = link.getBoundingClientRect(), size = card.getBoundingClientRect();
  const below = at.bottom + 6 + size.height < innerHeight || at.top - 6 - size.height < 8;
  card.style.top = `${below ? Math.min(at.bottom + 6, innerHeight - size.height - 8) : at.top - 6 - size.height}px`;
  card.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
}

function close() {
  clearTimeout(timer);
  shown?.removeAttribute("aria-describedby");
  shown = undefined;
  if (card?.isConnected && card.matches(":popover-open")) card.hidePopover();
}

// about is what a reference refers to, for whoever shows it otherwise; dismiss takes the card away.
export const about = contents;
export const dismiss = close;

export function cards() {
  if (!HTMLElement.prototype.showPopover) return;
  document.addEventListener("pointerover", (event) => {
    const link = event.pointerType === "mouse" && refOf(event);
    if (link && document.querySelector(".reading")) return; // it is read in the panel
    if (link && link !== shown) later(() => open(link));
    else if (link) clearTimeout(timer);
  });
  document.addEventListener("pointerout", (event) => {
    if (event.pointerType === "mouse" && refOf(event)) later(close);
  });
  document.addEventListener("focusin", (event) => {
    const link = refOf(event);
    if (link?.matches(":focus-visible") && !document.querySelector(".reading")) open(link);
    else if (shown && !card?.contains(event.target)) close();
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && shown) close(); });
  document.addEventListener("brenner:refreshed", () => { known.clear(); close(); });
  addEventListener("scroll", () => shown && card && place(shown), { passive: true });
  addEventListener("resize", close);
}
