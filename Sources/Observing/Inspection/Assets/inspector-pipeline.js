// The pipeline, drawn as the flow of calls through its interceptors, and the drawing of the app's routes.
import { clock, count, counted, duration, heading, make, meta, plain, section, shown } from "./inspector-elements.js";
import { eventRow } from "./inspector-timeline.js";

const [railWidth, rowHeight, widest] = [120, 64, 72];

// A failure is counted by each interceptor that it passes through on its way out.
const failedHere = (step, next) => Math.max(0, step.failed - (next?.failed ?? 0));

const arrow = (name, x, y) => make(`path.${name}`, { d: `M${x} ${y}H${railWidth - 6}m-6 -5 6 5-6 5` });

/** A piece of the flow: as wide as the share of calls that arrive, with arrows for those that leave. */
const rail = (step, next, most) => {
  const wide = (calls) => most > 0 && calls > 0 ? Math.max(2, calls / most * widest) : 0;
  const [above, below] = [wide(step.calls), wide((next ?? step).calls)];
  const [x, middle] = [8, rowHeight / 2];
  const shape = above > 0
    ? make(`path.flow${next ? "" : ".end"}`, { d: `M${x} 0H${x + above}C${x + above} ${middle} ${x + below} ${middle} ${x + below} ${rowHeight}H${x}Z` })
    : make("path.idle", { d: `M${x + 1} 0V${rowHeight}` });
  const leaving = next ? [["answered", step.answered], ["failed", failedHere(step, next)]].filter(([, number]) => number > 0) : [];
  return make("div.rail", { "aria-hidden": "true" }, make("svg",
    { viewBox: `0 0 ${railWidth} ${rowHeight}`, preserveAspectRatio: "none" }, shape,
    leaving.map(([name], index) => arrow(name, x + (above + below) / 2 + 3, middle + (leaving.length - 1) * (index * 18 - 9)))));
};

// From 1 µs to 10 s, in parts of the width.
const onScale = (milliseconds) => Math.min(1, Math.max(0, (Math.log10(Math.max(milliseconds, .001)) + 3) / 7));

const times = ({ own }) => {
  const [low, high] = [onScale(own?.p50 ?? 0), onScale(own?.p99 ?? 0)];
  return make("dl.step-times", make("div", make("dt", "p50"), make("dd", duration(own?.p50))),
    make("div", make("dt", "p99"), make("dd", duration(own?.p99))),
    own?.p50 != null && make("div.scale", { "aria-hidden": "true" }, make("span", { style: { "--from": low, "--to": high } })));
};

const stepRow = (step, index, steps) => {
  const isLast = step.rank == null;
  const failed = failedHere(step, steps[index + 1]);
  return make(`li.step${isLast ? ".dispatcher" : ""}`,
    rail(step, steps[index + 1], Math.max(...steps.map(({ calls }) => calls))),
    make("div.step-name", make("b", shown(step.name)), make("span.meta", shown(step.stage), isLast ? "" : ` · ${step.rank}`)),
    make("ul.step-counts",
      make("li", counted(step.calls, "call")),
      step.answered > 0 && make("li.good", `${count(step.answered)} answered${isLast ? "" : " here"}`),
      failed > 0 && make("li.bad", `${count(failed)} failed${isLast ? "" : " here"}`)),
    times(step),
    make("p.step-last", step.last ? shown(step.last) : "–"));
};

/** Creates the page of the pipeline. */
export const createPipeline = (feed) => {
  const element = make("div.page.pipeline");
  let drawn = null;
  const refresh = () => {
    const steps = feed.state?.pipeline ?? [];
    const text = JSON.stringify([feed.state !== null, steps]);
    if (text === drawn) return;
    drawn = text;
    element.replaceChildren(heading("Pipeline"));
    if (steps.length === 0) {
      element.append(make("div.empty", make("p", feed.state ? "No pipeline is known to the inspector." : "Connecting to the app.")));
      return;
    }
    element.append(
      meta("From the caller to the network. Widths are shares of the calls; times are each interceptor's own, from 1 µs to 10 s."),
      make("div.steps-frame", make("div.step.captions", { "aria-hidden": "true" }, make("span", "Caller"), make("span", "Interceptor"),
        make("span", "Calls"), make("span", "Own time, p50 and p99"), make("span", "What it did last")),
        make("ol.steps", steps.map(stepRow))));
  };
  return { element, show: refresh, refresh };
};

/** Creates the page of the routes' drawing. */
export const createRoutes = (feed, hashes) => {
  const drawing = make("img", { alt: "The modules, routes and guards of the app; those opened so far are lit" });
  const failed = make("p.meta", { hidden: true }, "The drawing could not be loaded.");
  drawing.addEventListener("error", () => { failed.hidden = false; drawing.hidden = true; });
  drawing.addEventListener("load", () => { failed.hidden = true; drawing.hidden = false; });
  const opened = make("ol.opened");
  const figure = make("figure.drawing", { tabindex: "0", "aria-label": "Drawing of the routes" }, drawing, failed);
  const none = make("div.empty", make("p", "This app has given the inspector no drawing of its routes."));
  const element = make("div.page.routes",
    make("div.line", heading("Routes"), make("a.button", { href: "routes.svg", target: "_blank", rel: "noopener" },
      "Open the drawing")), figure, none,
    section("Opened last", opened));
  let shownAt = null;
  const refresh = () => {
    const routes = feed.events.filter(({ kind }) => kind === "route" || kind === "guard");
    const has = feed.state?.hasRoutes ?? false;
    [figure.hidden, none.hidden] = [!has, has];
    element.querySelector(".line .button").hidden = !has;
    // The drawing changes only when a route was opened.
    const at = `${feed.state?.run}-${routes.at(-1)?.seq ?? 0}`;
    if (has && at !== shownAt) { shownAt = at; drawing.src = `routes.svg?at=${encodeURIComponent(at)}`; }
    opened.replaceChildren(...routes.slice(-30).reverse().map((event) => make(`li.entry.${plain(event.kind)}`,
      make("time", clock(event.time)), make("span.kind", plain(event.kind)), make("div.what", eventRow({ event }, hashes)))));
    if (routes.length === 0) opened.append(make("li.empty", make("p", "No route was opened yet.")));
  };
  return { element, show: refresh, refresh };
};
