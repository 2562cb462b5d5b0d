// Act where you read: a link with data-sheet opens its page as a drawer beside the one that is read. The page behind stays, and is no
// trap; Escape keeps what was written, Ctrl and Enter send it, and the next thing that waits comes after it.
import { announce } from "./dom.js";
import { dropDraft, keepDraft, restoreDraft } from "./draft.js";
import { refresh } from "./live.js";
import { choose, trial } from "./stance.js";
import { uploads } from "./upload.js";

let box, opener;

export function sheets() {
  document.addEventListener("click", pressed);
  document.addEventListener("input", written);
  document.addEventListener("change", written);
  document.addEventListener("keydown", keyed);
  document.addEventListener("brenner:answer", answered);
  document.addEventListener("brenner:validated", judged);
  uploads();
  const alone = document.querySelector("main [data-sheet-page]");
  if (alone) begin(alone);
}

function pressed(event) {
  if (!(event.target instanceof Element) || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest("a[data-sheet]");
  if (link && !document.querySelector("main [data-sheet-page]")) {
    event.preventDefault();
    open(link.href, box?.contains(link) ? opener : link);
  } else if (box?.isConnected && (event.target.closest("[data-close]") || event.target === box)) {
    event.preventDefault();
    close();
  }
}

// open fetches the page of an act and shows what it has in the drawer. What cannot be fetched is gone to.
async function open(address, from) {
  const answer = await fetch(address, { headers: { accept: "text/html" } }).catch(() => null);
  const page = answer?.ok && !answer.redirected ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  const content = page?.querySelector("[data-sheet-page]");
  if (!content) return location.assign(address);
  await styles(page);
  opener = from;
  box ??= build();
  box.replaceChildren(content);
  box.setAttribute("aria-labelledby", "act-h");
  if (!box.isConnected) document.body.append(box);
  if (!box.open) box.show();
  document.documentElement.dataset.sheet = "";
  begin(content);
}

function build() {
  const dialog = document.createElement("dialog");
  dialog.className = "sheet";
  return dialog;
}

// styles brings what the act's page looks like, where the page behind does not have it.
function styles(page) {
  const missing = [...page.querySelectorAll("link[rel=stylesheet]")].filter((link) => !document.querySelector(`link[rel=stylesheet][href="${CSS.escape(link.getAttribute("href"))}"]`));
  return Promise.all(missing.map((link) => new Promise((ready) => {
    const own = document.createElement("link");
    own.rel = "stylesheet";
    own.href = link.getAttribute("href");
    own.onload = own.onerror = ready;
    document.head.append(own);
  })));
}

// begin puts back what was written before, and the focus into the field.
function begin(content) {
  const form = content.querySelector("form[data-api]");
  if (!form) return content.querySelector("a, button")?.focus();
  const field = form.querySelector("textarea[autofocus], input[autofocus]") ?? form.querySelector("textarea, input:not([type=hidden], [type=radio])");
  if (restoreDraft(form)) field?.dispatchEvent(new Event("input", { bubbles: true }));
  choose(form);
  field?.focus({ preventScroll: true });
  if (field instanceof HTMLTextAreaElement) field.setSelectionRange(field.value.length, field.value.length);
}

function close() {
  const content = box?.querySelector("[data-sheet-page]");
  if (content?.querySelector("form[data-dirty]")) announce("Your draft is kept in this tab.");
  box?.close();
  box?.remove();
  delete document.documentElement.dataset.sheet;
  if (opener?.isConnected) opener.focus();
}

function written(event) {
  const form = event.target.form;
  if (!form?.closest("[data-sheet-page]")) return;
  choose(form);
  keepDraft(form);
  trial(form);
}

function keyed(event) {
  const place = event.target instanceof Element && event.target.closest("[data-sheet-page]");
  if (event.key === "Escape" && box?.isConnected && !document.querySelector("dialog[open]:not(.sheet)")) {
    event.preventDefault();
    close();
  } else if (place && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    place.querySelector("form[data-api]")?.requestSubmit(place.querySelector(".sh-foot button"));
  }
}

// answered goes on once something was done: to the next thing that waits if that was asked for, else back to the page.
async function answered(event) {
  const form = event.target, place = form.closest?.("[data-sheet-page]");
  const { answer, button } = event.detail;
  if (!place || !answer.ok || form.dataset.next) return; // what has a page of its own is gone to
  event.preventDefault();
  dropDraft(form);
  delete form.dataset.dirty;
  announce(form.dataset.done ?? "Done.");
  const next = button?.dataset.then === "next" ? place.dataset.nextSheet : "";
  if (!box?.isConnected) return location.assign(next || place.dataset.back);
  await refresh();
  if (next) return open(new URL(next, location.href).href, opener);
  close();
}

// judged says what became of the quotations in what is being written.
function judged({ target, detail: { answer } }) {
  const place = target.querySelector("[data-quotes]");
  if (!place || !answer.ok) return;
  const quotes = answer.body.quotes ?? [];
  const found = quotes.filter((quote) => quote.found).length;
  place.textContent = quotes.length ? `${found} of ${quotes.length} ${quotes.length === 1 ? "quotation" : "quotations"} found in ${quotes.length === 1 ? quotes[0].citation : "their sources"}${quotes.length === 1 && quotes[0].page ? `, p. ${quotes[0].page}` : ""}` : "";
  place.classList.toggle("ok", quotes.length > 0 && found === quotes.length);
}
