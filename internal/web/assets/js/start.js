// The start form: the roster editor, quoting sections, and the preview of what would be sent.
import { announce, make } from "./dom.js";
import { validateSoon } from "./forms.js";

const form = document.querySelector("form.start");
if (form) begin();

function begin() {
  const roster = form.querySelector(".roster");
  roster.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) edit(button);
  });
  form.querySelector("[data-preset]").addEventListener("change", fromPreset);
  form.querySelector("[data-quote]")?.addEventListener("click", quote);
  form.querySelector("[data-section-filter]")?.addEventListener("input", filter);
  form.addEventListener("brenner:validated", (event) => show(event.detail.answer));
  form.addEventListener("brenner:answer", (event) => {
    if (!event.detail.button?.matches("[name=dry_run]")) return;
    show(event.detail.answer);
    if (event.detail.answer.ok) {
      event.preventDefault();
      form.querySelector(".preview").scrollIntoView({ block: "nearest" });
    }
  });
  changed();
}

function rows() {
  return [...form.querySelectorAll("[data-item]")];
}

function edit(button) {
  const row = button.closest("[data-item]");
  if ("add" in button.dataset) add().querySelector("input").focus();
  else if ("up" in button.dataset) row.previousElementSibling?.before(row);
  else if ("down" in button.dataset) row.nextElementSibling?.after(row);
  else if ("remove" in button.dataset) remove(row);
  else return;
  if (row?.isConnected) button.focus();
  changed();
}

function remove(row) {
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  (next?.querySelector("input") ?? form.querySelector("[data-add]")).focus();
}

function add(entry = {}) {
  const row = form.querySelector("[data-entry-template]").content.firstElementChild.cloneNode(true);
  for (const field of row.querySelectorAll("[name]")) field.value = entry[field.name.split(".").pop()] ?? "";
  form.querySelector("[data-entries-list]").append(row);
  return row;
}

// changed numbers the labels anew and has the form judged.
function changed() {
  const all = rows();
  all.forEach((row, i) => {
    for (const field of row.querySelectorAll(".field")) {
      const input = field.querySelector("input, select");
      input.id = `entry-${i}-${input.name.split(".").pop()}`;
      field.querySelector("label").htmlFor = input.id;
    }
    row.querySelector("[data-up]").disabled = i === 0;
    row.querySelector("[data-down]").disabled = i === all.length - 1;
    row.querySelector("[data-remove]").setAttribute("aria-label", `Remove entry ${i + 1}`);
  });
  form.querySelector("[data-no-entries]").hidden = all.length > 0;
  if ("dirty" in form.dataset || all.length) {
    form.dataset.dirty = "";
    validateSoon(form);
  }
}

function fromPreset(event) {
  const entries = event.target.selectedOptions[0]?.dataset.entries;
  if (!entries) return;
  const names = rows().map((row) => row.querySelector("input").value);
  for (const row of rows()) row.remove();
  JSON.parse(entries).forEach((entry, i) => add({ ...entry, agentName: entry.agentName || names[i] || "" }));
  announce("The roster was filled from the preset. Name its agents.");
  changed();
  rows()[0]?.querySelector("input").focus();
}

// quote asks the page itself for the excerpt: it knows how to quote.
async function quote() {
  const numbers = [...form.querySelectorAll("[data-sections] input:checked")].map((box) => box.value);
  const answer = await fetch(`/start?${new URLSearchParams({ sections: numbers.join(",") })}`, { headers: { accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const excerpt = page.getElementById("excerpt");
  if (!excerpt) return;
  const field = document.getElementById("excerpt");
  field.value = excerpt.value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  announce(`${numbers.length} sections quoted`);
}

function filter(event) {
  event.stopPropagation();
  const text = event.target.value.toLowerCase();
  for (const item of form.querySelectorAll("[data-sections] li")) item.hidden = !item.textContent.toLowerCase().includes(text);
}

function show(answer) {
  const messages = answer.body.messages ?? [];
  if (!messages.length) return;
  form.querySelector("[data-preview]").replaceChildren(
    make("p", {}, make("code", {}, answer.body.thread_id ?? "")),
    ...messages.map((message, i) => make("details", { open: i === 0 },
      make("summary", {}, make("strong", {}, message.to), make("span", { class: "dim" }, ` ${(message.role ?? "").replaceAll("_", " ")}`)),
      make("p", { class: "subject" }, message.subject),
      make("pre", {}, message.body_md))));
}
