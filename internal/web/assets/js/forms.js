// Forms that write, without a line of script of their own:
//
//   <form data-api="POST /api/v1/sessions"        where it is sent, as JSON (see fields.js)
//         method="dialog"                         what the browser does without this script: nothing
//         data-next="/t/{thread_id}"              where to go afterwards, filled from the answer; without it
//                                                 the page is brought up to date and the form emptied
//         data-validate="/api/v1/validate/…"      asked while somebody types; answers {findings} or the
//                                                 failure that sending would get
//         data-validate-only="body_md"            sends that field alone
//         data-validate-with="dry_run"            says true under that name as well
//         data-confirm="Really?"                  asked first
//         data-done="Sent."                       said afterwards
//         data-stay>                              the form keeps its text
//     … <div data-findings></div>                 where findings stand; made at the end if there is none
//     <button>Send</button>
//     <button name="dry_run" value="true" data-type="bool">Preview</button>   sent along when pressed
//   </form>
//
// A button may have data-api, data-next, data-confirm, data-done of its own. Before anything else happens
// with an answer the form gets the event brenner:answer with {answer, button}; who handles it
// calls preventDefault().
import { announce, make } from "./dom.js";
import { objectOf } from "./fields.js";
import { clear, list, show } from "./findings.js";
import { refresh } from "./live.js";
import { request } from "./request.js";

export function forms() {
  document.addEventListener("submit", (event) => {
    if (event.target.matches?.("form[data-api]")) {
      event.preventDefault();
      send(event.target, event.submitter);
    }
  });
  document.addEventListener("input", (event) => {
    const form = event.target.form;
    if (!form?.matches("form[data-api]")) return;
    form.dataset.dirty = "";
    validateSoon(form);
  });
}

function setting(form, button, name) {
  return button?.dataset[name] ?? form.dataset[name];
}

async function send(form, button) {
  if (form.getAttribute("aria-busy") === "true") return;
  const question = setting(form, button, "confirm");
  if (question && !(await sure(question, button))) return;
  const [method, url] = setting(form, button, "api").split(" ");
  const body = objectOf(form, button);
  stopValidating(form);
  busy(form, true);
  tell(form, "Sending…");
  const answer = await request(method, url, body);
  busy(form, false);
  const news = new CustomEvent("brenner:answer", { bubbles: true, cancelable: true, detail: { answer, button } });
  const handled = !form.dispatchEvent(news);
  if (!answer.ok) return refused(form, answer);
  if (handled) return tell(form, "");
  await done(form, button, answer.body);
}

// sure asks in a dialog of the page: keyboard and screen readers know it.
function sure(question, button) {
  const yes = make("button", { value: "yes" }, button?.textContent.trim() || "Yes");
  const dialog = make("dialog", { class: "ask", "aria-label": "Please confirm" },
    make("form", { method: "dialog" }, make("p", {}, question),
      make("p", { class: "toolbar end" }, make("button", { class: "quiet", value: "" }, "Cancel"), yes)));
  document.body.append(dialog);
  dialog.showModal();
  yes.focus();
  return new Promise((answer) => dialog.addEventListener("close", () => {
    dialog.remove();
    button?.focus();
    answer(dialog.returnValue === "yes");
  }));
}

function busy(form, now) {
  form.setAttribute("aria-busy", String(now));
  for (const button of form.querySelectorAll("button, input[type=submit]")) {
    if (now) button.dataset.was = button.disabled ? "off" : "on";
    button.disabled = now || button.dataset.was === "off";
  }
}

// tell says in the form how it goes, and to those who do not see it.
function tell(form, text) {
  let place = form.querySelector("[data-status]");
  if (!place) {
    place = make("p", { class: "status", role: "status", "data-status": true, "data-leave": true }); // a refresh must not wipe it
    form.append(place);
  }
  place.textContent = text;
}

function findingsPlace(form) {
  let place = form.querySelector("[data-findings]");
  if (!place) {
    place = make("div", { "data-findings": true, "data-leave": true });
    form.append(place);
  }
  return place;
}

// refused shows why, and leads to the first field that is wrong.
function refused(form, { status, error }) {
  const rest = show(form, error.findings);
  const why = make("div", { class: "refusal", role: "alert", "data-code": error.code },
    make("p", {}, make("strong", {}, status === 403 ? "Not allowed. " : ""), error.message), error.code ? make("code", {}, error.code) : null);
  findingsPlace(form).replaceChildren(why, rest.length ? list(rest) : "");
  tell(form, "");
  const first = form.querySelector("[aria-invalid]");
  if (first) first.focus();
  else why.scrollIntoView({ block: "nearest" });
}

// done goes on to where the form leads, or brings the page up to date and says what there is to say.
async function done(form, button, body) {
  clear(form);
  delete form.dataset.dirty;
  const next = setting(form, button, "next");
  if (next) {
    location.assign(fill(next, body));
    return;
  }
  if (!("stay" in form.dataset)) form.reset();
  await refresh();
  const findings = body.findings ?? [];
  findingsPlace(form).replaceChildren(findings.length ? list(findings) : "");
  const text = setting(form, button, "done") ?? "Done.";
  tell(form, text);
  announce(text);
}

// fill puts values of the answer into an address: {thread_id}, {message.id}.
function fill(address, body) {
  return address.replace(/\{([\w.]+)\}/g, (_, path) => encodeURIComponent(path.split(".").reduce((at, key) => at?.[key], body) ?? ""));
}

const timers = new WeakMap();
const asked = new WeakMap();

function stopValidating(form) {
  clearTimeout(timers.get(form));
  asked.get(form)?.abort();
}

// validateSoon asks what the door would say once the hand rests. A later question replaces an earlier one.
export function validateSoon(form) {
  if (!form.dataset.validate) return;
  stopValidating(form);
  timers.set(form, setTimeout(() => validate(form), 350));
}

// judged is what is asked about: all fields, or one.
function judged(form) {
  const all = objectOf(form), { validateOnly: only, validateWith: also } = form.dataset;
  if (also) all[also] = true;
  return only ? { [only]: all[only] ?? "" } : all;
}

async function validate(form) {
  const stop = new AbortController();
  asked.set(form, stop);
  let answer;
  try {
    answer = await request("POST", form.dataset.validate, judged(form), stop.signal);
  } catch {
    return; // a later question took its place
  }
  const findings = answer.ok ? answer.body.findings ?? [] : answer.error.findings;
  const rest = show(form, findings);
  const place = findingsPlace(form);
  place.replaceChildren(rest.length ? list(rest) : "");
  if (!answer.ok && !findings.length) place.replaceChildren(make("p", { class: "refusal" }, answer.error.message));
  form.dispatchEvent(new CustomEvent("brenner:validated", { bubbles: true, detail: { answer } }));
  const errors = findings.filter((finding) => finding.severity === "error").length;
  tell(form, findings.length ? `${errors} ${errors === 1 ? "problem" : "problems"}, ${findings.length - errors} more to know.` : answer.ok ? "Nothing to object to." : "");
}
