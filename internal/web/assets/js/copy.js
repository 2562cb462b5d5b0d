// A button beside each command that copies it.
import { announce, make } from "./dom.js";

function offer() {
  for (const code of document.querySelectorAll("code[data-copy]")) {
    if (code.nextElementSibling?.matches(".copy")) continue;
    code.after(make("button", { type: "button", class: "copy", "aria-label": `Copy ${code.textContent}`, "data-leave": true }, "Copy"));
  }
}

// take copies the text, or selects it where the browser does not let a page copy.
async function take(button) {
  const code = button.dataset.copies ? document.getElementById(button.dataset.copies) : button.previousElementSibling;
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
    announce("Copied.");
    setTimeout(() => { button.textContent = label; }, 1500);
  } catch {
    getSelection().selectAllChildren(code);
  }
}

export function copy() {
  offer();
  document.addEventListener("brenner:refreshed", offer);
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element && event.target.closest("button.copy");
    if (button) take(button);
  });
}
