// Shows what the API has to say about a form: beside it as a list, and at each field it concerns.
import { make } from "./dom.js";
import { fieldAt } from "./fields.js";

let count = 0;

// list builds the same list that pages show (template part "findings").
export function list(findings) {
  return make("ul", { class: "findings" }, ...findings.map((finding) => make("li", { class: "finding", "data-severity": finding.severity },
    make("code", {}, finding.code ?? ""),
    make("p", {}, finding.message ?? "", place(finding)),
    finding.fix ? make("p", { class: "fix" }, finding.fix) : null)));
}

function place(finding) {
  const parts = [finding.item, finding.path, finding.line ? `line ${finding.line}` : ""].filter(Boolean);
  return parts.length ? make("span", { class: "dim" }, ` ${parts.join(", ")}`) : null;
}

// show puts findings at their fields; what has no field is returned.
export function show(form, findings) {
  clear(form);
  return findings.filter((finding) => {
    const field = (finding.path && fieldAt(form, finding.path)) || fieldOfCode(form, finding.code);
    if (field) mark(field, finding);
    return !field;
  });
}

// fieldOfCode finds what a finding without a path is about: data-codes="MB-002 MB-003".
function fieldOfCode(form, code) {
  return code ? form.querySelector(`[data-codes~="${CSS.escape(code)}"]`) : null;
}

function mark(field, finding) {
  const note = make("p", { class: "note", id: `note-${++count}`, "data-note": true, "data-severity": finding.severity },
    make("span", {}, finding.message), finding.fix ? make("span", { class: "fix" }, ` ${finding.fix}`) : null);
  (field.matches("fieldset") ? field : field.closest(".field, [data-field]") ?? field.parentElement).append(note);
  if (finding.severity === "error") field.setAttribute("aria-invalid", "true");
  const described = (field.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
  field.setAttribute("aria-describedby", [...described, note.id].join(" "));
}

// clear takes the marks off again.
export function clear(form) {
  for (const note of form.querySelectorAll("[data-note]")) note.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  for (const field of form.querySelectorAll("[aria-describedby*=note-]")) {
    const rest = field.getAttribute("aria-describedby").split(" ").filter((id) => !id.startsWith("note-"));
    if (rest.length) field.setAttribute("aria-describedby", rest.join(" "));
    else field.removeAttribute("aria-describedby");
  }
}
