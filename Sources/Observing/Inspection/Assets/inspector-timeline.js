// The time line: routes, guards, modules, life-cycle events, mutations and actions, among the calls.
import { clock, count, duration, heading, make, meta, plain, shown, target } from "./inspector-elements.js";
import { badges, outcome } from "./inspector-list.js";

const portion = 300;
const kinds = [
  ["call", "Calls"], ["route", "Routes"], ["guard", "Guards"], ["module", "Modules"], ["life-cycle", "Life cycle"],
  ["mutation", "Mutations"], ["action", "Actions"], ["network", "Network"], ["authorization", "Authorization"],
  ["deployment", "Deployments"], ["note", "Notes"],
];
const tones = new Set(["good", "warn", "bad"]);

const entriesOf = (feed, hidden) => {
  const entries = feed.events.filter((event) => !hidden.has(event.kind)).map((event) => ({ time: event.time, kind: event.kind, event }));
  if (!hidden.has("call")) for (const call of feed.calls.values()) entries.push({ time: call.started, kind: "call", call });
  return entries.sort((a, b) => b.time - a.time);
};

/** What an event says, with a link to its call. */
export const eventRow = ({ event }, hashes) => [
  make("p.title", shown(event.title), event.call != null && make("a.of-call", { href: hashes.call(event.call) }, `call #${event.call}`)),
  event.detail && meta(shown(event.detail)),
];

const callRow = ({ call }, hashes) => {
  const [status, tone, words] = outcome(call);
  return [make("a.title", { href: hashes.call(call.id) }, make(`span.dot.${tone}`, { title: words }, status),
    make("span.method", shown(call.method)), make("span.url", shown(target(call))),
    badges(call), make("span.meta", call.state === "running" ? "running" : duration(call.duration)))];
};

const gapBefore = (entry, earlier) => {
  const milliseconds = earlier ? (entry.time - earlier.time) * 1000 : 0;
  return milliseconds >= 1000 ? `+${duration(milliseconds)}` : "";
};

const item = (entry, gap, hashes) => make(
  `li.entry.${entry.call ? "of-calls" : tones.has(entry.event.tone) ? entry.event.tone : "plain"}`,
  make("time", { datetime: new Date(entry.time * 1000).toISOString() }, clock(entry.time), gap && make("span.gap", gap)),
  make("span.kind", kinds.find(([kind]) => kind === entry.kind)?.[1].replace(/s$/, "") ?? plain(entry.kind)),
  make("div.what", entry.call ? callRow(entry, hashes) : eventRow(entry, hashes)));

/** The calls and events of the last minute before the newest one, each kind in a lane. */
const lanes = (entries, width) => {
  if (entries.length === 0) return null;
  const end = Math.max(...entries.slice(0, 500).map(({ time, call }) => time + (call?.duration ?? 0) / 1000));
  const start = Math.max(end - 60, entries.at(-1).time);
  const length = Math.max(end - start, .001);
  const present = kinds.filter(([kind]) => entries.some((entry) => entry.kind === kind && entry.time >= start));
  const [left, laneHeight] = [96, 20];
  const x = (time) => left + (time - start) / length * (width - left - 10);
  const lane = (kind) => present.findIndex(([name]) => name === kind) * laneHeight;
  const marks = entries.filter(({ time }) => time >= start).slice(0, 1500).map((entry) => {
    const tone = entry.call ? outcome(entry.call)[1] : tones.has(entry.event.tone) ? entry.event.tone : "plain";
    const wide = entry.call ? Math.max(3, (entry.call.duration ?? (end - entry.time) * 1000) / 1000 / length * (width - left - 10)) : 4;
    return make(`rect.mark.${tone}`, { x: x(entry.time).toFixed(1), y: lane(entry.kind) + 5, width: wide.toFixed(1), height: 10, rx: 2 });
  });
  const names = present.map(([kind, label]) => [
    make("text", { x: 0, y: lane(kind) + 14 }, label), make("line", { x1: left, x2: width, y1: lane(kind) + 19.5, y2: lane(kind) + 19.5 }),
  ]);
  const height = present.length * laneHeight + 18;
  return make("figure.lanes", make("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `${present.map(([, label]) => label).join(", ")} of the last ${duration(length * 1000)}` },
    names, marks, make("text", { x: left, y: height - 3 }, clock(start)),
      make("text", { x: width, y: height - 3, "text-anchor": "end" }, clock(end))));
};

/** Creates the time line. */
export const createTimeline = (feed, hashes, setParameter) => {
  const chips = kinds.map(([kind, label]) => make("button.chip", { name: kind, "aria-pressed": "true", onclick: () => toggle(kind) },
    label));
  const drawing = make("div");
  const list = make("ol.entries");
  const nothing = make("p.empty", "Nothing yet. Calls, routes, guards, mutations and actions appear here.");
  const more = make("button", { onclick: () => { limit += portion; refresh(); } });
  const element = make("div.page.timeline", heading("Timeline"),
    make("div.chips.kinds", { role: "group", "aria-label": "Kinds that are shown" }, chips), drawing, list, nothing, more);
  let hidden = new Set();
  let limit = portion;

  const toggle = (kind) => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    setParameter("hide", [...next].join(","));
  };
  const drawLanes = (entries) => {
    const width = Math.max(240, drawing.clientWidth - 26);
    drawing.replaceChildren(...[lanes(entries, width)].filter(Boolean));
  };
  new ResizeObserver(() => drawLanes(entriesOf(feed, hidden))).observe(element);

  // Rows are reused, so that a focused link and a selection stay while newer entries arrive.
  let rows = new Map();
  const arrange = (entries) => {
    const kept = new Map();
    entries.slice(0, limit).forEach((entry, index) => {
      const gap = gapBefore(entry, entries[index + 1]);
      // A change has one number, in one run of the app.
      const key = `${feed.restarts} ${(entry.call ?? entry.event).seq} ${gap}`;
      const row = rows.get(key) ?? item(entry, gap, hashes);
      kept.set(key, row);
    });
    // What is gone leaves first: then no row that stays is moved, which would take its focus.
    rows.forEach((row, key) => { if (!kept.has(key)) row.remove(); });
    let place = list.firstChild;
    for (const row of kept.values()) {
      if (row === place) place = place.nextSibling;
      else list.insertBefore(row, place);
    }
    rows = kept;
  };
  const refresh = () => {
    const entries = entriesOf(feed, hidden);
    drawLanes(entries);
    arrange(entries);
    nothing.hidden = entries.length > 0;
    more.hidden = entries.length <= limit;
    more.textContent = `Show earlier ones (${count(entries.length - limit)} are left)`;
  };
  const show = (parameters) => {
    hidden = new Set((parameters.get("hide") ?? "").split(",").filter(Boolean));
    for (const chip of chips) chip.setAttribute("aria-pressed", String(!hidden.has(chip.name)));
    refresh();
  };
  return { element, show, refresh };
};
