// The parts of a form that a choice opens, and what a value that is being typed would do.

// choose opens the parts of a form that go with what was chosen. What is closed is not sent.
export function choose(form) {
  const chosen = form.querySelector("input[type=radio][data-local]:checked")?.value;
  for (const part of form.querySelectorAll("fieldset[data-when]")) {
    const on = part.dataset.when.split(" ").includes(chosen);
    part.hidden = part.disabled = !on;
  }
  const fills = form.querySelector("select[data-fills]");
  const field = fills && form.querySelector(`#${fills.dataset.fills}`);
  if (field && fills.value !== (fills.dataset.filled ?? fills.options[0]?.value)) field.value = fills.selectedOptions[0].dataset.text;
  if (fills) fills.dataset.filled = fills.value;
}

// valueOf joins a number and its errors as people write them.
function valueOf(form) {
  const part = (name) => form.querySelector(`[data-part=${name}]`)?.value.trim() ?? "";
  const [value, plus, minus] = ["value", "plus", "minus"].map(part);
  if (!value || !plus) return "";
  return !minus || minus === plus ? `${value} ± ${plus}` : `${value} +${plus} -${minus}`;
}

let timer, asked;

// trial shows what a value would do, once the hand rests. A later question replaces an earlier one.
export function trial(form) {
  const address = form.dataset.trialForm;
  if (!address) return;
  const hidden = form.querySelector("input[name=value]");
  if (hidden) hidden.value = valueOf(form);
  const found = hidden ? hidden.value : form.querySelector("[name=outcome]")?.value.trim() ?? "";
  const sources = (form.querySelector("[name=evidence]")?.value ?? "").split(/[\s,;]+/).filter(Boolean);
  const query = new URLSearchParams([["found", found], ...sources.map((id) => ["source", id])]);
  clearTimeout(timer);
  timer = setTimeout(async () => {
    asked?.abort();
    asked = new AbortController();
    const answer = await fetch(`${address}&${query}`, { headers: { accept: "text/html" }, signal: asked.signal }).catch(() => null);
    if (!answer?.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-trial]");
    const place = form.closest("[data-sheet-page]")?.querySelector("[data-trial]");
    if (fresh && place) place.replaceWith(fresh);
  }, 250);
}
