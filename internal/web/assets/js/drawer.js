// The drawer of a page that the server opened: Escape closes it and keeps what was written, Ctrl and Enter send it.
import { dropDraft, keepDraft, restoreDraft } from "./draft.js";

export function drawer() {
  const box = document.querySelector("[data-drawer]");
  const form = box?.querySelector("form[data-api]");
  const field = form?.querySelector("textarea, input:not([type=hidden])");
  if (field) {
    restoreDraft(form);
    form.addEventListener("input", () => keepDraft(form));
    form.addEventListener("brenner:answer", ({ detail }) => { if (detail.answer.ok) dropDraft(form); });
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
