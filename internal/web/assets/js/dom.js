// Makes elements. Text always goes in as text: whatever an agent wrote stays inert.

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

// editable tells whether keys pressed here are meant as text.
export function editable(target) {
  return target instanceof Element && Boolean(target.closest("input, textarea, select, [contenteditable], [role=textbox]"));
}

let voice;

// announce says something to those who do not see the page change.
export function announce(text) {
  voice ??= document.querySelector("[data-voice]");
  if (voice) voice.textContent = text;
}
