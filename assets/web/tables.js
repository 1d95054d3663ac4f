// ---- steps

const position = () => Math.max(...shown.tables.map((table) => table.steps.position));
const last = () => Math.max(...shown.tables.map((table) => table.steps.count));

function stop() {
  clearInterval(playing);
  playing = null;
}

function step_to(to) {
  request({ do: "step", position: Math.min(Math.max(to, 0), last()) });
}

function by_hand(to) {
  stop();
  step_to(to);
}

function play() {
  stop();
  if (position() === last()) step_to(0);
  playing = setInterval(() => {
    if (shown.tables[0].steps === null) return stop();
    step_to(position() + 1);
    if (position() === last()) stop();
    show_transport();
  }, stepMilliseconds);
  show_transport();
}

function show_transport() {
  const now = position();
  const end = last();
  fill("transport",
    idle_button("first", tr("Start"), () => by_hand(0), now === 0),
    idle_button("back", tr("Back"), () => by_hand(now - 1), now === 0),
    button("play", playing === null ? tr("Play") : tr("Pause"), () => { playing === null ? play() : stop(); show_transport(); }),
    idle_button("forward", tr("Next step"), () => by_hand(now + 1), now === end, { class: "primary" }),
    idle_button("last", tr("End"), () => by_hand(end), now === end),
    make("span", {}, tr("Step {} of {}", now, end)),
    shown.task?.stage === "asking" || shown.task?.stage === "working" ? null
      : button("leave", tr("Close"), () => { stop(); request({ do: "leave" }); at("title").focus(); }));
}

function show_steps() {
  const on = shown.tables.some((table) => table.steps !== null);
  at("steps").hidden = !on;
  if (!on) return stop();
  fill("operation", shown.tables[0].steps.title);
  show_transport();
}

function code_of(steps, table) {
  if (steps.code.length === 0) return null;
  return make("ol", { class: "code", "aria-label": tr("Pseudocode") }, steps.code.map((line, number) => {
    const indent = 2 * line.indent;
    return make("li", { "aria-current": line.lit ? "step" : null, id: `code-${table}-${number}`,
                        style: `padding-left:${indent + 2}ch;text-indent:-2ch` }, line.text);
  }));
}

function told_step(steps) {
  return [
    make("p", { class: "told-step" }, make("span", { class: "kind" }, steps.kind), steps.text),
    steps.summary === "" ? null : make("p", {}, make("strong", {}, steps.summary)),
    steps.costs === "" ? null : make("p", {}, steps.costs),
  ].filter((line) => line !== null);
}

// ---- tables

const state_words = { empty: tr("empty"), erased: tr("tombstone"), reserved: tr("reserved"), link: tr("link to other slots") };

/** Where a key is, by what the family measures: slots from home, a number of a function or a bucket, and so on. */
function measure_words(cell, table) {
  return table.unit === tr("slots from home")
    ? tr_plural("{} slot from home", "{} slots from home", cell.measure, cell.measure) : `${table.measure}: ${cell.measure}`;
}

/** The part of a table that a slot belongs to, such as T1 of a cuckoo table; undefined where there are no parts. */
const part_of = (cell, table) => table.parts.findLast((part) => part.first <= cell.slot);

/** A slot as people number it: "13", or "T2: 2" where each part counts its own. */
function name_of(cell, table) {
  return cell.number === cell.slot ? String(cell.slot) : `${part_of(cell, table).name}: ${cell.number}`;
}

function slot_words(cell, table) {
  const holds = cell.state === "live" ? "" : state_words[cell.state];
  const key = cell.key === undefined ? "" : tr("key {}, home {}, {}", cell.key, cell.home, measure_words(cell, table));
  const value = cell.value === undefined || cell.value === "0" ? "" : tr("value {}", cell.value);
  const part = part_of(cell, table);
  const slot = part === undefined ? tr("Slot {}: ", cell.number) : tr("Slot {} in {}: ", cell.number, part.name);
  return slot + `${[holds, key, value].filter((words) => words !== "").join(", ")}`;
}

function asks_for_slot() {
  return shown.task?.kind === "prediction" && shown.task.asks === "slot" && shown.task.stage === "asking";
}

/** What was wrong with a text is not said of the next one. */
function forget_complaint() {
  if (faulty === null) return;
  faulty = null;
  at(complains).textContent = "";
  mark_faulty();
}

/** Puts a slot's number where the answer is typed. */
function choose_slot(slot) {
  at("answer").value = slot;
  change_answer();
  tell("chosen", tr("Slot {} is now in the answer field.", slot));
}

function change_answer() {
  forget_complaint();
  mark_chosen();
}

function mark_chosen() {
  for (const cell of document.querySelectorAll(".slots > li")) {
    const is_chosen = asks_for_slot() && cell.dataset.slot === at("answer")?.value.trim();
    cell.classList.toggle("marked", is_chosen);
    cell.querySelector("button")?.setAttribute("aria-pressed", String(is_chosen));
  }
}

function move_among_slots(event) {
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const now = buttons.indexOf(document.activeElement);
  const top = buttons[0].getBoundingClientRect().top;
  const columns = buttons.filter((each) => each.getBoundingClientRect().top === top).length;
  const ways = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
  const to = event.key === "Home" ? 0 : event.key === "End" ? buttons.length - 1 : now + (ways[event.key] ?? NaN);
  if (now < 0 || !(to in buttons)) return;
  event.preventDefault();
  buttons[now].tabIndex = -1;
  buttons[to].tabIndex = 0;
  buttons[to].focus();
}

/** What the family measures: "+2" slots from home, "h2", "bucket 0". Other languages keep their capitals. */
function short_measure(cell, table) {
  if (typeof cell.measure === "string") return cell.measure;
  const name = table.measure.split(" ").at(-1);
  return table.is_distance ? `+${cell.measure}` : `${catalogue.language === undefined ? name.toLowerCase() : name} ${cell.measure}`;
}

function cell_of(cell, table, index) {
  const steps = table.steps;
  const marks = [cell.state];
  if (steps?.path.includes(cell.slot)) marks.push("path");
  if (steps?.seen.includes(cell.slot)) marks.push("seen");
  if (steps?.written === cell.slot) marks.push("written");
  const paint = cell.fill === undefined ? null : `background:${cell.fill};color:${cell.ink}`;
  const more = [];
  if (cell.key !== undefined && table.writes_homes) more.push(make("span", { class: "more" }, tr("home {}", cell.home)));
  if (cell.key !== undefined && table.writes_measures && cell.state === "live") {
    more.push(make("span", { class: "more" }, short_measure(cell, table)));
  }
  if (cell.value !== undefined) more.push(make("span", { class: "more" }, tr("value {}", cell.value)));
  const from = steps?.written === cell.slot && steps.moved_from !== undefined ? tr("from {}", name_of(table.cells[steps.moved_from], table)) : null;
  const words = slot_words(cell, table) + (from === null ? "" : tr(", moved here from {}", name_of(table.cells[steps.moved_from], table)));
  const spoken = asks_for_slot()
    ? button(`slot-${index}-${cell.slot}`, "", () => choose_slot(cell.slot),
      { "aria-label": words, tabindex: cell.slot === 0 ? 0 : -1 })
    : make("span", { class: "spoken" }, words);
  const part = part_of(cell, table);
  const begins = part?.first === cell.slot ? make("strong", {}, `${part.title} `) : null;
  return make("li", { class: marks.join(" "), style: paint, "data-slot": cell.slot },
    make("span", { "aria-hidden": "true" },
      make("span", { class: "number" }, begins, String(cell.number)),
      from === null ? null : make("span", { class: "badge" }, from),
      cell.key === undefined ? null : make("span", { class: "key", style: `--length:${cell.key.length}` }, cell.key),
      more),
    spoken);
}

/** How many cells fit into a row: all (of a part, where they are equally long), or a half, a quarter and so on of them. Keys of up
    to ten digits keep to one line. */
function columns_for(table) {
  const longest = Math.min(Math.max(...table.cells.map((cell) => cell.key?.length ?? 0)), 10);
  const cell = Math.max(table.slots > 40 ? 52 : 68, 8 + 7 * longest);  // pixels
  const [first] = table.parts;
  const is_even = first !== undefined && table.parts.every((part) => part.slots === first.slots);
  let columns = is_even ? Math.max(first.slots, 8) : table.slots;
  while (columns > 1 && columns * cell > at("tables").clientWidth) columns = Math.ceil(columns / 2);
  return columns;
}

function text_table(table) {
  const rows = table.cells.map((cell) => make("tr", {},
    make("th", { scope: "row" }, String(cell.number)),
    table.parts.length === 0 ? null : make("td", {}, part_of(cell, table).name),
    make("td", {}, cell.state === "live" ? tr("key") : state_words[cell.state]),
    ...[cell.key, cell.home, cell.measure].map((text) => make("td", {}, text === undefined ? "" : String(text)))));
  const titles = [tr("Slot"), ...(table.parts.length === 0 ? [] : [tr("Part")]), tr("Holds"), tr("Key"), tr("Home"), table.measure];
  return make("details", {}, make("summary", {}, tr("The table as text")),
    make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": tr("The table as text") },
      make("table", { class: "text-table" },
        make("thead", {}, make("tr", {}, titles.map((title) => make("th", { scope: "col" }, title)))),
        make("tbody", {}, rows))));
}

function picture_of(table) {
  const rows = table.picture.rows;
  const canvas = make("canvas", { width: rows[0].length, height: rows.length, role: "img",
                                  "aria-label": tr("A map of all {} slots, coloured by what they hold.", table.slots) });
  const brush = canvas.getContext("2d");
  rows.forEach((row, y) => row.forEach((color, x) => {
    if (color === "") return;
    brush.fillStyle = color;
    brush.fillRect(x, y, 1, 1);
  }));
  const each = table.picture.slots_per_cell;
  return make("figure", {}, canvas,
    make("figcaption", {}, each === 1 ? tr("Each cell is a slot.")
      : tr("Each cell stands for {} neighbouring slots of the map.", each)));
}

function table_of(table, index) {
  const several = shown.tables.length > 1;
  const distinction = several && table.distinction !== "" ? `: ${table.distinction}` : "";
  const title = several ? `${index + 1}. ${table.title}${distinction}` : table.title;
  const numbers = table.numbers.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)));
  const small = table.cells !== undefined;
  const slots = !small ? picture_of(table)
    : make("ol", { class: "slots", start: 0, keydown: move_among_slots, "aria-label": tr("{}, {} slots", title, table.slots),
                   style: `grid-template-columns:repeat(${columns_for(table)},minmax(0,1fr))` },
      table.cells.map((cell) => cell_of(cell, table, index)));
  return make("section", { class: table.slots > 40 ? "table many" : "table", "aria-label": title },
    make("h3", {}, title), slots,
    table.steps === null ? null : make("div", { id: `told-${index}`, role: "status" }),
    table.steps === null ? null : code_of(table.steps, index),
    shown.shows_numbers ? make("dl", { class: "numbers" }, numbers) : null,
    small ? text_table(table) : null);
}

/** Keeps what is open, and the places that are read out. */
function show_tables() {
  const opened = [...document.querySelectorAll("#tables details")].map((each) => each.open);
  const told = new Map([...document.querySelectorAll("#tables [role=status]")].map((each) => [each.id, each]));
  fill("tables", shown.tables.map(table_of));
  document.querySelectorAll("#tables details").forEach((each, index) => { each.open = opened[index] ?? false; });
  for (const fresh of document.querySelectorAll("#tables [role=status]")) {
    if (told.has(fresh.id)) fresh.replaceWith(told.get(fresh.id));
  }
  shown.tables.forEach((table, index) => { if (table.steps !== null) tell(`told-${index}`, ...told_step(table.steps)); });
}
