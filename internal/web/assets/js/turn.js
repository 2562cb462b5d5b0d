// Shows what would become of an answer that somebody copied from a chat: its receipt, what was left out and repaired, and what to ask
// the chat for where it cannot be posted.
import { make } from "./dom.js";

export function turns() {
  document.addEventListener("brenner:validated", judged);
}

function judged({ target: form, detail: { answer } }) {
  const place = form.matches("form[data-turn]") && form.querySelector("[data-judged]");
  if (!place) return;
  const told = answer.ok ? answer.body : {};
  place.replaceChildren(...[receipt(told), done(told), mend(told)].filter(Boolean));
}

function receipt({ receipt: all, subject }) {
  if (!all?.found) return subject ? make("p", { class: "hint" }, `It would be posted as “${subject}”.`) : null;
  return make("div", {}, make("h3", { class: "hh" }, `${all.accepted} of ${all.found} accepted: “${subject}”`),
    make("ul", { class: "plain sm" }, ...all.blocks.map((block) => make("li", { class: block.status === "accepted" ? "ok" : "late" },
      `${block.index}. ${[block.status, block.operation, block.section, block.item_id || block.target_id].filter(Boolean).join(" ")}`))));
}

function done({ left_out: left = [], repairs = [] }) {
  if (!left.length && !repairs.length) return null;
  return make("details", { class: "fold" }, make("summary", {}, "What was taken away and repaired"),
    make("ul", { class: "plain sm" }, ...left.map((line) => make("li", {}, "left out: ", make("q", {}, line))), ...repairs.map((one) => make("li", {}, one.message))));
}

function mend({ mend: text }) {
  if (!text) return null;
  return make("div", {}, make("p", { class: "hint late" }, "It cannot be posted as it is. This asks the chat to mend it:"),
    make("pre", { class: "turn-mend", id: "turn-mend" }, text), make("button", { type: "button", class: "copy quiet", "data-copies": "turn-mend" }, "Copy what to ask"));
}
