// The inspector's page: views by the hash of the address, the state of the connection, and the keys.
import { clock, make, plain } from "./inspector-elements.js";
import { createFeed } from "./inspector-feed.js";
import { createFilters } from "./inspector-filters.js";
import { createList } from "./inspector-list.js";
import { comparable, createCall } from "./inspector-call.js";
import { createDiff } from "./inspector-diff.js";
import { createTimeline } from "./inspector-timeline.js";
import { createTotals } from "./inspector-totals.js";
import { createPipeline, createRoutes } from "./inspector-pipeline.js";

const $ = (id) => document.getElementById(id);
const main = $("main");
const names = ["calls", "timeline", "totals", "pipeline", "routes"];

/** The parts and parameters of an address such as "#/calls/17/wire?status=5". */
const parse = (hash) => {
  const [path, query] = hash.replace(/^#\/?/, "").split("?", 2);
  return { parts: path.split("/").filter(Boolean), parameters: new URLSearchParams(query ?? "") };
};
const written = (path, parameters) => {
  const query = parameters.toString();
  return `#/${path}${query ? `?${query}` : ""}`;
};
let route = parse(location.hash);
const [askedFor] = route.parts;
// The filters of the list are kept while another view is shown, and in its address while a call is.
let listParameters = route.parts[0] === "calls" ? route.parameters : new URLSearchParams();

const hashes = {
  list: () => written("calls", listParameters),
  call: (id, tab = "") => written(`calls/${id}${tab ? `/${tab}` : ""}`, listParameters),
  diff: (a, b, equal = "") => written(`diff/${a}/${b}`, new URLSearchParams(equal ? { equal } : {})),
};

const setParameter = (name, value) => {
  const parameters = name === null ? new URLSearchParams() : new URLSearchParams(route.parameters);
  if (name === null) filters.clear();
  else if (value) parameters.set(name, value); else parameters.delete(name);
  if (name === "service") parameters.delete("api");
  // Typing and choosing filters replaces the address: going back leaves the list, not each letter.
  history.replaceState(null, "", written(route.parts.join("/"), parameters));
  follow();
};

/** Shows a sentence above the view until it is closed, or until it is no longer true. */
const say = (text, tone = "", key = text) => {
  if (document.querySelector(`[data-key="${CSS.escape(key)}"]`)) return;
  const notice = make(`div.notice.bar${tone ? `.${tone}` : ""}`, { "data-key": key, role: "status" }, make("p", text),
    make("button.plain", { "aria-label": "Close this notice", onclick: () => notice.remove() }, "✕"));
  $("notices").append(notice);
};
const unsay = (key) => document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.remove();

const changed = (kind) => {
  if (kind === "connection") return showConnection();
  if (kind === "reset") return startAgain();
  if (kind === "state" && feed.state) { $("app").textContent = plain(feed.state.app); setTitle(); showFile(); showInterventions(); }
  isDue.add(kind);
  schedule();
};

// However many changes arrive, the view is drawn at most once for each frame.
const isDue = new Set();
let isScheduled = false;
const schedule = () => {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    const kinds = new Set(isDue);
    isDue.clear();
    current()?.refresh?.(kinds);
  });
};

const feed = createFeed(changed);
let openedFrom = "";
const openCall = (id, from) => {
  openedFrom = from;
  const [, opened, tab] = route.parts;
  const hash = hashes.call(id, opened ? tab : "");
  // Walking from call to call is one step of the history.
  if (opened && from !== "enter") { history.replaceState(null, "", hash); follow(); } else location.hash = hash;
};

const filters = createFilters(setParameter);
const list = createList(feed, (id) => hashes.call(id), openCall, setParameter);
const call = createCall(feed, hashes, say);
const callsElement = make("div.calls", make("h1.hidden", "Calls"), filters.bar, make("div.split", list.element, call.element));
const callsView = {
  element: callsElement,
  show: ({ parts: [, id, tab = ""], parameters }) => {
    const number = id === undefined ? null : Number(id);
    listParameters = parameters;
    filters.show(parameters);
    filters.offer(feed.calls.values());
    const hadFocus = call.element.contains(document.activeElement);
    callsElement.classList.toggle("opened", number !== null);
    callsElement.querySelector("h1.hidden").hidden = number !== null;
    list.show(parameters, number);
    call.show(number, tab, openedFrom !== "list" && openedFrom !== "keys");
    if (number === null && hadFocus) list.grid.focus({ preventScroll: true });
    openedFrom = "";
  },
  refresh: (kinds) => {
    if (kinds.has("calls")) { filters.offer(feed.calls.values()); list.refresh(); call.refresh(); } else if (kinds.has("state")) list.refresh();
  },
};
const diff = createDiff(feed, hashes);
const timeline = createTimeline(feed, hashes, setParameter);
const views = {
  calls: callsView,
  diff: { element: diff.element, show: ({ parts: [, a, b], parameters }) => diff.show(a, b, parameters) },
  timeline: { ...timeline, show: ({ parameters }) => timeline.show(parameters),
    refresh: (kinds) => (kinds.has("calls") || kinds.has("events")) && timeline.refresh() },
  totals: withKinds(createTotals(feed), ["state"]),
  pipeline: withKinds(createPipeline(feed), ["state"]),
  routes: withKinds(createRoutes(feed, hashes), ["state", "events"]),
};

function withKinds(view, kinds) {
  return { ...view, refresh: (due) => kinds.some((kind) => due.has(kind)) && view.refresh() };
}
const current = () => views[route.parts[0]] ?? null;

/** Shows what the address names. */
const follow = () => {
  const earlier = route.parts[0];
  route = parse(location.hash);
  if (!current()) { history.replaceState(null, "", hashes.list()); route = parse(location.hash); }
  const [name] = route.parts;
  for (const link of document.querySelectorAll(".nav a")) {
    const isCurrent = link.hash.split("?")[0] === `#/${name === "diff" ? "calls" : name}`;
    if (link.hash.startsWith("#/calls")) link.href = hashes.list();
    if (isCurrent) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  if (!main.contains(current().element)) main.replaceChildren(current().element);
  // A page without links must still scroll by the keyboard.
  main.tabIndex = name === "totals" || name === "pipeline" ? 0 : -1;
  current().show(route);
  setTitle();
  if (earlier !== name) { main.scrollTop = 0; main.focus({ preventScroll: true }); }
};
const setTitle = () => { document.title = `${titleOf(route.parts)} · ${plain(feed.state?.app ?? "Inspector")}`; };
const titleOf = ([name, a, b]) => {
  if (name === "diff") return `#${a} and #${b}`;
  return name === "calls" && a ? `Call #${a}` : name[0].toUpperCase() + name.slice(1);
};

const connections = {
  live: ["Live"], connecting: ["Connecting"],
  lost: ["Offline", "The app can't be reached: it has stopped, or a debugger has paused it. This is the last known state; the page connects again by itself."],
  refused: ["Offline", "The app no longer knows this address. Open the one that it printed when it was started."],
};
const showConnection = () => {
  const live = $("live");
  live.dataset.state = feed.isRefused ? "lost" : feed.connection;
  live.textContent = connections[feed.connection][0];
  for (const [state, [, sentence]] of Object.entries(connections)) {
    if (sentence && state === feed.connection) say(sentence, "warning", state);
    else unsay(state);
  }
};

/** Says once why calls aren't kept in the app's file, until they are again. */
const showFile = () => {
  const fault = feed.state.file?.fault ?? "";
  if (fault === fileFault) return;
  fileFault = fault;
  unsay("file");
  if (fault) say(`Calls are not kept for the next run. ${plain(fault)}`, "failure", "file");
};
let fileFault = "";

/** Shows that calls are altered; its script is loaded only once the app has an interceptor that can. */
const showInterventions = async () => {
  if (!feed.state.interventions && !interventions) return;
  interventions ??= import("./inspector-interventions.js").then(({ createInterventions }) => {
    const view = createInterventions(feed, say);
    views.interventions = { ...withKinds(view, ["state", "calls"]), tell: view.tell };
    document.querySelector(".nav").append(make("a", { href: "#/interventions" }, "Interventions"));
    if (askedFor === "interventions" && !route.parts[1]) location.hash = "#/interventions";
    return view;
  });
  (await interventions).tell(feed.state.interventions);
};
let interventions = null;

/** The list was emptied, or the app was restarted: what is shown is no longer true. */
const startAgain = () => {
  list.reset();
  if (feed.restarts > 0) {
    unsay("restart");
    if (lastRestart !== feed.restarts) say(`${plain(feed.state.app)} was restarted at ${clock(Date.now() / 1000).slice(0, 8)}. ${feed.state.file
      ? "Calls of the run before it are marked." : "The calls of the run before it are gone."}`, "", "restart");
    lastRestart = feed.restarts;
  }
  // A number names another call in another run.
  if (route.parts[0] === "diff" || route.parts[1]) location.hash = hashes.list();
  else follow();
};
let lastRestart = 0;

const singleKeys = $("single-keys");
try {
  singleKeys.checked = localStorage.getItem("single-keys") !== "off";
  singleKeys.addEventListener("change", () => localStorage.setItem("single-keys", singleKeys.checked ? "on" : "off"));
} catch {
  // A browser may refuse storage; the choice then lasts as long as the page.
}

const step = (by) => {
  const id = list.move(by);
  if (id !== null && route.parts[1]) openCall(id, call.element.contains(document.activeElement) ? "keys" : "list");
};
const inCalls = () => route.parts[0] === "calls";
const compareWithPrevious = () => {
  const chosen = route.parts[1] ? call.detail() : feed.calls.get(list.selected());
  const other = chosen && comparable(chosen, feed).find(({ id }) => id < chosen.id);
  if (other) location.hash = hashes.diff(other.id, chosen.id);
  else if (chosen) say("There is no earlier call of the same API to compare with.");
};
const escape = () => {
  if (document.activeElement === filters.search) {
    if (filters.search.value) { filters.clear(); setParameter("q", ""); }
    return list.grid.focus();
  }
  if (route.parts[0] === "diff") return history.length > 1 ? history.back() : void (location.hash = hashes.list());
  if (inCalls() && route.parts[1]) { location.hash = hashes.list(); list.grid.focus({ preventScroll: true }); }
};
const keys = {
  j: () => inCalls() && step(1), k: () => inCalls() && step(-1),
  "/": () => { if (!inCalls()) location.hash = hashes.list(); requestAnimationFrame(() => { filters.search.focus(); filters.search.select(); }); },
  "?": () => $("keys").showModal(), d: () => inCalls() && compareWithPrevious(),
  ...Object.fromEntries(names.map((name, index) => [String(index + 1),
    () => { location.hash = name === "calls" ? hashes.list() : `#/${name}`; }])),
};
const gridKeys = {
  ArrowDown: () => step(1), ArrowUp: () => step(-1), PageDown: () => step(12), PageUp: () => step(-12), Home: () => step(-1e9),
    End: () => step(1e9),
  Enter: () => { if (list.selected() !== null) openCall(list.selected(), "enter"); else step(1); },
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
  const isTyping = event.target.matches("input, select, textarea");
  if (event.target === filters.search && event.key === "ArrowDown") { event.preventDefault(); list.grid.focus(); return step(1); }
  if (isTyping && event.target !== filters.search) return;
  if (event.key === "Escape") return escape();
  if (isTyping) return;
  const isInGrid = event.target === list.grid;
  const isFree = event.target === document.body || event.target === main;
  const action = (isInGrid || isFree && inCalls() && !route.parts[1]) && gridKeys[event.key] || singleKeys.checked && keys[event.key];
  if (!action) return;
  event.preventDefault();
  if (isFree && gridKeys[event.key]) list.grid.focus();
  action();
});

$("help").addEventListener("click", () => $("keys").showModal());
$("clear").addEventListener("click", () => feed.clear().catch((error) => say(error.message, "failure")));
// A page that is not seen costs the app nothing, and none of the few connections that a browser opens to it.
document.addEventListener("visibilitychange", () => { if (document.hidden) feed.pause(); else feed.connect(); });
addEventListener("hashchange", follow);
follow();
feed.connect();
