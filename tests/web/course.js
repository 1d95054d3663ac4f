// A course of our own for tests: the API of SCORM 1.2 (ADL, Run-Time Environment 1.2, chapter 3), strict about states, names, types
// and lengths. What a page does wrong is in `course.faults`, in words; what it calls, in `course.calls`.
"use strict";

const texts = (most) => (value) => value.length <= most;
const words = (...allowed) => (value) => allowed.includes(value);
const percent = (value) => value === "" || (/^-?\d+(\.\d+)?$/.test(value) && Number(value) >= 0 && Number(value) <= 100);
const time_span = (value) => /^\d{2,4}:[0-5]\d:[0-5]\d(\.\d{1,2})?$/.test(value);

/** Elements of the data model: what may be written, and whether it may be read. */
const elements = {
  "cmi.core._children": { read: true },
  "cmi.core.student_id": { read: true },
  "cmi.core.student_name": { read: true },
  "cmi.core.lesson_location": { read: true, write: texts(255) },
  "cmi.core.credit": { read: true },
  "cmi.core.lesson_status": { read: true, write: words("passed", "completed", "failed", "incomplete", "browsed") },
  "cmi.core.entry": { read: true },
  "cmi.core.score._children": { read: true },
  "cmi.core.score.raw": { read: true, write: percent },
  "cmi.core.score.min": { read: true, write: percent },
  "cmi.core.score.max": { read: true, write: percent },
  "cmi.core.total_time": { read: true },
  "cmi.core.lesson_mode": { read: true },
  "cmi.core.exit": { write: words("", "time-out", "suspend", "logout") },
  "cmi.core.session_time": { write: time_span },
  "cmi.suspend_data": { read: true, write: texts(4096) },
  "cmi.launch_data": { read: true },
  "cmi.student_data.mastery_score": { read: true },
};
const errors = { 0: "No error", 101: "General exception", 201: "Invalid argument error", 301: "Not initialized",
                 401: "Not implemented error", 403: "Element is read only", 404: "Element is write only",
                 405: "Incorrect data type" };

const course = {
  kept: {},      // between launches
  session: null, // of the data model; null: before LMSInitialize and after LMSFinish
  launches: 0,
  calls: [],
  faults: [],
  mode: "normal",  // of the next launches
  refuses: "",     // an element that nobody may write, or "LMSCommit": as a course that is out of order
  fault(what) { this.faults.push(what); },
};

let last_error = 0;
function answer(error, value, what) {
  last_error = error;
  course.calls.push(what);
  if (error !== 0) course.fault(`${what}: ${errors[error]}`);
  return value;
}

function refuse() {
  last_error = 101;
  return "false";
}

/** A function of the API with this many arguments, all texts; most are for an open session alone. */
function of_api(name, count, work, needs_session = true) {
  return (...given) => {
    const what = `${name}(${given.map((each) => JSON.stringify(each)).join(", ")})`;
    if (given.length !== count || given.some((each) => typeof each !== "string")) return answer(201, "false", what);
    if (needs_session && course.session === null) return answer(301, "false", what);
    return work(what, ...given);
  };
}

window.API = {
  LMSInitialize: of_api("LMSInitialize", 1, (what, empty) => {
    if (empty !== "" || course.session !== null) return answer(empty === "" ? 101 : 201, "false", what);
    const first = course.launches++ === 0;
    const suspended = course.kept["cmi.core.exit"] === "suspend";
    course.session = { "cmi.core.lesson_status": "not attempted", "cmi.suspend_data": "", ...course.kept,
                       "cmi.core.entry": first ? "ab-initio" : suspended ? "resume" : "",
                       "cmi.core.credit": course.mode === "normal" ? "credit" : "no-credit",
                       "cmi.core.lesson_mode": course.mode };
    for (const of_one_session of ["cmi.core.exit", "cmi.core.session_time"]) delete course.session[of_one_session];
    if (course.session["cmi.core.entry"] !== "resume") course.session["cmi.suspend_data"] = "";
    return answer(0, "true", what);
  }, false),
  LMSFinish: of_api("LMSFinish", 1, (what, empty) => {
    if (empty !== "") return answer(201, "false", what);
    if (!("cmi.core.session_time" in course.session)) course.fault("it finishes without a session time");
    if (course.mode === "normal") course.kept = course.session;
    course.session = null;
    return answer(0, "true", what);
  }),
  LMSGetValue: of_api("LMSGetValue", 1, (what, name) => {
    if (!(name in elements)) return answer(401, "", what);
    if (!elements[name].read) return answer(404, "", what);
    return answer(0, course.session[name] ?? "", what);
  }),
  LMSSetValue: of_api("LMSSetValue", 2, (what, name, value) => {
    if (!(name in elements)) return answer(401, "false", what);
    if (elements[name].write === undefined) return answer(403, "false", what);
    if (!elements[name].write(value)) return answer(405, "false", what);
    if (name === course.refuses) return refuse();
    course.session[name] = value;
    return answer(0, "true", what);
  }),
  LMSCommit: of_api("LMSCommit", 1, (what, empty) => {
    if (empty !== "") return answer(201, "false", what);
    if (course.refuses === "LMSCommit") return refuse();
    if (course.mode === "normal") course.kept = { ...course.session };
    return answer(0, "true", what);
  }),
  LMSGetLastError: () => String(last_error),
  LMSGetErrorString: (code) => errors[code] ?? "",
  LMSGetDiagnostic: () => "",
};
