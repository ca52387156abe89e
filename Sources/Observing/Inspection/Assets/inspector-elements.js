// Elements, texts and units. All that the app recorded enters the page as text nodes, never as markup.

const svgTags = new Set(["svg", "g", "path", "rect", "line", "polyline", "polygon", "circle", "text"]);

/** Makes an element: `make("p.note", {title: "…", onclick: …}, "text", other)`. */
export const make = (selector, ...rest) => {
  const [tag, ...classes] = selector.split(".");
  const element = svgTags.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  if (tag === "button") element.type = "button";
  if (classes.length > 0) element.setAttribute("class", classes.join(" "));
  const hasAttributes = rest[0] !== null && typeof rest[0] === "object" && !(rest[0] instanceof Node) && !Array.isArray(rest[0]);
  const attributes = hasAttributes ? rest.shift() : {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [property, it] of Object.entries(value)) element.style.setProperty(property, it);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...rest.flat(3).filter((child) => child != null && child !== false));
  return element;
};

const controls = "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(" ");
const bidirectional = {
  "\u200e": "LRM", "\u200f": "RLM", "\u202a": "LRE", "\u202b": "RLE", "\u202c": "PDF", "\u202d": "LRO",
  "\u202e": "RLO", "\u2066": "LRI", "\u2067": "RLI", "\u2068": "FSI", "\u2069": "PDI",
};
const special = /(█+|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff])/;
const specials = new RegExp(special.source, "g");

const nameOfControl = (character) => {
  const code = character.codePointAt(0);
  return controls[code] ?? bidirectional[character] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
};

/** A text for attributes: invisible characters are named. */
export const plain = (text) => String(text ?? "").replace(specials, (part) => part[0] === "█" ? part : nameOfControl(part));

const whatIsRedacted = "Redacted: kept out of the inspector";
const piece = (part) => {
  if (part === "") return null;
  if (part[0] === "█") return make("span.redacted", { role: "img", "aria-label": "redacted", title: whatIsRedacted }, "██");
  return special.test(part) ? make("span.control", { title: "A control character" }, nameOfControl(part)) : part;
};

/** A recorded text, isolated from its neighbours' direction, with its redacted and invisible parts named. */
export const shown = (text) => make("bdi", { dir: "ltr" }, /^█+$/.test(text)
  ? make("span.badge", { title: whatIsRedacted }, "redacted") : String(text ?? "").split(special).map(piece));

// A format is made once: making it takes longer than all else of a row.
const formats = [0, 1, 2].map((digits) => new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
const rounded = (number, digits) => formats[digits].format(number);

/** A number with separators of thousands. */
export const count = (number) => formats[0].format(Number(number ?? 0));

/** "1 call" or "2 calls". */
export const counted = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

/** A duration, such as "0.12 ms", "12.5 ms" or "3.00 s". */
export const duration = (milliseconds) => {
  if (milliseconds == null) return "–";
  const value = Number(milliseconds);
  if (value >= 59_995) return `${Math.floor(value / 60_000)} min ${Math.round(value % 60_000 / 1000)} s`;
  if (value >= 999.5) return `${rounded(value / 1000, 2)} s`;
  if (value === 0) return "0 ms";
  return `${rounded(value, value < 1 ? 2 : value < 100 ? 1 : 0)} ms`;
};

/** A size, such as "812 B" or "5.1 kB". */
export const size = (bytes) => {
  const value = Number(bytes ?? 0);
  if (value < 1000) return `${value} B`;
  const unit = value < 999_500 ? [1000, "kB"] : value < 999_500_000 ? [1e6, "MB"] : [1e9, "GB"];
  const scaled = value / unit[0];
  return `${rounded(scaled, scaled < 10 ? 1 : 0)} ${unit[1]}`;
};

export const percent = (ratio) => ratio == null ? "–" : `${rounded(ratio * 100, ratio > 0 && ratio < .1 ? 1 : 0)} %`;

/** The time of day with milliseconds. */
export const clock = (seconds) => {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.valueOf())) return "–";
  const two = (number) => String(number).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, "0")}`;
};

/** "estate.homes 1", as far as the parts are known. */
export const apiName = (call) => [[call.service, call.api].filter(Boolean).join("."), call.version].filter(Boolean).join(" ");

/** The path with its query. */
export const target = (call) => (call.path || "/") + (call.query ? `?${call.query}` : "");

/** A quiet paragraph. */
export const meta = (...children) => make("p.meta", children);

/** A part of a page with its heading. */
export const section = (title, ...children) => make("section", make("h2", title), children);

/** The head of a table's row. */
export const rowHead = (...children) => make("th", { scope: "row" }, children);

/** The heading of a view, which takes the focus when the view is opened. */
export const heading = (text) => make("h1", { tabindex: "-1" }, text);

/** The head of a table. */
export const columns = (...names) => make("thead", make("tr", names.map((name) => make("th", { scope: "col" }, name))));

/** A button that copies a text, and says so in its own label for two seconds. */
export const copyButton = (label, text) => {
  const button = make("button", label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "The browser refused";
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  });
  return button;
};
