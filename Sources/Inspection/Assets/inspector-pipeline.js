// The pipeline, drawn as the flow of calls through its interceptors, and the drawing of the app's routes.
import { clock, count, counted, duration, make, plain, shown } from "./inspector-elements.js";

const [railWidth, rowHeight, widest] = [120, 64, 72];

/** A piece of the flow: as wide as the share of calls that arrives here, with a branch for those answered here. */
const rail = (step, next, most) => {
  const wide = (calls) => most > 0 && calls > 0 ? Math.max(2, calls / most * widest) : 0;
  const [above, below] = [wide(step.calls), wide(next ? next.calls : 0)];
  const x = 8;
  const flow = make("path.flow", { d: `M${x} 0H${x + above}C${x + above} ${rowHeight * .5} ${x + below} ${rowHeight * .5} ${x + below} ${rowHeight}H${x}Z` });
  const isLast = !next;
  const answered = step.answered > 0 && !isLast && make("path.answered", { d: `M${x + below} ${rowHeight * .42}H${railWidth - 8}m-6 -5 6 5-6 5` });
  return make("svg.rail", { viewBox: `0 0 ${railWidth} ${rowHeight}`, "aria-hidden": "true", preserveAspectRatio: "none" }, above > 0 ? flow : make("path.idle", { d: `M${x + 1} 0V${rowHeight}` }), answered);
};

const stepRow = (step, index, steps) => make(`li.step${step.rank === null || step.rank === undefined ? ".dispatcher" : ""}`,
  rail(step, steps[index + 1], steps[0].calls),
  make("div.step-name", make("b", shown(step.name)), make("span.meta", shown(step.stage), step.rank === null || step.rank === undefined ? "" : ` · ${step.rank}`)),
  make("ul.step-counts",
    make("li", counted(step.calls, "call")),
    step.answered > 0 && make("li.good", `${count(step.answered)} answered here`),
    step.failed > 0 && make("li.bad", `${count(step.failed)} failed here`)),
  make("dl.step-times", make("div", make("dt", "p50"), make("dd", duration(step.own?.p50))), make("div", make("dt", "p99"), make("dd", duration(step.own?.p99)))),
  make("p.step-last", make("span.meta", "last "), step.last ? shown(step.last) : make("span.meta", "–")));

/** Creates the page of the pipeline. */
export const createPipeline = (feed) => {
  const element = make("div.page.pipeline");
  const refresh = () => {
    const steps = feed.state?.pipeline ?? [];
    element.replaceChildren(make("h1", { tabindex: "-1" }, "Pipeline"), steps.length === 0
      ? make("div.empty", make("p", feed.state ? "No pipeline is known to the inspector." : "Connecting to the app."))
      : make("p.meta", "From the caller at the top to the network at the bottom. The width is the share of calls that arrives; the times are each interceptor's own."),
    make("ol.steps", steps.map(stepRow)));
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
  const figure = make("figure.drawing", drawing, failed);
  const none = make("div.empty", make("p", "This app has given the inspector no drawing of its routes."));
  const element = make("div.page.routes",
    make("div.line", make("h1", { tabindex: "-1" }, "Routes"), make("a.button", { href: "routes.svg", target: "_blank", rel: "noopener" }, "Open the drawing")), figure, none,
    make("section", make("h2", "Opened last"), opened));
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
      make("time", clock(event.time)), make("span.kind", plain(event.kind)), make("div.what", make("p.title", shown(event.title)), event.detail && make("p.meta", shown(event.detail)),
        event.call !== null && event.call !== undefined && make("a.of-call", { href: hashes.call(event.call) }, `call #${event.call}`)))));
    if (routes.length === 0) opened.append(make("li.empty", make("p", "No route was opened yet.")));
  };
  return { element, show: refresh, refresh };
};
