// The waterfall of a call: the steps of the pipeline and the phases on the wire, on one axis.
import { counted, duration, make, meta, plain, rowHead, shown } from "./inspector-elements.js";

const phaseLabels = { queue: "Queue", name: "Name", connect: "Connect", tls: "TLS", "first byte": "First byte", "last byte": "Body" };
const classOf = (phase) => phase in phaseLabels ? phase.split(" ")[0] : "queue";

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
// An exchange that failed early, or still runs, has no phases.
const wireTime = (exchange) => exchange.phases ? sum(exchange.phases.map(([, time]) => time)) : exchange.duration ?? 0;
const phasesOf = (exchange) => exchange.phases ?? (exchange.duration ? [["exchange", exchange.duration]] : []);
// The dispatcher's own time is that of the network; it has no stage.
const ownTime = (call) => sum((call.steps ?? []).filter((step) => step.stage).map((step) => step.own ?? 0));

const lengthOf = (call) => Math.max(
  call.duration ?? 0, ...(call.steps ?? []).map((step) => step.start + (step.total ?? step.own ?? 0)),
  ...(call.exchanges ?? []).map((exchange) => exchange.start + wireTime(exchange)), .001);

const bar = (name, start, length, axis, title) => make(`span.span.${name}`, {
  title, style: { "--start": `${100 * start / axis}%`, "--length": `${100 * Math.max(length, 0) / axis}%` },
});

const stepRow = (step, axis, base) => make(`tr${step.failed ? ".failed" : ""}`,
  make("th", { scope: "row", style: { "--depth": Math.min(step.depth - base, 14) } }, shown(step.name)),
  make("td.chart", { "aria-hidden": "true" }, bar("total", step.start, step.total ?? axis - step.start, axis),
    bar("own", step.start, step.own ?? 0, axis)),
  make("td", duration(step.own)),
  make("td", step.total == null ? "running" : duration(step.total)),
  make("td.outcome", step.outcome ? shown(step.outcome) : "running"));

const exchangeRow = (exchange, axis) => {
  let at = exchange.start;
  const bars = phasesOf(exchange).map(([phase, time]) => {
    const element = bar(classOf(phase), at, time, axis, `${plain(phaseLabels[phase] ?? phase)}: ${duration(time)}`);
    at += time;
    return element;
  });
  const status = exchange.response ? String(exchange.response.status) : exchange.error ? "failed" : "running";
  const phases = phasesOf(exchange).map(([phase, time]) => make("li", make(`i.${classOf(phase)}`), shown(phaseLabels[phase] ?? phase),
    " ", make("b", duration(time))));
  return [
    make(`tr.wire${exchange.error ? ".failed" : ""}`,
      rowHead("On the wire"),
      make("td.chart", { "aria-hidden": "true" }, bars),
      make("td", ""), make("td", duration(wireTime(exchange))),
      make("td.outcome", status)),
    make("tr.phases", make("td", { colspan: "3" }, make("ul", { "aria-label": "Phases on the wire" }, phases)), make("td"),
      make("td.outcome")),
  ];
};

/** A row before the steps that run once more, after an exchange. */
const nextRound = (step, exchange) => {
  const wait = step.start - exchange.start - wireTime(exchange);
  const when = wait < 0 ? "while the one before was unanswered" : `${duration(wait)} after the one before`;
  return make("tr.round", make("th", { scope: "rowgroup", colspan: "3" },
    step.attempt > exchange.attempt ? `Attempt ${step.attempt}, ${when}` : `Next request, ${when}`), make("td"), make("td.outcome"));
};

const axisMarks = (axis) => {
  const step = 10 ** Math.floor(Math.log10(axis));
  const width = [1, .5, .25, .2].map((part) => part * step).find((it) => axis / it >= 3) ?? step / 5;
  const marks = [];
  for (let at = 0; at <= axis * .9; at += width) {
    marks.push(make("span.mark", { style: { "--start": `${100 * at / axis}%` } }, at === 0 ? "0" : duration(at)));
  }
  return marks;
};

/** The waterfall, or a sentence that says why there is none. */
export const waterfall = (call) => {
  const [steps, exchanges] = [call.steps ?? [], call.exchanges ?? []];
  if (steps.length === 0 && exchanges.length === 0) {
    return meta("No page was open when the call started, so its steps were not recorded.");
  }
  const axis = lengthOf(call);
  const base = Math.min(...steps.map((step) => step.depth), Infinity);
  let earlier = null;
  const rows = [...steps, ...exchanges].sort((a, b) => a.start - b.start).flatMap((part) => {
    if ("url" in part) { earlier = part; return exchangeRow(part, axis); }
    const row = stepRow(part, axis, base);
    const round = earlier && nextRound(part, earlier);
    earlier = null;
    return round ? [round, row] : [row];
  });
  const networkTime = sum(exchanges.map(wireTime));
  return make("div.waterfall",
    meta(steps.length === 0 ? "No page was open, so no steps were recorded; " : `${counted(steps.filter((step) => step.stage).length, "step")} took ${duration(ownTime(call))} themselves; `,
      exchanges.length === 0 ? "nothing was sent." : `${counted(exchanges.length, "exchange")} on the wire took ${duration(networkTime)}.`),
    make("table", { "aria-label": "Waterfall" },
      make("thead", make("tr", make("th", { scope: "col" }, "Step"),
        make("th.chart", { scope: "col" }, make("span.hidden", "Time line"), make("span.axis", { "aria-hidden": "true" }, axisMarks(axis))),
        make("th", { scope: "col" }, "Own"), make("th", { scope: "col" }, "Through"), make("th.outcome", { scope: "col" }, "Outcome"))),
      make("tbody", rows)));
};

/** The times of the phases of all exchanges together, for a comparison. */
export const phaseTotals = (call) => {
  const totals = new Map(Object.keys(phaseLabels).map((phase) => [phaseLabels[phase], null]));
  for (const exchange of call.exchanges ?? []) {
    for (const [phase, time] of phasesOf(exchange)) {
      const label = phaseLabels[phase] ?? phase;
      totals.set(label, (totals.get(label) ?? 0) + time);
    }
  }
  totals.set("Interceptors", (call.steps ?? []).length > 0 ? ownTime(call) : null);
  totals.set("In all", call.duration ?? null);
  return totals;
};
