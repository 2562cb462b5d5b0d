// The picture of the graph: zoom, move, and follow references with the keyboard. Without it the picture
// scrolls and its items are links.
let canvas, svg, full, box;
const fingers = new Map();
let grip, moved = false;

function begin() {
  canvas = document.querySelector("[data-canvas]");
  svg = canvas?.querySelector("svg");
  if (!svg) return;
  const natural = { width: Number(svg.getAttribute("width")), height: Number(svg.getAttribute("height")) };
  full = { x: 0, y: 0, w: natural.width, h: natural.height };
  canvas.classList.add("zoomable");
  nodes().forEach((node, i) => node.setAttribute("tabindex", i === 0 ? "0" : "-1"));
  start();
}

const nodes = () => [...svg.querySelectorAll("a[data-node]")];
const node = (n) => svg.querySelector(`a[data-node="${n}"]`);

// readable is the least scale at which names can be read.
const readable = 0.9;

// start shows everything, or where that would be too small to read, the middle of interest. The page grows for a picture that
// fits its width; a picture that is the whole page (data-tall) may be as long as it is.
function start() {
  const wide = Math.min(1, canvas.clientWidth / full.w);
  const tall = full.h * Math.max(wide, readable), most = "tall" in canvas.dataset ? 6000 : innerHeight * 1.2;
  canvas.style.height = `${Math.round(Math.min(Math.max(tall, 240), wide < readable ? innerHeight * 0.75 : most))}px`;
  fit();
  if (scale() >= readable) return;
  const centre = svg.querySelector(".centre, .is-hypothesis") ?? busiest();
  box.w = canvas.clientWidth / readable;
  box.h = canvas.clientHeight / readable;
  if (centre) reveal(centre, true);
  box.x = within(box.x, full.w, box.w);
  box.y = within(box.y, full.h, box.h);
  show();
}

// busiest is the node with the most references.
function busiest() {
  const count = (n) => `${n.dataset.older} ${n.dataset.newer}`.trim().split(" ").length;
  return nodes().reduce((best, n) => (!best || count(n) > count(best) ? n : best), undefined);
}

// within keeps a view inside the picture, or puts a small picture into its middle.
function within(at, all, part) {
  return part >= all ? (all - part) / 2 : Math.min(Math.max(at, 0), all - part);
}

const scale = () => canvas.clientWidth / box.w;

function show() {
  svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.w} ${box.h}`);
}

// fit shows the whole picture in the shape of the canvas.
function fit() {
  const shape = canvas.clientWidth / Math.max(1, canvas.clientHeight);
  const w = Math.max(full.w, full.h * shape, canvas.clientWidth), h = w / shape;
  box = { x: (full.w - w) / 2, y: (full.h - h) / 2, w, h };
  show();
}

function zoom(by, at) {
  const w = Math.min(Math.max(box.w / by, 160), Math.max(full.w, box.w) * 4);
  const k = w / box.w;
  const x = at?.x ?? box.x + box.w / 2, y = at?.y ?? box.y + box.h / 2;
  box = { x: x - (x - box.x) * k, y: y - (y - box.y) * k, w, h: box.h * k };
  show();
}

function pan(dx, dy) {
  box.x = Math.min(Math.max(box.x + dx, -box.w * 0.8), full.w - box.w * 0.2);
  box.y = Math.min(Math.max(box.y + dy, -box.h * 0.8), full.h - box.h * 0.2);
  show();
}

// at turns a place on the screen into one of the picture.
function at(e) {
  const area = svg.getBoundingClientRect();
  return { x: box.x + ((e.clientX - area.left) / area.width) * box.w, y: box.y + ((e.clientY - area.top) / area.height) * box.h };
}

// reveal moves a node into the canvas, or to its middle.
function reveal(target, middle) {
  const b = target.querySelector("rect").getBBox(), m = target.querySelector("g").transform.baseVal.consolidate().matrix;
  const x = m.e, y = m.f, edge = 20;
  if (middle) {
    box.x = x + b.width / 2 - box.w / 2;
    box.y = y + b.height / 2 - box.h / 2;
  } else {
    if (x < box.x + edge) box.x = x - edge;
    if (x + b.width > box.x + box.w - edge) box.x = x + b.width + edge - box.w;
    if (y < box.y + edge) box.y = y - edge;
    if (y + b.height > box.y + box.h - edge) box.y = y + b.height + edge - box.h;
  }
  show();
}

// trace shows what a node is joined to.
function trace(n) {
  svg.classList.toggle("tracing", n !== undefined);
  for (const edge of svg.querySelectorAll(".edge")) edge.classList.toggle("near", n !== undefined && (edge.dataset.from === n || edge.dataset.to === n));
}

function focus(target) {
  if (!target) return;
  for (const other of nodes()) other.setAttribute("tabindex", other === target ? "0" : "-1");
  target.focus({ preventScroll: true });
}

const first = (list) => (list ?? "").split(" ").map(node).find(Boolean);

// beside finds the next node of the same column.
function beside(target, step) {
  const place = (n) => n.querySelector("g").transform.baseVal.consolidate().matrix;
  const here = place(target);
  return nodes().map((n) => ({ n, m: place(n) })).filter(({ m }) => m.e === here.e && (m.f - here.f) * step > 0)
    .sort((a, b) => (a.m.f - b.m.f) * step)[0]?.n;
}

function pressed(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || !canvas?.contains(e.target)) return;
  const on = e.target.closest?.("a[data-node]");
  const act = {
    "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), "0": fit,
    ArrowLeft: () => (on ? focus(first(on.dataset.older)) : pan(-box.w / 10, 0)),
    ArrowRight: () => (on ? focus(first(on.dataset.newer)) : pan(box.w / 10, 0)),
    ArrowUp: () => (on ? focus(beside(on, -1)) : pan(0, -box.h / 10)),
    ArrowDown: () => (on ? focus(beside(on, 1)) : pan(0, box.h / 10)),
    Home: () => focus(nodes()[0]), Escape: () => canvas.focus(),
  }[e.key];
  if (!act) return;
  e.preventDefault();
  e.stopPropagation();
  act();
}

function down(e) {
  if (!canvas?.contains(e.target) || e.button > 0) return;
  fingers.set(e.pointerId, e);
  moved = false;
  grip = undefined;
}

function move(e) {
  const last = fingers.get(e.pointerId);
  if (!last) return;
  if (fingers.size === 1) {
    if (!moved && Math.hypot(e.clientX - last.clientX, e.clientY - last.clientY) < 4) return;
    if (!moved) canvas.setPointerCapture?.(e.pointerId);
    moved = true;
    canvas.classList.add("dragging");
    pan((last.clientX - e.clientX) / scale(), (last.clientY - e.clientY) / scale());
  }
  fingers.set(e.pointerId, e);
  if (fingers.size === 2) {
    const [a, b] = [...fingers.values()];
    const apart = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    if (grip) zoom(apart / grip, at({ clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 }));
    grip = apart;
    moved = true;
  }
}

function up(e) {
  fingers.delete(e.pointerId);
  grip = undefined;
  canvas?.classList.remove("dragging");
}

document.addEventListener("keydown", pressed, true);
document.addEventListener("pointerdown", down);
document.addEventListener("pointermove", move);
document.addEventListener("pointerup", up);
document.addEventListener("pointercancel", up);
document.addEventListener("dragstart", (e) => canvas?.contains(e.target) && e.preventDefault());
document.addEventListener("click", (e) => {
  if (moved && canvas?.contains(e.target)) { // the end of a drag is no click
    e.preventDefault();
    moved = false;
    return;
  }
  const button = e.target.closest?.("[data-zoom]");
  if (button) ({ in: () => zoom(1.25), out: () => zoom(0.8), fit })[button.dataset.zoom]?.();
}, true);
document.addEventListener("wheel", (e) => {
  if (!canvas?.contains(e.target) || !(e.ctrlKey || e.metaKey)) return;
  e.preventDefault();
  zoom(Math.exp(-e.deltaY / 300), at(e));
}, { passive: false });
document.addEventListener("focusin", (e) => {
  const on = e.target.closest?.("a[data-node]");
  if (svg && on && svg.contains(on)) {
    if (on.matches(":focus-visible")) reveal(on, false);
    trace(on.dataset.node);
  } else if (svg) trace(undefined);
});
document.addEventListener("change", (e) => { if (e.target.id === "focus") e.target.form.requestSubmit(); });
document.addEventListener("brenner:refreshed", begin);
begin();
