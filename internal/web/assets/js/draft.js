// What is written in a drawer and not sent yet: words and choices, kept in this tab until they are sent.
const place = (form) => `brenner:draft:${form.dataset.api}`;

// told are the fields that a person fills; a file cannot be put back.
const told = (form) => [...form.elements].filter((field) => field.matches("textarea, select, input:not([type=hidden], [type=file])"));

const nameOf = (field) => field.id || field.dataset.part || field.name;

const isChoice = (field) => field.type === "radio" || field.type === "checkbox";

export function keepDraft(form) {
  const kept = told(form).map((field) => (isChoice(field) ? [field.name, field.value, field.checked] : [nameOf(field), null, field.value]));
  sessionStorage.setItem(place(form), JSON.stringify(kept));
}

export function dropDraft(form) {
  sessionStorage.removeItem(place(form));
}

// restoreDraft puts everything back, and tells whether there was something.
export function restoreDraft(form) {
  let kept;
  try {
    kept = JSON.parse(sessionStorage.getItem(place(form)));
  } catch {
    kept = null;
  }
  if (!Array.isArray(kept)) return false;
  for (const field of told(form)) {
    const was = kept.find(([name, value]) => (isChoice(field) ? name === field.name && value === field.value : name === nameOf(field) && value === null));
    if (!was) continue;
    if (isChoice(field)) field.checked = was[2];
    else field.value = was[2];
    if ("fills" in field.dataset) field.dataset.filled = field.value; // its text is put back, and not filled again
  }
  form.dataset.dirty = "";
  return true;
}
