// Interventions: the rules that alter calls, and the calls that are paused, to be edited and continued.
import { clock, counted, heading, make, meta, section, shown } from "./inspector-elements.js";

/** The fields of a message as lines of a text, and back. */
const linesOf = (fields) => fields.map(([name, value]) => `${name}: ${value}`).join("\n");
const fieldsOf = (text) => text.split("\n").filter((line) => line.trim() !== "").map((line) => {
  const colon = line.indexOf(":");
  return colon < 0 ? [line.trim(), ""] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
});

const field = (label, control) => make("label", label, control);
const area = (text, rows) => {
  const control = make("textarea", { rows: String(rows), spellcheck: "false" });
  control.value = text;
  return control;
};
const input = (value, attributes = {}) => make("input", { value, spellcheck: "false", ...attributes });

/** A paused call as a form, which is kept until the call is continued, so that no edit is lost. */
const pausedCall = (call, feed, say, done) => {
  const isRequest = call.moment === "request";
  const method = input(call.method, { size: "8" });
  const url = input(call.url, { class: "url" });
  const status = input(String(call.status ?? 200), { inputmode: "numeric", size: "4" });
  const fields = area(linesOf(call.fields), Math.min(12, call.fields.length + 1));
  const body = area(call.body ?? "", 8);
  const resume = (action, value = {}) => async () => {
    try {
      await feed.resume({ number: call.number, action, ...value() });
      done();
    } catch (error) {
      say(error.message, "failure");
    }
  };
  const nothing = () => ({});
  // A body that isn't shown stays as it is.
  const content = () => (call.body === undefined && body.value === "" ? {} : { body: body.value });
  const request = () => ({ method: method.value.trim(), url: url.value.trim(), fields: fieldsOf(fields.value), ...content() });
  const answer = () => ({ status: Number(status.value), fields: fieldsOf(fields.value), ...content() });
  // An answer in place of a request has nothing of the request.
  const replacement = () => ({ status: Number(status.value), fields: [["Content-Type", "application/json"]], body: body.value });
  return make("article.paused", { "aria-label": `Paused call ${call.number}`, "data-number": call.number },
    make("p.sums", make("span.badge.warn", `paused at the ${call.moment}`), make("span", shown(call.rule)),
      make("span", `since ${clock(call.since).slice(0, 8)}`)),
    isRequest ? make("div.line", field("Method", method), field("URL", url)) : make("p.url", `${call.method} `, shown(call.url)),
    field(isRequest ? "Status of an answer instead" : "Status", status),
    field("Header fields, one on each line", fields),
    field(call.body === undefined ? "Body: not shown, and kept unless you write one" : "Body", body),
    make("div.actions",
      make("button.main", { onclick: resume("proceed", nothing) }, "Continue unaltered"),
      isRequest ? make("button", { onclick: resume("send", request) }, "Send as edited")
        : make("button", { onclick: resume("answer", answer) }, "Deliver as edited"),
      isRequest && make("button", { onclick: resume("answer", replacement) }, "Answer with this body"),
      make("button", { onclick: resume("fail", nothing) }, "Fail")));
};

const ruleRow = (rule, feed, say, done) => {
  const box = make("input", { type: "checkbox", checked: rule.on, "aria-label": `Rule ${rule.name}`, onchange: async () => {
    try {
      await feed.turn(rule, box.checked);
    } catch (error) {
      box.checked = rule.on;
      say(error.message, "failure");
    }
    done();
  } });
  return make("li.rule", box, make("b", shown(rule.name)), make("span", shown(rule.match), make("br"), shown(rule.action)),
    make("span.badge", rule.times ? `at most ${rule.times}×` : "each time"));
};

/** Creates the view, and the notice that is shown above every view while calls are altered. */
export const createInterventions = (feed, say) => {
  const rules = make("ul.rules");
  const paused = make("div.parts");
  const element = make("div.page", heading("Interventions"),
    meta("Rules that alter the app's calls. A call that a rule touches is marked in the list, in the archive and in the log."),
    section("Paused calls", paused), section("Rules", rules, make("div.actions",
      make("a.button", { href: "interventions.json", download: "" }, "Download the rules"))));
  let turn = 0;
  // The calls that this page has continued.
  const continued = new Set();

  let written = null;
  const showRules = (list) => {
    if (JSON.stringify(list) === written) return;
    written = JSON.stringify(list);
    const focused = [...rules.children].indexOf(document.activeElement?.closest(".rule"));
    rules.replaceChildren(...list.length === 0 ? [make("li.rule", meta("There are no rules."))]
      : list.map((rule) => ruleRow(rule, feed, say, refresh)));
    rules.children[focused]?.querySelector("input")?.focus();
  };

  const refresh = async () => {
    turn += 1;
    const mine = turn;
    let answer;
    try {
      answer = await feed.interventions();
    } catch {
      return;
    }
    if (mine !== turn) return;
    showRules(answer.rules);
    const numbers = new Set(answer.paused.map(({ number }) => String(number)));
    for (const form of paused.querySelectorAll("[data-number]")) {
      if (numbers.has(form.dataset.number)) continue;
      form.remove();
      if (!continued.has(form.dataset.number)) say("A paused call has ended, or continued unaltered because its pause was over.", "warning");
    }
    for (const call of answer.paused) {
      const done = () => { continued.add(String(call.number)); refresh(); };
      if (!paused.querySelector(`[data-number="${call.number}"]`)) paused.append(pausedCall(call, feed, say, done));
    }
    paused.querySelector(".meta")?.remove();
    if (answer.paused.length === 0) paused.append(meta("No call is paused."));
  };

  const notice = make("div.notice.bar.warning", { role: "status", "data-key": "interventions" });
  const tell = (summary) => {
    if (!summary || summary.on === 0 && summary.paused === 0) return notice.remove();
    const sentence = `${counted(summary.on, "rule")} of the interventions ${summary.on === 1 ? "is" : "are"} on: calls are altered.`
      + (summary.paused > 0 ? ` ${counted(summary.paused, "call")} ${summary.paused === 1 ? "waits" : "wait"} for you.` : "");
    if (notice.textContent !== `${sentence}Show them`) {
      notice.replaceChildren(make("p", sentence), make("a.button", { href: "#/interventions" }, "Show them"));
    }
    if (!notice.isConnected) document.getElementById("notices").prepend(notice);
  };
  return { element, show: refresh, refresh, tell };
};
