// ---- requests

let keeper = by_browser("");
let log = log_of([]);
let store = null;  // of statements
let complains = "refused";  // the place of the page that a complaint belongs to
let faulty = null;          // the field that it is about

const opening = (progress) => ({ do: "open", name: data.name, lesson: data.lesson, progress, catalogue: data.catalogue });

/** `field`: of *Work on the table*, that the request was read from. `given`: before it, where the page is being opened. */
function request(what, { field = null, given = shown?.given } = {}) {
  const before = shown;
  const reply = ask(what);
  if (reply.error === undefined) {
    reply.given = given_after(what, given, reply);
    log.note(what, before, reply);
    store?.note(what, before, reply);
    const is_answer = ["answer", "choose", "hint", "another"].includes(what.do);
    complains = field !== null ? "said" : is_answer ? "complaint" : "refused";
    faulty = reply.complaint === "" ? null : field ?? (what.do === "answer" ? "answer" : null);
  }
  show(reply);
  if (field === null || faulty === null) return;
  at(faulty).focus();
  at("said").scrollIntoView({ block: "nearest" });
}

const complaint_at = (place) => complains === place ? shown.complaint : "";

function mark_faulty() {
  for (const field of document.querySelectorAll("input, select")) {
    if (field.id === faulty) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
  at("said").classList.toggle("wrong", complaint_at("said") !== "");
}

function show_kept() {
  tell("kept", [keeper.words(), store?.words() ?? ""].filter((words) => words !== "").join(" "));
}

function keep() {
  const now = { progress: shown.progress, given: shown.given, requests: log.requests };
  keeper.keep(now, shown);
  tell("besides", ...keeper.besides(now));
  show_kept();
}

function go_to(page) {
  stop();
  request({ do: "go_to", page });
  at("title").focus();
  window.scrollTo(0, 0);
}

// ---- the question

function answer_field() {
  const task = shown.task;
  if (task.stage !== "asking") return [];
  if (asked === shown.visit && at("answer") !== null) return [at("answers").firstElementChild];
  asked = shown.visit;
  const what = task.kind === "number" ? tr("Your answer, a number or a formula")
    : task.asks === "slot" ? tr("Your answer, a slot: type its number or choose it in the table") : tr("Your answer, a number");
  return [make("form", { submit: (event) => {
    event.preventDefault();
    request({ do: "answer", text: at("answer").value });
    at(shown.complaint === "" ? "told" : "answer").focus();
  } },
    make("label", {}, what, make("input", { id: "answer", autocomplete: "off", inputmode: "text", size: 12,
                                            "aria-describedby": "complaint", input: change_answer })),
    make("button", { type: "submit", id: "give", class: "primary" }, tr("Answer")))];
}

/** An option's letter chooses it. Only where the focus is on an option: keys of assistive technology keep their meaning elsewhere. */
function choose_by_letter(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const number = shown.task.options.findIndex((option) => option.letter.toLowerCase() === event.key.toLowerCase());
  if (number < 0) return;
  at(`option-${number}`).focus();
  at(`option-${number}`).click();
}

function answers() {
  const task = shown.task;
  if (task.kind === "choice") {
    return [make("ol", { class: "options", keydown: choose_by_letter }, task.options.map((option, number) => make("li", {},
      idle_button(`option-${number}`,
        [make("strong", {}, option.letter), make("span", {}, option.text.flatMap(words_of))],
        () => { stop(); request({ do: "choose", option: number }); }, !task.open,
        { "aria-pressed": String(option.chosen), class: option.right ? "right" : null }))))];
  }
  if (task.kind === "challenge") {
    return [make("ul", { class: "conditions" }, task.conditions.map((each) => make("li", { class: each.met ? "met" : null },
      `${each.what}: `, make("strong", {}, each.value), ` — ${each.wanted}`, each.met ? tr(" (met)") : tr(" (not yet)"))))];
  }
  return answer_field();
}

/** Words with **strong** ones. */
const with_strong = (words) => words.split("**").map((part, number) => number % 2 === 1 ? make("strong", {}, part) : part);

/** Who comes back to a page sees that it is solved, and how. */
function solved_words() {
  const points = shown.points_of_pages[shown.page];
  if (points === 0 || shown.task.stage !== "asking") return [];
  const { text, right, question } = shown.given[shown.page] ?? {};
  const is_of_this = right && question === shown.progress.others[shown.page];
  return [...with_strong(tr("Solved: **{}**.", tr_plural("{} point", "{} points", points, points))),
          ...(is_of_this ? [" ", ...with_strong(tr("Your answer was **{}**.", text))] : [])];
}

function show_task() {
  const task = shown.task;
  tell("refused", complaint_at("refused"));
  at("task").hidden = task === null;
  if (task === null) return;
  fill("ask", blocks(task.ask));
  tell("solved", ...solved_words());
  fill("answers", answers());
  tell("complaint", complaint_at("complaint"));
  tell("chosen", asks_for_slot() && at("answer").value !== "" ? at("chosen").textContent : "");
  const hint = shown.points_of_pages[shown.page] > 0 ? tr("Hint") : tr("Hint (the page is then worth one point, not two)");
  const take_hint = () => { request({ do: "hint" }); at("help").focus(); };
  fill("help", task.hinted ? [make("strong", {}, tr("*Hint:* ").replaceAll("*", "")), ...blocks(task.hint)]
    : task.has_hint && task.stage === "asking" ? button("hint", hint, take_hint)
      : []);
  at("told").className = task.right ? "right" : "";
  tell("told", ...(task.stage === "told" ? blocks(task.told) : []));
  const more = task.stage === "told" && task.kind !== "challenge" && (shown.varies || !task.right);
  const words = !shown.varies ? tr("Try again") : task.right ? tr("A question like this") : tr("Try another question");
  refill("again", more ? button("another", words, () => { stop(); request({ do: "another" }); at("title").focus(); }) : []);
}

// ---- the user's own hands

function field(id, words, value, more = {}) {
  return make("label", {}, words,
              make("input", { id, value, autocomplete: "off", "aria-describedby": "said", input: forget_complaint, ...more }));
}

function settings_controls() {
  const select = (setting) => make("select", {
    id: `set-${setting.name}`,
    change: (event) => request({ do: "set", name: setting.name, value: event.target.value }, { field: `set-${setting.name}` }) },
    setting.choices.map(([value, words]) => make("option", { value, selected: value === setting.value }, words)));
  return make("form", { submit: (event) => event.preventDefault() },
    shown.settings.map((setting) => make("label", {}, setting.title, select(setting))));
}

function key_controls() {
  const on_keys = (what, operation) => {
    request({ do: what, operation, text: at("keys").value }, { field: "keys" });
    if (shown.complaint === "") at("keys").value = "";
  };
  return make("form", { submit: (event) => { event.preventDefault(); on_keys("keys", "insert"); } },
    field("keys", tr("Keys, such as 3, 20, 41"), at("keys")?.value ?? "", { size: 16 }),
    make("button", { type: "submit", id: "insert" }, tr("Insert")),
    button("erase", tr("Erase"), () => on_keys("keys", "erase")),
    button("find", tr("Find"), () => on_keys("keys", "find")),
    button("step-insert", tr("Insert, step by step"), () => on_keys("trace", "insert")));
}

function table_controls() {
  const steps = (...list) => request({ do: "change", change: list }, { field: "batch" });
  const rehash = (slots) => request({ do: "rehash", slots }, { field: "slots" });
  const count = () => Number(at("batch").value);
  const slots = shown.tables[0].slots;
  return make("form", { submit: (event) => event.preventDefault() },
    field("batch", tr("New keys"), at("batch")?.value ?? String(shown.batch), { type: "number", min: 1, max: 100000 }),
    button("insert-batch", tr("Insert"), () => steps({ op: "insert", count: count() })),
    button("erase-batch", tr("Erase this many"), () => steps({ op: "erase", count: count() })),
    field("slots", tr("Slots"), String(slots), { type: "number", min: 2, max: 65536 }),
    button("rehash", tr("Rehash"), () => rehash(Number(at("slots").value))),
    // Lessons call these by the program's keys.
    button("double", tr("R: twice the slots"), () => rehash(2 * slots), { disabled: slots > 32768 }),
    button("halve", tr("D: half the slots"), () => rehash(Math.floor(slots / 2))),
    button("purge", tr("P: purge tombstones"), () => steps({ op: "purge" })),
    button("clear", tr("Clear"), () => steps({ op: "clear" })));
}

function show_hands() {
  const asked = shown.task !== null && shown.task.kind !== "challenge" && shown.task.stage !== "told";
  const can = shown.tables.length === 1 && !asked;
  at("hands").hidden = !can;
  if (!can) return;
  if (shown.task?.kind === "challenge" && shown.visit !== show_hands.visit) at("hands").open = true;
  show_hands.visit = shown.visit;
  fill("key-controls", key_controls());
  fill("controls", table_controls(), settings_controls());
  tell("said", complaint_at("said") || shown.said);
}

// ---- the page

function show_recorded() {
  const recorded = data.recorded[shown.page];
  fill("recorded", recorded === undefined ? [] : make("figure", {},
    make("img", { src: recorded.picture, alt: recorded.alt }),
    make("figcaption", {}, recorded.caption),
    recorded.code.length === 0 ? null : make("details", {}, make("summary", {}, tr("Pseudocode")),
      recorded.code.map(({ title, lines }) => [make("p", {}, title),
                                               make("ol", { class: "code" }, lines.map((line) => make("li", {}, line)))]).flat()),
    recorded.question === undefined ? null : make("details", {}, make("summary", {}, tr("The question in the program")),
      ...blocks(recorded.question), ...blocks(recorded.answer))));
  at("tables").hidden = recorded !== undefined;
  if (recorded !== undefined) at("hands").hidden = true;
}

function show_pages() {
  refill("pages", shown.points_of_pages.map((points, page) => {
    const earned = points > 0 ? `, ${tr_plural("{} point", "{} points", points, points)}` : shown.tasks[page] ? tr(", open") : "";
    return make("li", {}, button(`page-${page}`, String(page + 1), () => go_to(page), {
      "aria-label": tr("Page {}", page + 1) + earned,
      "aria-current": page === shown.page ? "page" : null,
      class: points > 1 ? "all" : points > 0 ? "some" : null }));
  }));
  at("points").textContent = shown.points_possible === 0 ? tr("Page {} of {}", shown.page + 1, shown.count)
    : tr("{} of {}", shown.points, tr_plural("{} point", "{} points", shown.points_possible, shown.points_possible));
}

function show_turn() {
  refill("turn",
    button("previous", tr("Back"), () => go_to(shown.page - 1), { disabled: shown.page === 0 }),
    button("restart", tr("Restart this page"), () => { stop(); request({ do: "restart" }); at("title").focus(); }),
    button("next", tr("Next"), () => go_to(shown.page + 1),
      { disabled: shown.page + 1 === shown.count, class: shown.task === null || shown.task.right ? "primary" : null }));
}

function show(reply) {
  if (reply.error !== undefined) {
    at("wait").hidden = false;
    at("wait").textContent = reply.error;
    return;
  }
  const had_steps = shown?.visit === reply.visit && shown.tables.some((table) => table.steps !== null);
  const begins = reply.plays && !had_steps;
  shown = reply;
  document.title = `${shown.title} – ${shown.lesson}`;
  fill("title", shown.title);
  fill("text", blocks(shown.text));
  refill("buttons", shown.buttons.map((words, number) =>
    button(`do-${number}`, words, () => { stop(); request({ do: "press", button: number }); })));
  show_task();
  fill("score", blocks(shown.score));
  show_steps();
  show_tables();
  mark_chosen();
  show_hands();
  mark_faulty();
  show_recorded();
  show_pages();
  show_turn();
  show_hand_in();
  keep();
  if (begins && position() === 0 && last() > 0 && !calm.matches) play();
}

async function begin() {
  const wanted = new URLSearchParams(location.search).get("variant");
  const variant = wanted === null ? null : Number(wanted);
  const is_variant = wanted === null || (/^\d+$/.test(wanted) && variant > 0 && Number.isSafeInteger(variant));
  if (!is_variant) {
    at("wait").textContent = tr("The address of this page asks for variant '{}'. A variant is a whole number from 1 to {}, such as in "
      + "?variant=7: change it, or leave it out.", wanted, String(Number.MAX_SAFE_INTEGER));
    return;
  }
  try {
    ask = await open_module();
  } catch (error) {
    at("wait").textContent = tr("This browser cannot run the lesson: it needs WebAssembly with exceptions and "
      + "DecompressionStream, which every browser has had since 2023. ({})", error.message);
    return;
  }
  keeper = find_keeper();
  store = keeper.records && typeof find_store === "function" ? find_store() : null;
  const { progress, given, requests } = keeper.begin(variant);
  log = log_of(requests);
  at("hand-in-form").addEventListener("submit", (event) => { event.preventDefault(); save_answers(); });
  at("wait").hidden = true;
  for (const part of ["main", "turn"]) at(part).hidden = false;
  request(opening(progress), { given });
}

window.addEventListener("pagehide", () => keeper.leave());
window.addEventListener("pageshow", (event) => { if (event.persisted && keeper.is_course) location.reload(); });
window.addEventListener("resize", () => { if (shown !== undefined) show_tables(); });
begin();
