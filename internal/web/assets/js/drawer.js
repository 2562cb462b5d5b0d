// The drawer of a page that the server opened: Escape closes it and keeps what was written, Ctrl and Enter send it.
const place = (form) => `brenner:draft:${form.dataset.api}`;

export function drawer() {
  const box = document.querySelector("[data-drawer]");
  const form = box?.querySelector("form[data-api]");
  const field = form?.querySelector("textarea, input:not([type=hidden])");
  if (field) {
    field.value ||= sessionStorage.getItem(place(form)) ?? "";
    if (field.value) form.dataset.dirty = "";
    form.addEventListener("input", () => sessionStorage.setItem(place(form), field.value));
    form.addEventListener("brenner:answer", ({ detail }) => { if (detail.answer.ok) sessionStorage.removeItem(place(form)); });
    field.focus({ preventScroll: true });
    box.scrollIntoView({ block: "nearest" });
  }
  document.addEventListener("keydown", (event) => {
    if (!box?.isConnected || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") location.assign(box.dataset.drawer);
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && form?.contains(event.target)) form.requestSubmit(form.querySelector("button"));
  });
}

drawer();
