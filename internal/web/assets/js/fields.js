// Turns the fields of a form into the object that the API takes, and finds the field that a path in
// that object means.
//
//   name="question"                 {question: "…"}
//   name="roster.mode"              {roster: {mode: "…"}}
//   name="to[]"                     {to: ["…", "…"]}            one entry for each field
//   name="roster[].agent_name"      {roster: [{agent_name}]}    one entry for each [data-item] around
//   data-type="number" or "bool"    not as text
//   data-type="list" or "lines"     one field, split at commas and white space, or at line ends
//
// Empty text is left out, unless the field has data-keep. A field with data-local is the page's own; data-around is text around what was
// written, with {} for it.

export function objectOf(form, submitter) {
  const object = {};
  for (const field of fieldsOf(form)) {
    const value = valueOf(field);
    if (value !== undefined) put(object, stepsOf(field, form), value);
  }
  if (submitter?.name) put(object, stepsOf(submitter, form), typed(submitter, submitter.value));
  return object;
}

function fieldsOf(form) {
  return [...form.elements].filter((field) => field.name && !("local" in field.dataset) && field.type !== "submit" && field.type !== "button" && !field.matches(":disabled"));
}

function valueOf(field) {
  if (field.type === "radio" && !field.checked) return undefined;
  if (field.type === "checkbox") {
    if (field.dataset.type === "bool") return field.checked;
    return field.checked ? field.value : undefined;
  }
  if (field.multiple && field.selectedOptions) return [...field.selectedOptions].map((option) => option.value);
  const empty = field.value.trim() === "";
  return empty && !("keep" in field.dataset) ? undefined : typed(field, field.value);
}

function typed(field, text) {
  if (field.dataset.around) return field.dataset.around.replace("{}", () => text);
  switch (field.dataset.type) {
    case "number": return Number.isFinite(Number(text)) ? Number(text) : text;
    case "bool": return text === "true" || text === "on";
    case "list": return text.split(/[\s,;]+/).filter(Boolean);
    case "lines": return text.split("\n").map((line) => line.trim()).filter(Boolean);
    default: return text;
  }
}

// stepsOf reads a name: a step is a key, or the place in a list (−1: the next one).
function stepsOf(field, form) {
  const steps = [];
  for (const part of field.name.split(".")) {
    const list = part.endsWith("[]");
    steps.push(list ? part.slice(0, -2) : part);
    if (list) steps.push(placeOf(field, form));
  }
  return steps;
}

function placeOf(field, form) {
  const item = field.closest("[data-item]");
  if (!item || !form.contains(item)) return -1;
  return [...item.parentElement.children].filter((other) => other.matches("[data-item]")).indexOf(item);
}

function put(object, steps, value) {
  let at = object;
  steps.forEach((step, i) => {
    const key = step === -1 ? at.length : step;
    if (i === steps.length - 1) at[key] = value;
    else at = at[key] ??= typeof steps[i + 1] === "number" ? [] : {};
  });
}

// fieldAt finds the field of a path such as roster[1].role or to[0]; the nearest one above it that
// has a field will do: a finding about to[2] belongs to the one field of data-type="list".
export function fieldAt(form, path) {
  const wanted = normal(path);
  const fields = fieldsOf(form).map((field) => [field, normal(stepsOf(field, form).join("."))]);
  for (let want = wanted; want; want = want.includes(".") ? want.slice(0, want.lastIndexOf(".")) : "") {
    const found = fields.find(([, name]) => name === want) ?? fields.find(([, name]) => name === `${want}.-1`);
    if (found) return found[0];
  }
  return fields.find(([, name]) => name.endsWith(`.${wanted}`))?.[0];
}

function normal(path) {
  return path.replace(/\[(-?\d+)\]/g, ".$1").replace(/^\.+/, "");
}
