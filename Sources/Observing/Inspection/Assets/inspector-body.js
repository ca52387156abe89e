// Header fields and bodies: tables, a JSON tree that is built as it is opened, images, text in portions.
import { copyButton, count, make, meta, plain, rowHead, shown, size } from "./inspector-elements.js";

const portionOfText = 50_000;
const portionOfTree = 100;
const portionOfString = 400;
// Above this size a tree is built only when it is asked for: parsing blocks the page.
const sizeOfTree = 4_000_000;

/** A table of header fields. */
export const fieldsTable = (fields, label) => {
  if (!fields || fields.length === 0) return meta("No fields.");
  return make("table.fields-table", { "aria-label": label }, make("tbody", fields.map(([name, value]) =>
    make("tr", rowHead(shown(name)), make("td", shown(value))))));
};

const isJSON = (type) => /[/+]json\b/i.test(type ?? "");

const leaf = (value) => {
  if (typeof value !== "string") return make(`span.${value === null ? "null" : typeof value}`, String(value));
  if (/^█+$/.test(value)) return shown(value);
  if (value.length <= portionOfString) return make("span.string", "\"", shown(value), "\"");
  const all = make("button.link", `all ${count(value.length)} characters`);
  const text = make("span.string", "\"", shown(value.slice(0, portionOfString)), "… ");
  all.addEventListener("click", () => { text.replaceChildren("\"", shown(value), "\""); all.remove(); });
  return make("span", text, all);
};

const lengthOf = (value) => Array.isArray(value) ? value.length : Object.keys(value).length;

const summaryOf = (value) => {
  if (Array.isArray(value)) return `[ ${count(value.length)} ]`;
  const names = Object.keys(value).slice(0, 4).map((key) => plain(key).slice(0, 24));
  return `{ ${names.join(", ")}${lengthOf(value) > 4 ? ", …" : ""} }`;
};

/** A part of the tree that makes its children when it is first opened. */
const branch = (label, preview, children, isOpen) => {
  const element = make("details.branch", make("summary", label, make("span.preview", preview)));
  const fill = () => { if (element.childElementCount === 1) element.append(make("ul", children())); };
  element.addEventListener("toggle", () => { if (element.open) fill(); });
  if (isOpen) { fill(); element.open = true; }
  return element;
};

const entriesOf = (value, from, to) => Array.isArray(value)
  ? value.slice(from, to).map((it, index) => [from + index, it]) : Object.entries(value).slice(from, to);

/** The rows of a container's entries. Many are divided, so that no opening makes more than a hundred rows. */
const rows = (value, from, to, depth) => {
  if (to - from <= portionOfTree) {
    return entriesOf(value, from, to).map(([key, it]) => make("li", node(key, it, depth + 1)));
  }
  let step = portionOfTree;
  while (step * portionOfTree < to - from) step *= portionOfTree;
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => {
    const start = from + index * step;
    const end = Math.min(start + step, to);
    return make("li", branch(make("span.key", `${count(start)} … ${count(end - 1)}`), "", () => rows(value, start, end, depth)));
  });
};

const node = (key, value, depth) => {
  const label = make("span.key", key === null ? "root" : shown(key));
  if (value === null || typeof value !== "object") return make("div.leaf", label, ": ", leaf(value));
  const length = lengthOf(value);
  if (length === 0) return make("div.leaf", label, ": ", make("span.null", Array.isArray(value) ? "[ ]" : "{ }"));
  return branch(label, summaryOf(value), () => rows(value, 0, length, depth), depth < 1);
};

const treeOf = (text) => {
  try { return make("div.tree", node(null, JSON.parse(text), 0)); } catch { return null; }
};

/** A text of which a portion is shown, with a button for the next one. */
const textInPortions = (text) => {
  const block = make("pre.code", { tabindex: "0", "aria-label": "Text of the body" });
  const element = make("div", block);
  let end = 0;
  const more = make("button");
  const add = () => {
    block.append(shown(text.slice(end, end + portionOfText)));
    end = Math.min(end + portionOfText, text.length);
    more.textContent = `Show more (${count(text.length - end)} characters are left)`;
    if (end >= text.length) more.remove();
  };
  if (text.length > portionOfText) element.append(more);
  more.addEventListener("click", add);
  add();
  return element;
};

const indented = (text) => {
  if (text.length > sizeOfTree) return text;
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
};

const jsonViews = (text) => {
  const isBig = text.length > sizeOfTree;
  const tree = isBig ? null : treeOf(text);
  if (!isBig && !tree) return textInPortions(text);
  const views = {
    Tree: () => tree ?? treeOf(text) ?? meta("This text is not valid JSON."), Text: () => textInPortions(indented(text)),
  };
  const place = make("div");
  const choose = (name) => {
    place.replaceChildren(views[name]());
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.textContent === name));
  };
  const buttons = Object.keys(views).map((name) => make("button", { onclick: () => choose(name) }, name));
  if (tree) choose("Tree");
  else place.append(meta(`The tree of ${size(text.length)} is built when it is chosen.`));
  return [make("div.segments", { role: "group", "aria-label": "View of the body" }, buttons), place];
};

const image = (body) => {
  const dimensions = make("span");
  const picture = make("img", {
    src: `data:${body.type.split(";")[0]};base64,${body.base64}`, alt: "The body as an image",
    onload: () => { dimensions.textContent = `${picture.naturalWidth} × ${picture.naturalHeight} pixels`; },
    onerror: () => { picture.replaceWith(meta("The bytes are not an image that this browser can show.")); },
  });
  return make("figure.image", picture, make("figcaption", dimensions));
};

const contents = ({ type, text, base64, cut }) => {
  if (base64 && /^image\/[a-z0-9.+-]+/i.test(type)) return image({ type, base64 });
  if (!text) return null;
  const looksLikeJSON = !cut && (isJSON(type) || /^\s*[[{]/.test(text));
  return looksLikeJSON ? jsonViews(text) : textInPortions(text);
};

/** A body with its size, type and contents. */
export const bodyView = (body, title, level = "h2") => {
  if (!body || !body.size && !body.text && !body.base64 && !body.omitted) return make("section.body", make(level, title), meta("No body."));
  const facts = [body.type && shown(body.type), body.size != null && size(body.size),
    body.cut && "only the beginning is shown"].filter(Boolean);
  return make("section.body",
    make("div.line", make(level, title), meta(facts.flatMap((fact, index) => index > 0 ? [" · ", fact] : [fact])),
      typeof body.text === "string" && body.text !== "" && copyButton("Copy", body.text)),
    body.omitted && meta(shown(body.omitted)), contents(body));
};
