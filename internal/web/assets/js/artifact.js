// The artifact page: where a value came from, beside it; the place in the contents; printing; links to
// items that stand on another page of their section.
const wait = 180;
let card, shown, timer, pinned = false, quiet = false;

function note(marker) {
  return document.getElementById(marker.hash.slice(1))?.querySelector(".source");
}

function open(marker) {
  const text = note(marker);
  if (!text) return;
  clearTimeout(timer); // what was left a moment ago would close it
  if (!card) {
    card = document.createElement("div");
    card.className = "source-card";
    card.popover = "manual";
    card.id = "source-card";
    card.setAttribute("role", "dialog");
    card.setAttribute("aria-label", "Where this came from");
    card.addEventListener("pointerenter", () => clearTimeout(timer));
    card.addEventListener("pointerleave", () => pinned || later(close));
    card.addEventListener("focusout", (e) => card.contains(e.relatedTarget) || later(close));
  }
  if (!card.isConnected) document.body.append(card);
  if (shown && shown !== marker) shown.removeAttribute("aria-expanded");
  shown = marker;
  marker.setAttribute("aria-expanded", "true");
  card.replaceChildren(text.cloneNode(true));
  card.showPopover?.();
  place(marker);
}

// place puts the card below the marker, or above where there is no room.
function place(marker) {
  const at = marker.getBoundingClientRect(), size = card.getBoundingClientRect();
  const below = at.bottom + 6 + size.height < innerHeight;
  card.style.top = `${below ? at.bottom + 6 : Math.max(8, at.top - 6 - size.height)}px`;
  card.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
}

function close() {
  clearTimeout(timer);
  if (!shown) return;
  shown.removeAttribute("aria-expanded");
  shown = undefined;
  pinned = false;
  card.hidePopover?.();
}

function later(act) {
  clearTimeout(timer);
  timer = setTimeout(act, wait);
}

const markerOf = (e) => (e.target instanceof Element ? e.target.closest("a.src") : null);

document.addEventListener("pointerover", (e) => {
  const m = e.pointerType === "mouse" && markerOf(e);
  if (m && m !== shown) later(() => { pinned = false; open(m); });
  else if (m) clearTimeout(timer);
});
document.addEventListener("pointerout", (e) => {
  if (e.pointerType === "mouse" && markerOf(e) && !pinned) later(close);
});
document.addEventListener("focusin", (e) => {
  const m = markerOf(e);
  if (m && !quiet && m.matches(":focus-visible")) open(m);
});
document.addEventListener("focusout", (e) => {
  if (markerOf(e) && !card?.contains(e.relatedTarget) && !pinned) later(close);
});
document.addEventListener("click", (e) => {
  const m = markerOf(e);
  if (m && !e.ctrlKey && !e.metaKey && !e.shiftKey && note(m)) {
    e.preventDefault();
    if (shown === m && pinned) return close();
    clearTimeout(timer);
    open(m);
    pinned = true;
    if (e.detail === 0) card.querySelector("a")?.focus(); // by keyboard
  } else if (shown && !card.contains(e.target)) close();
  const printer = e.target instanceof Element && e.target.closest("[data-print]");
  if (printer && !document.querySelector(".print-note")) { // else the page with everything comes first
    e.preventDefault();
    print();
  } else if (printer) {
    e.preventDefault();
    location.href = `${printer.pathname}?whole=1#print`;
  }
});
document.addEventListener("keydown", (e) => {
  if (e.key !== "Escape" || !shown) return;
  const back = card.contains(document.activeElement) ? shown : null;
  close();
  quiet = true; // going back shows nothing again
  back?.focus();
  quiet = false;
});
addEventListener("scroll", () => shown && place(shown), { passive: true });
addEventListener("resize", close);

// An item that stands on another page of its section is one request away.
function resolve() {
  const id = decodeURIComponent(location.hash.slice(1));
  const item = /^([HPTAXC][1-9]\d*)(\.|$)/.exec(id)?.[1];
  if (!item) return;
  const there = document.getElementById(item);
  const asked = new URLSearchParams(location.search).get("item");
  if ((!there || there.closest(".stubs")) && asked !== item) {
    const query = new URLSearchParams({ item });
    location.replace(`${location.pathname}?${query}#${id}`);
  } else if (there && !document.getElementById(id)) there.scrollIntoView();
}
addEventListener("hashchange", resolve);
resolve();
if (location.hash === "#print") print();

// Phones begin with the document, not with what is beside it.
if (matchMedia("(max-width: 62rem)").matches) for (const d of document.querySelectorAll(".side > details")) d.open = false;

// The contents show where the reader is.
let links = new Map();
const seen = new IntersectionObserver((entries) => {
  for (const e of entries) {
    const a = links.get(e.target.id);
    if (!a) continue;
    if (e.isIntersecting) a.setAttribute("aria-current", "true");
    else a.removeAttribute("aria-current");
  }
}, { rootMargin: "-80px 0px -40% 0px" });

function follow() {
  links = new Map([...document.querySelectorAll(".ids a")].map((a) => [a.hash.slice(1), a]));
  seen.disconnect();
  for (const item of document.querySelectorAll(".item, .matrix tbody tr")) seen.observe(item);
}
document.addEventListener("brenner:refreshed", () => { close(); follow(); });
follow();
