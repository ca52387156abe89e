// What differs between two calls: the facts, the times, the fields, and the bodies by JSON path.
import { apiName, clock, columns, count, duration, heading, make, meta, plain, rowHead, section, shown, size } from "./inspector-elements.js";
import { address } from "./inspector-call.js";
import { phaseTotals } from "./inspector-waterfall.js";

const maximumOfPaths = 20_000;
const portionOfRows = 100;

/** The leaves of a JSON value by their paths. */
const leaves = (value) => {
  const found = new Map();
  const stack = [["$", value]];
  while (stack.length > 0 && found.size < maximumOfPaths) {
    const [path, it] = stack.pop();
    const entries = it !== null && typeof it === "object" ? Object.entries(it) : [];
    if (entries.length === 0) { found.set(path, JSON.stringify(it)); continue; }
    const isArray = Array.isArray(it);
    for (const [key, child] of entries.reverse()) stack.push([isArray ? `${path}[${key}]` : `${path}.${key}`, child]);
  }
  return found;
};

const parsed = (body) => {
  if (typeof body?.text !== "string" || body.cut) return undefined;
  try { return JSON.parse(body.text); } catch { return undefined; }
};

/** The rows of two maps: those of the left in their order, then those that only the right has. */
const rowsOf = (left, right) => [...new Set([...left.keys(), ...right.keys()])].map((key) => [key, left.get(key), right.get(key)]);

const fieldsOf = (fields) => {
  const map = new Map();
  for (const [name, value] of fields ?? []) map.set(name, map.has(name) ? `${map.get(name)}, ${value}` : value);
  return map;
};

const linesOf = (body) => new Map(
  (body?.text ?? "").split("\n").slice(0, maximumOfPaths).map((line, index) => [`line ${index + 1}`, line]));

const bodyRows = (left, right) => {
  const [a, b] = [parsed(left), parsed(right)];
  if (a !== undefined && b !== undefined) return rowsOf(leaves(a), leaves(b));
  if (!left?.base64 && !right?.base64) return rowsOf(linesOf(left), linesOf(right));
  const [x, y] = [left, right].map((body) => body && `${size(body.size)}, ${body.type}`);
  return [["bytes", x, x === y && left.base64 !== right.base64 ? `${y}, other bytes` : y]];
};

const factsOf = (call) => new Map([
  ["URL", address(call)], ["Method", call.method], ["State", call.state], ["Status", call.status ?? null], ["Error", call.error?.text],
  ["API", apiName(call)], ["Cache", call.cache], ["Attempts", call.attempts], ["Redirects", call.redirects], ["Protocol", call.protocol],
  ["Address", call.address], ["Received", size(call.received)], ["Saved", size(call.saved)], ["Why", (call.reasons ?? []).join("\n")],
].map(([name, value]) => [name, value == null || value === "" ? undefined : String(value)]));

const valueCell = (value, tone) => value == null
  ? make("td.absent", "absent") : make(`td${tone ? `.${tone}` : ""}`, shown(value.length > 2000 ? `${value.slice(0, 2000)}…` : value));

const row = ([name, left, right]) => {
  const isEqual = left === right;
  return make(`tr${isEqual ? ".equal" : ".differs"}`, rowHead(shown(name)),
    valueCell(left, isEqual ? "" : "left"), valueCell(right, isEqual ? "" : "right"));
};

const table = (label, rows, names) => {
  const body = make("tbody");
  const more = make("button");
  let end = 0;
  const add = () => {
    body.append(...rows.slice(end, end + portionOfRows).map(row));
    end = Math.min(rows.length, end + portionOfRows);
    more.textContent = `Show more (${count(rows.length - end)} are left)`;
    more.hidden = end >= rows.length;
  };
  more.addEventListener("click", add);
  add();
  return [make("table.diff-table", { "aria-label": label }, columns("What", ...names), body), more];
};

const comparison = (label, rows, names, showsEqual) => {
  const differing = rows.filter(([, left, right]) => left !== right);
  const listed = showsEqual ? rows : differing;
  return make("section", make("div.line", make("h2", label), meta(differing.length === 0
    ? rows.length === 0 ? "nothing to compare" : `all ${count(rows.length)} are equal`
      : `${count(differing.length)} of ${count(rows.length)} differ`, rows.length >= maximumOfPaths && "; more are not compared")),
  listed.length > 0 && table(label, listed, names));
};

const times = (left, right, names) => {
  const rows = rowsOf(phaseTotals(left), phaseTotals(right)).filter(([, a, b]) => a != null || b != null);
  const longest = Math.max(.001, ...rows.flatMap(([, a, b]) => [a ?? 0, b ?? 0]));
  const cell = (value, side) => make(`td.time.${side}`, duration(value),
    make("span.measure", { "aria-hidden": "true", style: { "--part": (value ?? 0) / longest } }));
  const change = (a, b) => {
    if (a == null || b == null) return "";
    return `${b >= a ? "+" : "−"}${duration(Math.abs(b - a))}`;
  };
  return section("Times", make("table.diff-table.times", { "aria-label": "Times" },
    columns("What", ...names, "Change"),
    make("tbody", rows.map(([name, a, b]) => make("tr", rowHead(shown(name)), cell(a, "left"), cell(b, "right"),
      make("td", change(a, b)))))));
};

const side = (call, name, hashes) => make(`div.side.${name}`,
  make("a", { href: hashes.call(call.id) }, `#${call.id}`), " ", make("span.method", shown(call.method)), " ",
    make("span.url", shown(address(call))),
  meta(`${clock(call.started)} · ${plain(call.status ?? call.state)} · ${duration(call.duration)}`));

/** Creates the comparison of two calls. */
export const createDiff = (feed, hashes) => {
  const element = make("div.page.diff");
  let turn = 0;
  const draw = (left, right, parameters) => {
    const showsEqual = Boolean(parameters.get("equal"));
    const names = [`#${left.id}`, `#${right.id}`];
    const [wireA, wireB] = [left.exchanges?.at(-1), right.exchanges?.at(-1)];
    element.replaceChildren(
      make("p.crumb", make("a", { href: hashes.list() }, "Calls"), " / compared"),
      make("div.line", heading(`Calls #${left.id} and #${right.id}`),
        make("div.actions", make("a.button", { href: hashes.diff(right.id, left.id) }, "Swap"),
          make("a.button", { href: hashes.diff(left.id, right.id, showsEqual ? "" : "1") },
            showsEqual ? "Only what differs" : "Show equal rows, too"))),
      make("div.pair", side(left, "left", hashes), side(right, "right", hashes)),
      comparison("Facts", rowsOf(factsOf(left), factsOf(right)).filter(([, a, b]) => a !== undefined || b !== undefined), names,
        showsEqual),
      times(left, right, names),
      comparison("Fields of the request", rowsOf(fieldsOf(wireA?.request?.fields), fieldsOf(wireB?.request?.fields)), names, showsEqual),
      comparison("Fields of the response", rowsOf(fieldsOf(left.delivered?.fields), fieldsOf(right.delivered?.fields)), names, showsEqual),
      comparison("Body of the response", bodyRows(left.delivered?.body, right.delivered?.body), names, showsEqual));
  };
  const show = async (a, b, parameters) => {
    turn += 1;
    const mine = turn;
    const answers = await Promise.allSettled([feed.call(a), feed.call(b)]);
    if (mine !== turn) return;
    const lost = [a, b].filter((_, index) => answers[index].status === "rejected");
    if (lost.length === 0) return draw(answers[0].value, answers[1].value, parameters);
    element.replaceChildren(make("div.empty", heading("These calls can't be compared"),
      make("p", `${lost.map((id) => `Call #${id}`).join(" and ")} could not be loaded; the inspector keeps the newest calls.`),
      make("a.button", { href: hashes.list() }, "Back to the calls")));
  };
  return { element, show };
};
