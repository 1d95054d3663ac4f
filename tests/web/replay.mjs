// Has the module of an exported page go through a transcript of the program (transcript.cpp), and says where they differ:
//   node replay.mjs PAGE.html TRANSCRIPT.json
// The page's own script opens the module, so what is tested is what a browser runs.
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import { isDeepStrictEqual } from "node:util";

const [page_file, transcript_file] = process.argv.slice(2);
const page = readFileSync(page_file, "utf8");
const part = (pattern) => page.match(pattern)[1];
const module_text = part(/<script type="text\/plain" id="module">([^<]*)<\/script>/);
const script = part(/<script>\n([\s\S]*)<\/script>\n<\/body>/);

// Just enough of a page for its script to be read; it does not begin.
globalThis.document = { getElementById: (id) => ({ textContent: id === "module" ? module_text : '{"name":""}' }) };
globalThis.window = { matchMedia: () => ({ matches: true }), addEventListener: () => {} };
runInThisContext(script.replace(/begin\(\);\s*$/, "globalThis.open_module = open_module;"));

function seen(shown) {
  const picked = {};
  for (const field of ["page", "title", "text", "points_of_pages"]) picked[field] = shown[field];
  if (shown.task === null) return picked;
  for (const field of ["ask", "stage", "right", "told", "conditions"]) {
    if (field in shown.task) picked[field] = shown.task[field];
  }
  if ("options" in shown.task) picked.options = shown.task.options.map((option) => option.text);
  return picked;
}

const ask = await globalThis.open_module();
let requests = 0;
let pages = 0;
let different = 0;
for (const { data, runs } of JSON.parse(readFileSync(transcript_file, "utf8"))) {
  for (const { seed, entries } of runs) {
    const opened = ask({ do: "open", name: data.name, lesson: data.lesson, progress: { seed } });
    if (opened.error !== undefined) {
      console.log(`${data.name}: ${opened.error}`);
      ++different;
      continue;
    }
    for (const entry of entries) {
      ++requests;
      pages += entry.request.do === "go_to" ? 1 : 0;
      const shown = ask(entry.request);
      const picked = shown.error === undefined ? seen(shown) : {};
      const steps = shown.tables?.map((table) => table.steps);
      const says_the_same = Object.entries(entry.seen).every(([field, value]) => isDeepStrictEqual(picked[field], value));
      const steps_the_same = !("steps" in entry) || isDeepStrictEqual(steps, entry.steps);
      if (says_the_same && steps_the_same) continue;
      ++different;
      console.log(`${data.name}, seed ${seed}, after ${JSON.stringify(entry.request)}:`);
      console.log(`the program  ${JSON.stringify(entry.seen)}`);
      console.log(`the page     ${shown.error ?? JSON.stringify(picked)}`);
      if (!steps_the_same) console.log(`steps ${JSON.stringify(entry.steps)}\nare   ${JSON.stringify(steps)}`);
      break;
    }
  }
}
console.log(`${pages} pages, ${requests} requests compared, ${different} runs differ`);
process.exit(requests === 0 || different !== 0 ? 1 : 0);
