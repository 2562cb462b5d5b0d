// Puts the template of a type into the message. What somebody wrote is only replaced when they agree.
import { announce } from "./dom.js";
import { validateSoon } from "./forms.js";

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-template]");
  const form = document.querySelector("form[data-compose]");
  if (!link || !form || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { subject, body_md: body } = form.elements;
  if (written(body.value) && !window.confirm("Replace the text by the template?")) return;
  body.value = link.dataset.template;
  if (!/\S\s*:\s*\S/.test(subject.value)) subject.value = link.dataset.templateSubject;
  form.dataset.dirty = "";
  subject.focus();
  announce("The template is in the text.");
  validateSoon(form);
});

function written(text) {
  const templates = [...document.querySelectorAll("a[data-template]")].map((link) => link.dataset.template.trim());
  return text.trim() !== "" && !templates.includes(text.trim());
}
