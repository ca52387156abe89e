// The list of calls: a grid of which only the rows in sight are elements.
import { apiName, clock, count, counted, duration, make, plain, shown, size, target } from "./inspector-elements.js";
import { filterOf } from "./inspector-filters.js";

// Rows have one height, so that the place of each of 10,000 calls is known without laying it out.
const heights = { table: 36, cards: 58 };
const widthOfTable = 720;
const overscan = 6;

const columns = [
  ["status", "Status"], ["method", "Method"], ["path", "Path"], ["api", "API"], ["cache", "Cache"],
  ["received", "Received", true], ["duration", "Duration", true], ["started", "Started", true],
];

/** The outcome of a call as a short text and a tone. */
export const outcome = (call) => {
  if (call.state === "running") return ["…", "running", "running"];
  if (call.state === "cancelled") return ["–", "quiet", "cancelled"];
  if (call.status) {
    const tone = call.status >= 500 ? "bad" : call.status >= 400 ? "warn" : call.status >= 300 ? "quiet" : "good";
    return [String(call.status), tone, `status ${call.status}`];
  }
  return call.state === "failed" ? ["err", "bad", `failed: ${plain(call.error?.kind)}`] : ["–", "quiet", "no status"];
};

const cacheWords = {
  hit: "hit", heuristic: "heuristic", stale: "stale", revalidated: "304", collapsed: "shared", unsatisfied: "unsatisfied", miss: "", bypass: "",
};

/** The badges of a call: what was special about it. */
export const badges = (call) => [
  call.earlier && make("span.badge", { title: "Made in an earlier run of the app" }, "earlier run"),
  call.altered && make("span.badge.bad", { title: plain(call.altered.join("\n")) }, "altered"),
  cacheWords[call.cache] && make(`span.badge.${call.cache === "stale" ? "warn" : "good"}`, cacheWords[call.cache]),
  call.attempts > 1 && make("span.badge.warn", { title: `${call.attempts} attempts` }, `${call.attempts}×`),
  call.redirects > 0 && make("span.badge", { title: counted(call.redirects, "redirect") }, `↪ ${call.redirects}`),
  call.shared && call.cache !== "collapsed" && make("span.badge", "shared"),
  call.state === "cancelled" && make("span.badge", "cancelled"),
  call.state === "failed" && !call.status && call.error?.kind && make("span.badge.bad", shown(call.error.kind)),
];

/** A duration with a bar on a logarithmic scale from 0.1 ms to 10 s. */
const durationBar = (call) => {
  const part = call.duration > 0 ? Math.min(1, Math.max(.02, (Math.log10(call.duration) + 1) / 5)) : 0;
  return make("span.pace", { "aria-hidden": "true", style: { "--part": part } });
};

const cells = (call, hash) => {
  const [status, tone, words] = outcome(call);
  const cell = (name, ...children) => make(`div.cell.${name}`, { role: "gridcell" }, children);
  return [
    cell("status", make(`span.dot.${tone}`, { title: words }, status)),
    cell("method", shown(call.method)),
    cell("path", make("a", { href: hash(call.id), tabindex: "-1", title: plain(target(call)) }, shown(target(call))),
      make("span.host", shown(call.host))),
    cell("api", shown(apiName(call))),
    cell("cache", badges(call)),
    cell("received", call.received > 0 ? size(call.received) : "–"),
    cell("duration", call.state === "running" ? "running" : duration(call.duration), durationBar(call)),
    cell("started", clock(call.started)),
  ];
};

const sorters = {
  duration: (a, b) => (b.duration ?? 0) - (a.duration ?? 0),
  received: (a, b) => b.received - a.received,
};

/** Creates the list. `hash(id)` is the address of a call; `setParameter` stores the order in the hash. */
export const createList = (feed, hash, open, setParameter) => {
  const headers = columns.map(([name, label, isSortable]) => make(
    `div.cell.${name}`, { role: "columnheader", onclick: isSortable && (() => setParameter("sort", name === "started" ? "" : name)) },
      label));
  const space = make("div.space", { role: "rowgroup" });
  const grid = make("div.grid", { role: "grid", tabindex: "0", "aria-label": "Calls" },
    make("div.head", { role: "rowgroup" }, make("div.row", { role: "row", "aria-rowindex": "1" }, headers)), space);
  const nothing = make("div.empty", { hidden: true });
  const foot = make("p.foot");
  const newer = make("button.newer", { hidden: true, onclick: () => { grid.scrollTop = 0; } });
  const element = make("section.list", { "aria-label": "Calls" }, grid, nothing, newer, foot);

  let parameters = new URLSearchParams();
  let visible = [];
  let places = new Map();
  let height = heights.table;
  let [selected, opened] = [null, null];
  let unseen = 0;
  // The opened call that has not been scrolled to, since it may arrive after the page has opened.
  let pending = null;
  const rows = new Map();

  const draw = () => {
    const headHeight = height === heights.table ? 34 : 0;
    // Read once, before rows are written: each reading after a change lays the page out.
    const [top, inner] = [grid.scrollTop, grid.clientHeight];
    const first = Math.max(0, Math.floor((top - headHeight) / height) - overscan);
    const last = Math.min(visible.length, Math.ceil((top + inner) / height) + overscan);
    const wanted = new Set();
    for (let place = first; place < last; place += 1) {
      const call = visible[place];
      wanted.add(call.id);
      let row = rows.get(call.id);
      if (!row) {
        row = { element: make("div.row", { role: "row", id: `call-${call.id}` }), seq: null };
        rows.set(call.id, row);
        space.append(row.element);
      }
      if (row.seq !== call.seq) {
        row.seq = call.seq;
        row.element.replaceChildren(...cells(call, hash));
      }
      row.element.style.setProperty("top", `${place * height}px`);
      row.element.setAttribute("aria-rowindex", String(place + 2));
      row.element.setAttribute("aria-selected", String(call.id === selected));
      row.element.classList.toggle("opened", call.id === opened);
    }
    for (const [id, row] of rows) {
      if (wanted.has(id)) continue;
      row.element.remove();
      rows.delete(id);
    }
    if (selected !== null && rows.has(selected)) grid.setAttribute("aria-activedescendant", `call-${selected}`);
    else grid.removeAttribute("aria-activedescendant");
    if (top < height) unseen = 0;
    newer.hidden = unseen === 0;
    newer.textContent = `↑ ${count(unseen)} newer`;
  };

  const refresh = () => {
    const before = visible[Math.max(0, Math.floor(grid.scrollTop / height))];
    const isAtTop = grid.scrollTop < height;
    const passes = filterOf(parameters);
    const all = [...feed.calls.values()];
    visible = passes ? all.filter(passes) : all;
    const sort = sorters[parameters.get("sort")];
    visible.sort((a, b) => sort?.(a, b) || b.id - a.id);
    places = new Map(visible.map((call, place) => [call.id, place]));
    space.style.setProperty("height", `${visible.length * height}px`);
    grid.setAttribute("aria-rowcount", String(visible.length + 1));
    // What is being read stays where it is while newer calls arrive above it.
    const moved = before && !isAtTop && !sort ? (places.get(before.id) ?? 0) - previousPlace(before) : 0;
    if (moved > 0) {
      grid.scrollTop += moved * height;
      if (feed.isLoaded) unseen += moved;
    }
    lastPlaces = places;
    if (places.has(pending)) {
      const distance = places.get(pending) * height - grid.scrollTop;
      if (distance < 0 || distance > grid.clientHeight - 2 * height) grid.scrollTop += distance - grid.clientHeight / 2;
      pending = null;
    }
    describe(all.length);
    draw();
  };
  let lastPlaces = new Map();
  const previousPlace = (call) => lastPlaces.get(call.id) ?? 0;

  const describe = (total) => {
    const isFiltered = visible.length !== total;
    nothing.hidden = visible.length > 0;
    grid.classList.toggle("bare", visible.length === 0);
    if (visible.length === 0) {
      nothing.replaceChildren(...total === 0
        ? [make("h2", feed.state ? "No calls yet" : "Connecting to the app"),
          make("p", "Calls appear here as they start.")]
        : [make("h2", "No call passes these filters"), make("p", `${counted(total, "call")} are hidden. `),
          make("button", { onclick: () => setParameter(null) }, "Reset the filters")]);
    }
    const evicted = feed.state?.evicted ?? 0;
    const { earlier = 0, dropped = 0 } = feed.state?.file ?? {};
    foot.replaceChildren(
      isFiltered ? `${count(visible.length)} of ${counted(total, "call")}` : counted(total, "call"),
      evicted > 0 ? ` · ${count(evicted)} older evicted at ${size(feed.state.byteLimit)}` : "",
      earlier > 0 ? ` · ${count(earlier)} of earlier runs` : "", dropped > 0 ? ` · ${count(dropped)} not written to the file` : "");
  };

  const reveal = (place) => {
    const [top, head] = [place * height, height === heights.table ? 34 : 0];
    if (top < grid.scrollTop) grid.scrollTop = top;
    else if (top + height + head > grid.scrollTop + grid.clientHeight) grid.scrollTop = top + height + head - grid.clientHeight;
  };

  const select = (id) => {
    selected = id;
    const place = places.get(id);
    if (place !== undefined) reveal(place);
    draw();
  };

  /** Moves the selection by a number of rows and returns the selected call's id. */
  const move = (step) => {
    if (visible.length === 0) return null;
    const place = places.get(selected);
    const next = place === undefined ? (step > 0 ? 0 : visible.length - 1) : Math.min(visible.length - 1, Math.max(0, place + step));
    select(visible[next].id);
    return selected;
  };

  const onClick = (event) => {
    const row = event.target.closest(".space .row");
    if (!row || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    open(Number(row.id.slice("call-".length)), "list");
  };
  space.addEventListener("click", onClick);
  let isDue = false;
  grid.addEventListener("scroll", () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => { isDue = false; draw(); });
  }, { passive: true });
  new ResizeObserver(() => {
    const isTable = grid.clientWidth >= widthOfTable;
    element.classList.toggle("cards", !isTable);
    height = isTable ? heights.table : heights.cards;
    element.style.setProperty("--row", `${height}px`);
    space.style.setProperty("height", `${visible.length * height}px`);
    draw();
    if (opened !== null && places.has(opened)) reveal(places.get(opened));
  }).observe(grid);

  const show = (newParameters, id) => {
    parameters = newParameters;
    opened = id;
    if (id !== null) selected = id;
    const sort = parameters.get("sort") || "started";
    columns.forEach(([name], index) => {
      if (name === sort) headers[index].setAttribute("aria-sort", "descending");
      else headers[index].removeAttribute("aria-sort");
    });
    for (const row of rows.values()) row.seq = null;
    pending = id;
    refresh();
  };
  const reset = () => {
    [selected, opened, pending, unseen] = [null, null, null, 0];
    rows.forEach((row) => row.element.remove());
    rows.clear();
  };
  return { element, grid, show, refresh, move, reset, selected: () => selected };
};
