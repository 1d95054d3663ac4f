// ---- where points and page are kept: by the course that shows the page (SCORM 1.2), else by the browser

const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

function read_kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

const kept_at = `slotscape attempts at ${data.name}`;

/** What this browser keeps of lessons of this name, the latest first: of an edition and a seed, what came of it (`progress`, `given`)
    and how (`requests`). */
function attempts() {
  const kept = read_kept(kept_at);
  if (Array.isArray(kept)) return kept;
  // Pages kept a single one before.
  const progress = read_kept(`slotscape ${data.name}`);
  const answers = read_kept(`slotscape ${data.name} answers`);
  if (!progress?.points || answers === null || answers.seed !== progress.seed) return [];
  return [{ edition: answers.edition, progress, given: {}, requests: answers.requests }];
}

/** Beside those of other editions and seeds, of which one that nothing was tried in is not missed. */
function keep_attempt(own) {
  const is_other = (each) => each.edition !== own.edition || each.progress.seed !== own.progress.seed;
  const others = attempts().filter((each) => is_other(each) && sum(each.progress.tries) > 0);
  try {
    localStorage.setItem(kept_at, JSON.stringify([own, ...others]));
    return true;
  } catch {
    return false;
  }
}

/** The progress that the requests of an attempt bring in this edition; null if they bring none. */
function repeated({ progress, requests }) {
  let reached = { seed: progress.seed, points: [], tries: [] };
  for (const each of requests) {
    const reply = ask(each.do === "open" ? opening(reached) : each);
    if (reply.error !== undefined) return null;
    reached = reply.progress;
  }
  return { ...reached, page: progress.page };
}

/** An attempt to go on with: the one that brought most and, if it is of another edition, brings and tries no less in this one. */
function find_attempt(variant) {
  const fitting = attempts().filter(({ progress }) => variant === null || progress.seed === variant);
  fitting.sort((one, other) => sum(other.progress.points) - sum(one.progress.points));
  for (const each of fitting) {
    const progress = each.edition === data.edition ? each.progress : repeated(each);
    const keeps = (what) => sum(progress[what]) >= sum(each.progress[what]);
    if (progress !== null && keeps("points") && keeps("tries")) return { ...each, progress };
  }
  return { progress: { seed: variant ?? fitting[0]?.progress.seed ?? drawn_seed() }, given: {}, requests: [] };
}

const drawn_seed = () => 1 + crypto.getRandomValues(new Uint32Array(1))[0];

/** What this browser keeps besides, if it brought more: in words, and with a link to it where the seed tells it apart. */
function kept_besides(now) {
  const best = attempts().reduce((most, each) => sum(each.progress.points) > sum(most.progress.points) ? each : most, now);
  if (best === now) return [];
  const points = sum(best.progress.points);
  const words = tr_plural("{} point", "{} points", points, points);
  if (best.progress.seed === now.progress.seed) {
    return [tr("This browser also keeps {} of another edition of this lesson, with other questions: the earlier page "
      + "continues with them.", words)];
  }
  const address = new URL(location);
  address.searchParams.set("variant", best.progress.seed);
  return [tr("This browser also keeps {} from this lesson, with other numbers (variant {}).", words, best.progress.seed), " ",
          make("a", { id: "go-on", href: address.href }, tr("Continue with these"))];
}

/** `words`: why no course keeps them, if one is there. */
function by_browser(words) {
  let is_kept = true;
  return {
    is_course: false,
    records: true,
    begin: find_attempt,
    keep: (now) => { is_kept = keep_attempt({ edition: data.edition, ...now }); },
    besides: kept_besides,
    leave: () => {},
    words: () => is_kept ? words : tr("This browser does not keep your points: hand in your answers before you close the page."),
  };
}

/** How the lesson stands: `score` in percent, null without questions; `passed`, null where nothing says what passes. */
function standing(reply, pass) {
  const possible = reply.points_possible;
  const finished = possible === 0 ? reply.page + 1 === reply.count
    : reply.tasks.every((has, page) => !has || reply.points_of_pages[page] > 0 || reply.given[page] !== undefined);
  const score = possible === 0 ? null : Math.round(1e4 * reply.points / possible) / 100;
  return { finished, score, passed: pass === null || score === null ? null : score >= pass };
}

/** What was given on the pages, the present one included: the latest answers, right ones for good while their question stays. */
function given_after(what, before, reply) {
  const option = what.do === "choose" ? reply.task?.options?.[what.option] : undefined;
  const text = what.do === "answer" ? what.text : option?.letter;
  if (text === undefined || reply.complaint !== "" || reply.task?.stage !== "told") return before;
  const question = reply.progress.others[reply.page];
  const former = before[reply.page];
  if (former?.right && former.question === question && !reply.task.right) return before;
  return { ...before, [reply.page]: { text, right: reply.task.right, question } };
}

/** The API of a course: of this window, of those around it, or of those around the one that opened it (SCORM 1.2, RTE 3.3.6). */
function find_api() {
  const most = 500;  // windows one in another
  const own_api = (place) => {
    try {
      return typeof place.API?.LMSInitialize === "function" ? place.API : null;
    } catch {
      return null;  // of another origin
    }
  };
  for (let place of [window, window.opener]) {
    for (let i = 0; place && i < most; ++i) {
      const api = own_api(place);
      if (api !== null) return api;
      if (place.parent === place) break;
      place = place.parent;
    }
  }
  return null;
}

const digits_of_others = 2;
const most_others = 36 ** digits_of_others - 1;
const answered_without_points = "3";

/** Progress as text: its seed and page, and of each page four signs: points, tries up to 9, and questions before this one. */
function suspended({ progress, given }) {
  const pages = progress.points.map((points, page) =>
    `${points === 0 && given[page] !== undefined ? answered_without_points : points}${Math.min(progress.tries[page], 9)}`
    + Math.min(progress.others[page], most_others).toString(36).padStart(digits_of_others, "0"));
  return `1 ${progress.seed} ${progress.page} ${pages.join("")}`;
}

/** The same again; of answers without points, that they were given. */
function resumed(text) {
  const [version, seed, page, signs] = text.split(" ");
  if (version !== "1" || signs === undefined) return { progress: {}, given: {} };
  const pages = signs.match(/.{4}/g) ?? [];
  const is_answered = (each) => each[0] === answered_without_points;
  return { progress: { seed: Number(seed), page: Number(page),
                       points: pages.map((each) => is_answered(each) ? 0 : Number(each[0])),
                       tries: pages.map((each) => Number(each[1])), others: pages.map((each) => parseInt(each.slice(2), 36)) },
           given: Object.fromEntries(pages.flatMap((each, number) => is_answered(each) ? [[number, { right: false }]] : [])) };
}

/** A CMITimespan: "0000:12:34.56". */
function time_span(milliseconds) {
  const hundredths = Math.round(milliseconds / 10);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.min(Math.floor(hundredths / 360000), 9999);
  return `${String(hours).padStart(4, "0")}:${two(Math.floor(hundredths / 6000) % 60)}:`
    + `${two(Math.floor(hundredths / 100) % 60)}.${two(hundredths % 100)}`;
}

/** A course, if one shows the page and takes it; else this browser. */
function find_keeper() {
  const api = find_api();
  if (api === null) return by_browser("");
  const call = (name, ...values) => {
    try {
      return String(api[name](...values) ?? "");
    } catch (error) {
      return error.message;
    }
  };
  if (call("LMSInitialize", "") !== "true") {
    return by_browser(tr("Your course does not accept your points: this browser keeps them. "
      + "Close the page and open it from the course again, or tell your teacher."));
  }

  const began = performance.now();
  const written = new Map();
  let trouble = "";
  let committed = true;
  let left = false;
  const expect = (answer) => {
    if (answer !== "true") trouble = call("LMSGetErrorString", call("LMSGetLastError")) || "no reason given";
    return answer === "true";
  };
  const set = (name, value) => {
    if (written.get(name) === value || !expect(call("LMSSetValue", name, value))) return false;
    written.set(name, value);
    return true;
  };
  const status = call("LMSGetValue", "cmi.core.lesson_status");
  const mastery = Number.parseFloat(call("LMSGetValue", "cmi.student_data.mastery_score"));
  const pass = Number.isNaN(mastery) ? data.pass : mastery;
  const mode = call("LMSGetValue", "cmi.core.lesson_mode");
  const records = !["browse", "review"].includes(mode);
  let was_finished = ["completed", "passed"].includes(status);

  return {
    is_course: true,
    records,
    begin: (variant) => {
      const { progress, given } = resumed(call("LMSGetValue", "cmi.suspend_data"));
      const seed = sum(progress.tries ?? []) > 0 ? progress.seed : variant ?? progress.seed ?? drawn_seed();
      return { progress: { ...progress, seed }, given, requests: [] };
    },
    keep: (own, reply) => {
      if (!records) return;
      trouble = "";
      const { finished, score, passed } = standing(reply, pass);
      // It is suspended from the start: a browser that is ended by force does not call `leave`.
      const wanted = [["cmi.core.exit", "suspend"], ["cmi.suspend_data", suspended(own)]];
      if (score !== null && reply.progress.tries.some((tries) => tries > 0)) {
        wanted.push(["cmi.core.score.min", "0"], ["cmi.core.score.max", "100"], ["cmi.core.score.raw", String(score)]);
      }
      const now = !finished ? "incomplete" : passed === null ? "completed" : passed ? "passed" : "failed";
      if (finished || !was_finished) wanted.push(["cmi.core.lesson_status", now]);
      was_finished ||= finished;
      for (const [name, value] of wanted) if (set(name, value)) committed = false;
      if (!committed) committed = expect(call("LMSCommit", ""));
    },
    besides: () => [],
    leave: () => {
      if (left) return;
      left = true;
      set("cmi.core.session_time", time_span(performance.now() - began));
      set("cmi.core.exit", "suspend");
      call("LMSCommit", "");
      call("LMSFinish", "");
    },
    words: () => !records ? tr("Your course opened this lesson in {} mode, so it does not keep your points.", mode)
      : trouble === "" ? tr("Your course keeps your points.")
        : tr("Your course has not accepted your points ({}). Tell your teacher.", trouble),
  };
}
