// Shows what compiling would come to, before anybody publishes it.
import { announce, make } from "./dom.js";
import { list } from "./findings.js";

const words = { added: "Added", edited: "Edited", killed: "Killed" };

document.addEventListener("brenner:answer", (event) => {
  const form = event.target;
  if (!form.matches("form[data-compile]")) return;
  const place = form.querySelector("[data-preview]");
  const { answer, button } = event.detail;
  if (!answer.ok || button?.name !== "dry_run") {
    place.replaceChildren();
    return;
  }
  event.preventDefault();
  place.replaceChildren(...preview(answer.body));
  announce("The preview is below the buttons.");
});

function preview(out) {
  const news = out.deltas.applied > 0;
  return [
    make("h3", {}, "Preview"),
    make("p", {}, news ? `${count(out.deltas.applied, "delta")} of ${count(out.contributors.length, "agent")}.` : "No delta was applied since the last version: nothing would be published."),
    changes(out.changes),
    section(`${count(out.conflicts.length, "conflict")}`, out.conflicts.map(conflict), "The later word stands; the others are kept in the message."),
    rejected(out.receipts),
    make("p", { class: "facts" }, chip(out.lint.errors, "error", "bad"), chip(out.lint.warnings, "warning", "warn"), chip(out.lint.info, "hint", "")),
    fold(`What lint says (${out.lint.violations.length})`, out.lint.violations.length ? list(out.lint.violations) : null),
    fold(`Findings (${out.findings.length})`, out.findings.length ? list(out.findings) : null),
    out.markdown ? fold("The artifact as it would be", make("pre", { class: "wrap", tabindex: "0" }, out.markdown)) : null,
  ].filter(Boolean);
}

function changes(all) {
  const lines = Object.keys(words).filter((kind) => all[kind].length).map((kind) => [make("dt", {}, words[kind]), make("dd", {}, all[kind].join(", "))]);
  return lines.length ? make("dl", { class: "pairs" }, ...lines.flat()) : null;
}

function conflict(one) {
  return make("li", {}, make("strong", {}, `${one.item}.${one.field}`), `: ${claim(one.winner)} stands; against ${one.losers.map(claim).join(", ")}`);
}

function claim(one) {
  const value = typeof one.value === "string" ? one.value : JSON.stringify(one.value);
  return `“${String(value).slice(0, 80)}”${one.agent ? ` of ${one.agent}` : ""}`;
}

function rejected(receipts) {
  const blocks = receipts.flatMap((one) => one.receipt.blocks.filter((block) => block.status === "rejected").map((block) => [one, block]));
  return section(count(blocks.length, "rejected change"), blocks.map(([one, block]) => make("li", {}, make("a", { href: `/m/${one.message_id}` }, `#${one.message_id}`), ` of ${one.from}, line ${block.line}`, list(block.findings))));
}

function section(title, items, note) {
  if (!items.length) return null;
  return make("div", {}, make("h4", {}, title), note ? make("p", { class: "dim" }, note) : null, make("ul", { class: "plain" }, ...items));
}

function fold(title, content) {
  return content ? make("details", { class: "fold" }, make("summary", {}, title), content) : null;
}

function chip(n, noun, kind) {
  return n || kind === "bad" ? make("span", { class: `chip ${n ? kind : "good"}` }, n ? count(n, noun) : `✓ no ${noun}s`) : null;
}

function count(n, noun) {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
