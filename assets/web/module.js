// A lesson in a page of its own: module.js, tables.js, keep.js, answers.js, at times xapi.js, and page.js, one after the other.
// The module (app/web, compiled to WebAssembly) works on the tables, asks the questions and judges the answers; the scripts hand
// it requests, which app/web/page_lesson.hpp lists, and draw what comes back.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
const stepMilliseconds = 1200;

// ---- the language

const catalogue = data.catalogue ?? { texts: {}, forms: "" };

/** The words with values in the places of {}, or of {0}, {1} in another order. */
function filled(words, values) {
  let next = 0;
  return words.replace(/\{(\d*)\}/g, (place, number) => String(values[number === "" ? next++ : Number(number)]));
}

/** The text in the language of the page. scripts/catalogue collects the arguments. */
const tr = (text, ...values) => filled(catalogue.texts[text]?.[0] ?? text, values);

function tr_plural(one, many, count, ...values) {
  const form = Number(catalogue.forms[count < 200 ? count : 100 + count % 100]);
  return filled(catalogue.texts[one]?.[form] ?? (count === 1 ? one : many), values);
}

let ask;            // of the module: a request, and what to show after it
let shown;          // the latest of these
let playing = null; // the timer, while steps follow by themselves
let asked = -1;     // the visit whose field for an answer is on the page

// ---- the module

async function open_module() {
  const packed = Uint8Array.from(atob(at("module").textContent.trim()), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(unpacked).arrayBuffer();
  const unsupported = 52;  // as WASI says it: there are no files here
  let exports = null;
  const view = () => new DataView(exports.memory.buffer);
  const known = {
    clock_time_get: (clock, precision, into) => {
      view().setBigUint64(into, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    environ_sizes_get: (count, size) => {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    proc_exit: (code) => { throw new Error("The module has ended: " + code); },
    emscripten_notify_memory_growth: () => {},
  };
  const imports = {};
  const module = await WebAssembly.compile(bytes);
  for (const wanted of WebAssembly.Module.imports(module)) {
    imports[wanted.module] ??= {};
    imports[wanted.module][wanted.name] = known[wanted.name] ?? (() => unsupported);
  }
  exports = (await WebAssembly.instantiate(module, imports)).exports;
  exports._initialize();
  return (request) => {
    const text = new TextEncoder().encode(JSON.stringify(request) + "\0");
    const place = exports.malloc(text.length);
    new Uint8Array(exports.memory.buffer, place, text.length).set(text);
    const reply = exports.slotscape_ask(place);
    exports.free(place);
    const memory = new Uint8Array(exports.memory.buffer);
    return JSON.parse(new TextDecoder().decode(memory.subarray(reply, memory.indexOf(0, reply))));
  };
}

// ---- elements

/** An element with attributes (functions are listeners) and children: elements, texts, or nothing. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const styles = { plain: null, strong: "strong", emphasis: "em", code: "code" };

/** The words of a block, some of them in elements. */
function words_of(block) {
  return block.spans.flatMap(([style, words]) => {
    if (styles[style] === null) return [words];
    const space = /^[ \u00a0]?/.exec(words)[0];
    return [space, make(styles[style], {}, words.slice(space.length))];
  });
}

/** A text of the module: paragraphs and lists. */
function blocks(text) {
  const made = [];
  for (const block of text) {
    if (!block.item) {
      made.push(make("p", {}, words_of(block)));
      continue;
    }
    if (made.at(-1)?.tagName !== "UL") made.push(make("ul"));
    made.at(-1).append(make("li", {}, words_of(block)));
  }
  return made;
}

/** Puts elements in place of others; what has the focus keeps it, by its id. */
function fill(id, ...elements) {
  const place = at(id);
  const focused = place.contains(document.activeElement) ? document.activeElement.id : "";
  place.replaceChildren(...elements.flat().filter((element) => element !== null));
  if (focused !== "" && document.activeElement?.id !== focused) at(focused)?.focus();
}

/** The same, unless the place reads the same already: what is being pressed stays. */
function refill(id, ...elements) {
  const fresh = make("div", {}, ...elements.flat());
  if (at(id).innerHTML !== fresh.innerHTML) fill(id, ...fresh.childNodes);
}

/** Fills a place that is read out when it changes, unless it says the same. */
function tell(id, ...elements) {
  const fresh = make("div", {}, ...elements);
  if (at(id).innerHTML !== fresh.innerHTML) at(id).replaceChildren(...fresh.childNodes);
}

const button = (id, words, press, more = {}) => make("button", { type: "button", id, click: press, ...more }, words);

/** A button that keeps the focus while it does nothing. */
const idle_button = (id, words, press, idle, more = {}) =>
  button(id, words, () => { if (!idle) press(); }, { "aria-disabled": idle ? "true" : null, ...more });
