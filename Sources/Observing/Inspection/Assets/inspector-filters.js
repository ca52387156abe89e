// The filters of the list: their values in the hash, their controls, and whether a call passes them.
import { make, plain } from "./inspector-elements.js";

const cached = new Set(["hit", "heuristic", "stale", "revalidated", "collapsed"]);
const flags = {
  cached: ["Cached", (call) => cached.has(call.cache)],
  failed: ["Failed", (call) => call.state === "failed"],
  retried: ["Retried", (call) => call.attempts > 1],
};
const statuses = [
  ["", "Any status"], ["2", "2xx"], ["3", "3xx"], ["4", "4xx"], ["5", "5xx"], ["none", "No response"], ["running", "Running"],
];
const speeds = [["", "Any duration"], ["10", "≥ 10 ms"], ["50", "≥ 50 ms"], ["200", "≥ 200 ms"], ["1000", "≥ 1 s"], ["5000", "≥ 5 s"]];

const orders = [["", "Newest first"], ["duration", "Slowest first"], ["received", "Largest first"]];

const passesStatus = (call, status) => {
  if (status === "running") return call.state === "running";
  if (status === "none") return call.state !== "running" && !call.status;
  return String(call.status ?? "").startsWith(status);
};

/** A function that says whether a call passes the filters of the hash. */
export const filterOf = (parameters) => {
  const words = (parameters.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const tests = words.map((word) => word.length > 1 && word[0] === "-"
    ? (call) => !call.text.includes(word.slice(1)) : (call) => call.text.includes(word));
  const equals = (name) => {
    const value = parameters.get(name);
    if (value) tests.push((call) => call[name] === value);
  };
  equals("service");
  equals("api");
  const status = parameters.get("status");
  if (status) tests.push((call) => passesStatus(call, status));
  const slow = Number(parameters.get("slow"));
  if (slow > 0) tests.push((call) => (call.duration ?? 0) >= slow);
  for (const [name, [, passes]] of Object.entries(flags)) if (parameters.get(name)) tests.push(passes);
  return tests.length === 0 ? null : (call) => tests.every((test) => test(call));
};

const select = (name, label, options, change) => make(
  "select", { name, "aria-label": label, onchange: (event) => change(name, event.target.value) },
  options.map(([value, text]) => make("option", { value }, text)));

const setOptions = (field, label, values) => {
  const known = [...field.options].map((option) => option.value).slice(1);
  if (known.join("\u0000") === values.join("\u0000")) return;
  const value = field.value;
  field.replaceChildren(make("option", { value: "" }, label), ...values.map((it) => make("option", { value: it }, plain(it).slice(0, 60))));
  field.value = value;
};

/** The bar of filters. `change(name, value)` stores one in the hash. */
export const createFilters = (change) => {
  let typing = null;
  const search = make("input", {
    type: "search", name: "q", placeholder: "Search", "aria-label": "Search the calls", autocomplete: "off", spellcheck: "false",
    "aria-keyshortcuts": "/",
    oninput: () => { clearTimeout(typing); typing = setTimeout(() => change("q", search.value), 120); },
  });
  const service = select("service", "Service", [["", "All services"]], change);
  const api = select("api", "API", [["", "All APIs"]], change);
  const status = select("status", "Status", statuses, change);
  const slow = select("slow", "Slower than", speeds, change);
  const order = select("sort", "Order", orders, change);
  const buttons = Object.entries(flags).map(([name, [label]]) => make("button.chip", {
    name, "aria-pressed": "false",
    onclick: (event) => change(name, event.currentTarget.getAttribute("aria-pressed") === "true" ? "" : "1"),
  }, label));
  const reset = make("button.plain", { onclick: () => change(null) }, "Reset");
  const more = make("button.chip.more", {
    "aria-expanded": "false", "aria-controls": "filter-fields",
    onclick: () => { more.setAttribute("aria-expanded", String(bar.classList.toggle("open"))); },
  }, "Filters");
  const fields = make("div.fields", { id: "filter-fields" }, service, api, status, slow, buttons, order, reset);
  const bar = make("div.filters", { role: "search", "aria-label": "Filters of the calls" }, search, more, fields);

  const known = { service: new Set(), api: new Set() };
  const offer = (calls) => {
    known.service.clear();
    known.api.clear();
    const chosen = service.value;
    for (const call of calls) {
      if (call.service) known.service.add(call.service);
      if (call.api && (!chosen || call.service === chosen)) known.api.add(call.api);
    }
    for (const name of ["service", "api"]) if (shownParameters.get(name)) known[name].add(shownParameters.get(name));
    setOptions(service, "All services", [...known.service].sort());
    setOptions(api, "All APIs", [...known.api].sort());
    service.value = shownParameters.get("service") ?? "";
    api.value = shownParameters.get("api") ?? "";
  };

  let shownParameters = new URLSearchParams();
  const show = (parameters) => {
    shownParameters = parameters;
    if (document.activeElement !== search) search.value = parameters.get("q") ?? "";
    status.value = parameters.get("status") ?? "";
    slow.value = parameters.get("slow") ?? "";
    order.value = parameters.get("sort") ?? "";
    for (const field of [service, api, status, slow]) field.classList.toggle("on", Boolean(parameters.get(field.name)));
    for (const button of buttons) button.setAttribute("aria-pressed", String(Boolean(parameters.get(button.name))));
    const set = ["service", "api", "status", "slow", ...Object.keys(flags)].filter((name) => parameters.get(name)).length;
    reset.hidden = set === 0 && !parameters.get("q");
    more.textContent = set === 0 ? "Filters" : `Filters, ${set} on`;
    more.classList.toggle("on", set > 0);
  };
  const clear = () => { clearTimeout(typing); search.value = ""; };
  return { bar, search, show, offer, clear };
};
