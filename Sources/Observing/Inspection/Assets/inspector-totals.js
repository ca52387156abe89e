// The totals: a few numbers, and small plots of the durations, origins, addresses and circuits.
import { clock, columns, count, counted, duration, heading, make, meta, percent, plain, rowHead, section, shown, size } from "./inspector-elements.js";

const tile = (label, value, note, tone) => make(`div.tile${tone ? `.${tone}` : ""}`, make("dt", label), make("dd", value),
  note && make("dd.meta", note));

const tiles = (totals) => make("dl.tiles",
  tile("Calls", count(totals.calls), totals.running > 0 ? `${count(totals.running)} running` : null),
  tile("Failed", count(totals.failed), totals.calls > 0 ? percent(totals.failed / totals.calls) : null, totals.failed > 0 ? "bad" : ""),
  tile("Retried", count(totals.retried)),
  tile("Shared", count(totals.shared)),
  tile("Hit ratio", percent(totals.hitRatio), `${count(totals.hits)} from the store`),
  tile("Received", size(totals.bytesReceived), "from the network"),
  tile("Saved", size(totals.bytesSaved), "by the store"));

/** Columns on a logarithmic scale, the newest at the right. */
const spark = (durations, name) => {
  const values = (durations ?? []).filter((value) => value != null);
  if (values.length === 0) return make("span.meta", "–");
  const [width, height, slots] = [180, 28, 60];
  const logs = values.map((value) => Math.log10(Math.max(value, .01)));
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  const columns = values.map((value, index) => {
    const tall = high > low ? 4 + (logs[index] - low) / (high - low) * (height - 4) : height / 2;
    return make("rect", { x: (slots - values.length + index) * 3, y: (height - tall).toFixed(1), width: 2, height: tall.toFixed(1) });
  });
  return make("svg.spark", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
    "aria-label": `The last ${values.length} durations of ${plain(name)}, from ${duration(Math.min(...values))} to ${duration(Math.max(...values))}` }, columns);
};

const apis = (list) => section("APIs", meta("The last 60 durations of each, the newest at the right; a logarithmic scale."),
  make("table.numbers", { "aria-label": "APIs" },
    columns("API", "Calls", "Failed", "p50", "p99", "Durations"),
    make("tbody", [...list].sort((a, b) => b.calls - a.calls).map((api) => make("tr", rowHead(shown(api.name)),
      make("td", { "data-label": "Calls" }, count(api.calls)),
      make(`td${api.failed > 0 ? ".bad" : ""}`, { "data-label": "Failed" }, count(api.failed)),
        make("td", { "data-label": "p50" }, duration(api.p50)), make("td", { "data-label": "p99" }, duration(api.p99)),
      make("td.durations", spark(api.durations, api.name)))))));

const measure = (value, longest) => make("span.track", { "aria-hidden": "true" },
  make("span.measure", { style: { "--part": longest > 0 ? value / longest : 0 } }));

const origins = (list) => {
  const longest = Math.max(0, ...list.map(({ calls }) => calls));
  return make("section.panel", make("h2", "Origins and protocols"),
    make("ul.bars", [...list].sort((a, b) => b.calls - a.calls).map((origin) => make("li",
    make("span.name", shown(origin.origin)), origin.protocol && make("span.badge", shown(origin.protocol)),
      make("b", count(origin.calls)), measure(origin.calls, longest)))));
};

const addresses = (list) => {
  const longest = Math.max(0, ...list.map(({ firstByte }) => firstByte?.p50 ?? 0));
  return make("section.panel", make("h2", "Addresses"), meta("The median time to the first byte."),
    make("ul.bars", list.map((address) => make("li",
    make("span.name", shown(address.address)), make("span.badge", `${count(address.calls)} calls`),
      address.failed > 0 && make("span.badge.bad", `${count(address.failed)} failed`),
    make("b", duration(address.firstByte?.p50)), measure(address.firstByte?.p50 ?? 0, longest)))));
};

const circuitTones = { closed: "good", open: "bad", "half-open": "warn" };
const circuits = (list) => make("section.panel", make("h2", "Circuits"), list.length === 0 ? meta("No circuit is watched.")
  : make("ul.bars", list.map((circuit) => make("li", make("span.name", shown(circuit.origin)),
    circuit.failures > 0 && make("span.badge.warn", counted(circuit.failures, "failure")),
    make(`span.badge.${circuitTones[circuit.state] ?? "warn"}`,
      shown(circuit.until ? `${circuit.state} until ${clock(circuit.until).slice(0, 8)}` : circuit.state))))));

/** The part of the calls that each outcome has, as one divided bar. */
const outcomes = (totals) => {
  const sent = Math.max(0, totals.calls - totals.hits - totals.shared - totals.failed - totals.running);
  const parts = [["from the store", totals.hits, "store"], ["shared", totals.shared, "shared"], ["from the network", sent, "network"],
    ["failed", totals.failed, "failed"], ["running", totals.running, "running"]]
    .filter(([, value]) => value > 0);
  return parts.length > 0 && make("figure.outcomes", make("div.divided", { "aria-hidden": "true" },
    parts.map(([, value, name]) => make(`span.${name}`, { style: { "--share": value } }))),
    make("figcaption", make("ul", parts.map(([label, value, name]) => make("li", make(`i.${name}`), make("b", count(value)),
      ` ${label}`)))));
};

/** Creates the page of totals. */
export const createTotals = (feed) => {
  const element = make("div.page.totals");
  let drawn = null;
  const refresh = () => {
    const totals = feed.state?.totals;
    const text = JSON.stringify(totals) ?? "";
    if (text === drawn) return;
    drawn = text;
    if (!totals || totals.calls === 0) {
      element.replaceChildren(heading("Totals"), make("div.empty", make("p", "No calls yet. The totals appear with the first one.")));
      return;
    }
    element.replaceChildren(...[heading("Totals"), tiles(totals), outcomes(totals), apis(totals.apis ?? []),
      make("div.panels", origins(totals.origins ?? []), addresses(totals.addresses ?? []),
        circuits(totals.circuits ?? []))].filter(Boolean));
  };
  return { element, show: refresh, refresh };
};
