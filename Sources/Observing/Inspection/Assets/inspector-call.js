// A call, opened: what happened in words, the waterfall, the response, and each exchange on the wire.
import { apiName, clock, copyButton, count, duration, make, meta, plain, section, shown, size, target } from "./inspector-elements.js";
import { bodyView, fieldsTable } from "./inspector-body.js";
import { badges, outcome } from "./inspector-list.js";
import { waterfall } from "./inspector-waterfall.js";

const lengthOfHeading = 300;

/** The address of a call as a text. */
export const address = (call) => `${call.scheme ?? "https"}://${call.host ?? ""}${target(call)}`;

const cut = (text) => text.length > lengthOfHeading ? `${text.slice(0, lengthOfHeading)}…` : text;

const fact = (label, ...value) => value.some((it) => it != null && it !== "") && make("div", make("dt", label), make("dd", value));

const facts = (call) => {
  const last = call.exchanges?.at(-1);
  return make("dl.facts",
    address(call).length > lengthOfHeading && make("div.whole", make("dt", "URL"), make("dd", shown(address(call)))),
    fact("API", call.api || call.service ? shown(apiName(call)) : null),
    fact("Started", clock(call.started)),
    fact("Run", call.earlier ? "an earlier run of the app" : null),
    fact("Cache", call.cache),
    fact("Protocol", call.protocol && shown(call.protocol)),
    fact("HTTP/3", last?.http3 && last.http3 !== "used" ? plain(last.http3) : null),
    fact("Address", call.address && shown(call.address)),
    fact("Connection", last ? (last.reused ? "reused" : "new") : null),
    fact("Attempts", call.attempts > 1 ? count(call.attempts) : null),
    fact("Sent", call.sent > 0 ? size(call.sent) : null),
    fact("Received", last ? `${size(last.bytes?.received)}${last.coding ? `, ${plain(last.coding)}` : ""}` : null),
    fact("Decoded", last && last.bytes?.decoded !== last.bytes?.received ? size(last.bytes?.decoded) : null),
    fact("Saved", call.saved > 0 ? size(call.saved) : null));
};

const errorBox = (call) => call.error && make("div.notice.failure",
  make("p", make("b", shown(call.error.kind)), call.error.origin ? [" from ", shown(call.error.origin)] : null),
  make("p", shown(call.error.text)));

const alteredBox = (call) => call.altered && make("div.notice.warning",
  make("p", make("b", "This call was altered.")), make("ul", call.altered.map((sentence) => make("li", shown(sentence)))));

/** Adds a rule that answers such requests as this one was answered; only while the app shows interventions. */
const answerLikeButton = (call, feed, say) => feed.state?.interventions && call.delivered && !call.earlier && make("button", {
  title: "Adds a rule that answers requests to this path with this response",
  onclick: async () => {
    try {
      await feed.answerLike(call.id);
      location.hash = "#/interventions";
    } catch (error) {
      say(error.message, "failure");
    }
  },
}, "Answer like this");

const hop = ({ status, method, url }) => make("li", make("span.badge", status), " ", shown(method), " ", shown(url));

const overview = (call, feed) => [
  call.reasons?.length > 0 && section("Why", make("ul.reasons", call.reasons.map((reason) => make("li", shown(reason))))),
  section("Waterfall", waterfall(call)),
  call.redirectList?.length > 0 && section("Redirects", make("ol.hops", call.redirectList.map(hop))),
  section("Facts", facts(call)),
  call.curl && make("section", make("div.line", make("h2", "cURL"), copyButton("Copy", call.curl)),
    make("pre.code", { tabindex: "0", "aria-label": "The call as a cURL command" }, shown(call.curl))),
];

const responseView = (call) => {
  const delivered = call.delivered;
  if (!delivered) {
    return [meta(call.state === "running" ? "The call is running; its response is shown when it has arrived."
      : "The caller received no response.")];
  }
  return [
    meta("What the caller received, after decoding and after the store."),
    bodyView(delivered.body, "Body"),
    section(`Fields of the response, status ${delivered.status}`, fieldsTable(delivered.fields, "Fields of the response")),
  ];
};

const exchangeView = (exchange, index, exchanges) => {
  const status = exchange.response ? String(exchange.response.status) : exchange.error ? "failed" : "running";
  const element = make("details.exchange", make("summary",
    make("span.badge", `${index + 1}`), shown(exchange.method), make("b", status), make("span.url", shown(exchange.url)),
    exchange.attempt > 1 && make("span.badge.warn", `attempt ${exchange.attempt}`)));
  const fill = () => {
    if (element.childElementCount > 1) return;
    element.append(make("div.pair",
      make("div",
        make("h2", "Request"), fieldsTable(exchange.request?.fields, "Fields of the request"),
          bodyView(exchange.request?.body, "Body of the request", "h3")),
      make("div",
        make("h2", "Response"),
        exchange.error && make("div.notice.failure", make("p", shown(exchange.error))),
        exchange.response ? [fieldsTable(exchange.response.fields, "Fields of the response"),
          bodyView(exchange.response.body, "Body of the response", "h3")]
          : !exchange.error && meta("Not received yet."))));
  };
  element.addEventListener("toggle", () => { if (element.open) fill(); });
  if (index === exchanges.length - 1) { fill(); element.open = true; }
  return element;
};

const wireView = (call) => (call.exchanges ?? []).length === 0
  ? [meta(["hit", "heuristic", "stale"].includes(call.cache) ? "Nothing was sent: the response came from the store." : "Nothing was sent.")]
  : [meta("Each attempt and each hop, as it was sent and received."), ...call.exchanges.map(exchangeView)];

const tabs = [["", "Overview", overview], ["response", "Response", responseView], ["wire", "Wire", wireView]];

/** The calls that are offered for a comparison: the same target first, then the same API. */
export const comparable = (call, feed) => {
  const others = [...feed.calls.values()].filter((other) => other.id !== call.id && other.state !== "running").reverse();
  const isSame = (other) => other.host === call.host && other.path === call.path && other.method === call.method;
  const isSibling = (other) => !isSame(other) && other.service === call.service && other.api === call.api;
  return [...others.filter(isSame).slice(0, 12), ...others.filter(isSibling).slice(0, 8)];
};

const compareField = (call, feed, hashes) => make("select", {
  "aria-label": "Compare with another call",
  onchange: (event) => { if (event.target.value) location.hash = hashes.diff(event.target.value, call.id); },
}, make("option", { value: "" }, "Compare with…"), comparable(call, feed).map((other) => make(
  "option", { value: other.id }, `#${other.id} · ${outcome(other)[0]} · ${plain(target(other)).slice(0, 40)} · ${duration(other.duration)}`)));

const replayButton = (call, feed, hashes, say) => make("button", {
  disabled: call.replayable ? null : true, title: call.replayable ? "Sends this request again" : plain(call.replayRefusal),
  onclick: async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    try {
      const { id } = await feed.replay(call.id);
      location.hash = hashes.call(id);
    } catch (error) {
      say(error.message, "failure");
    } finally {
      button.disabled = false;
    }
  },
}, "Replay");

/** Creates the pane of a call. */
export const createCall = (feed, hashes, say) => {
  const element = make("article.call", { "aria-label": "Call", hidden: true });
  let [id, tab, seq, detail] = [null, "", null, null];
  let isEvicted = false;
  let turn = 0;

  const heading = (call) => {
    const [status, tone, words] = outcome(call);
    return [
      make("header.call-head",
        make("div.line",
          make("p.crumb", make("a", { href: hashes.list() }, "Calls"), " / ", `#${call.id}`),
          make("a.button.plain.close", { href: hashes.list(), "aria-label": "Close the call", title: "Close (Esc)" }, "✕")),
        make("h1", { tabindex: "-1" }, make("span.method", shown(call.method)), " ",
          make("span.url", make("span.host", `${plain(call.scheme)}://`, shown(call.host)), shown(cut(target(call))))),
        make("p.sums", make(`span.dot.${tone}`, { title: words }, status), badges(call),
          make("span", call.state === "running" ? "running" : duration(call.duration)),
          call.received > 0 && make("span", `${size(call.received)} received`), call.saved > 0 && make("span", `${size(call.saved)} saved`),
          (call.api || call.service) && make("span", shown(apiName(call)))),
        make("div.actions", replayButton(call, feed, hashes, say), call.curl && copyButton("Copy cURL", call.curl),
          answerLikeButton(call, feed, say),
          make("a.button", { href: `har?id=${encodeURIComponent(call.id)}`, download: "" }, "HAR"), compareField(call, feed, hashes)),
        !call.replayable && call.replayRefusal && call.state !== "running" && meta(shown(call.replayRefusal))),
      alteredBox(call), errorBox(call),
      make("nav.tabs", { "aria-label": "Parts of the call" }, tabs.map(([name, label]) => make(
        "a", { href: hashes.call(call.id, name), "aria-current": name === tab ? "page" : null },
        label, name === "wire" && (call.exchanges ?? []).length > 0 && make("span.badge", String(call.exchanges.length))))),
    ];
  };

  const draw = () => {
    const [, , view] = tabs.find(([name]) => name === tab) ?? tabs[0];
    const hadFocus = element.contains(document.activeElement);
    element.replaceChildren(...[...heading(detail), make("div.parts", view(detail, feed))].flat().filter(Boolean));
    if (hadFocus) element.querySelector("h1").focus({ preventScroll: true });
  };

  const missing = (error) => {
    isEvicted = error.status === 404;
    element.replaceChildren(make("div.empty",
      make("h1", { tabindex: "-1" }, error.status === 404 ? `Call #${id} is no longer kept` : `Call #${id} can't be loaded`),
      make("p", error.status === 404
        ? `The inspector keeps the newest calls, at most ${size(feed.state?.byteLimit)}. Give it a higher limit, or take a HAR earlier.`
        : "The app can't be reached. The call is loaded when it is back."),
      make("a.button", { href: hashes.list() }, "Back to the calls")));
  };

  const load = async (focuses) => {
    turn += 1;
    const mine = turn;
    try {
      const value = await feed.call(id);
      if (mine !== turn) return;
      detail = value;
      seq = value.seq;
      draw();
    } catch (error) {
      if (mine !== turn) return;
      detail = null;
      missing(error);
    }
    if (focuses) element.querySelector("h1").focus();
  };

  /** Shows a call, or nothing for null. */
  const show = (newId, newTab, focuses) => {
    element.hidden = newId === null;
    if (newId === null) { [id, detail] = [null, null]; turn += 1; element.replaceChildren(); return; }
    const isOther = newId !== id;
    const isOtherTab = newTab !== tab;
    [id, tab] = [newId, newTab];
    element.setAttribute("aria-label", `Call ${id}`);
    if (!detail) element.replaceChildren(make("h1", { tabindex: "-1" }, `Call #${id}`));
    if (isOther) { element.scrollTop = 0; isEvicted = false; load(focuses); } else if (isOtherTab && detail) {
      draw();
      element.querySelector(".tabs [aria-current]")?.focus();
    } else load(focuses);
  };
  /** Loads the call again, if it has changed since. */
  const refresh = () => {
    const now = feed.calls.get(id);
    if (id !== null && (detail === null ? !isEvicted : now && now.seq !== seq)) load(false);
  };
  return { element, show, refresh, detail: () => detail };
};
