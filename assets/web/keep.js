// ---- where points and page are kept: by the course that shows the page (SCORM 1.2), else by the browser

function load(what) {
  try {
    return JSON.parse(localStorage.getItem(`slotscape ${data.name}${what}`)) ?? {};
  } catch {
    return {};
  }
}

function save(what, value) {
  try {
    localStorage.setItem(`slotscape ${data.name}${what}`, JSON.stringify(value));
  } catch { /* a browser may refuse to keep anything for a file */ }
}

/** `words`: why no course keeps them, if one is there. */
const by_browser = (words) => ({
  is_course: false,
  records: true,
  kept: () => load(""),
  keep: (reply) => save("", reply.progress),
  leave: () => {},
  words: () => words,
});

/** How the lesson stands: `score` in percent, null without questions; `passed`, null where nothing says what passes. */
function standing(reply, pass) {
  const possible = reply.points_possible;
  const finished = possible === 0 ? reply.page + 1 === reply.count
    : reply.tasks.every((has, page) => !has || reply.points_of_pages[page] > 0);
  const score = possible === 0 ? null : Math.round(1e4 * reply.points / possible) / 100;
  return { finished, score, passed: pass === null || score === null ? null : score >= pass };
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

/** Progress as text: its seed and page, and of each page four signs: points, tries up to 9, and questions before this one. */
function suspended(progress) {
  const pages = progress.points.map((points, page) => `${points}${Math.min(progress.tries[page], 9)}`
    + Math.min(progress.others[page], most_others).toString(36).padStart(digits_of_others, "0"));
  return `1 ${progress.seed} ${progress.page} ${pages.join("")}`;
}

function resumed(text) {
  const [version, seed, page, signs] = text.split(" ");
  if (version !== "1" || signs === undefined) return {};
  const pages = signs.match(/.{4}/g) ?? [];
  return { seed: Number(seed), page: Number(page), points: pages.map((each) => Number(each[0])),
           tries: pages.map((each) => Number(each[1])), others: pages.map((each) => parseInt(each.slice(2), 36)) };
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
    return by_browser(tr("Your course does not take your points: this browser keeps them. "
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
    kept: () => resumed(call("LMSGetValue", "cmi.suspend_data")),
    keep: (reply) => {
      if (!records) return;
      trouble = "";
      const { finished, score, passed } = standing(reply, pass);
      // It is suspended from the start: a browser that is ended by force does not call `leave`.
      const wanted = [["cmi.core.exit", "suspend"], ["cmi.suspend_data", suspended(reply.progress)]];
      if (score !== null && reply.progress.tries.some((tries) => tries > 0)) {
        wanted.push(["cmi.core.score.min", "0"], ["cmi.core.score.max", "100"], ["cmi.core.score.raw", String(score)]);
      }
      const now = !finished ? "incomplete" : passed === null ? "completed" : passed ? "passed" : "failed";
      if (finished || !was_finished) wanted.push(["cmi.core.lesson_status", now]);
      was_finished ||= finished;
      for (const [name, value] of wanted) if (set(name, value)) committed = false;
      if (!committed) committed = expect(call("LMSCommit", ""));
    },
    leave: () => {
      if (left) return;
      left = true;
      set("cmi.core.session_time", time_span(performance.now() - began));
      set("cmi.core.exit", "suspend");
      call("LMSCommit", "");
      call("LMSFinish", "");
    },
    words: () => !records ? tr("Your course opened this lesson in {} mode: it does not keep your points.", mode)
      : trouble === "" ? tr("Your course keeps your points.")
        : tr("Your course has not taken your points ({}). Tell your teacher.", trouble),
  };
}
