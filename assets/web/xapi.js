// ---- statements for a learning record store (xAPI 1.0.3), if the address of the page names one

const kinds = "http://adlnet.gov/expapi/activities/";

/** Null where the page was not launched with `endpoint` and `actor`. */
function find_store() {
  const launch = new URLSearchParams(location.search);
  if (!launch.has("endpoint") || !launch.has("actor")) return null;
  let trouble = "";
  let actor = null;
  try {
    actor = JSON.parse(launch.get("actor"));
  } catch {
    actor = null;
  }
  if (actor === null || typeof actor !== "object") {
    actor = null;
    trouble = tr("the address of this page does not identify you in JSON");
  }
  const address = `${launch.get("endpoint").replace(/\/$/, "")}/statements`;
  const lesson = launch.get("activity_id") ?? location.origin + location.pathname;
  const began = Date.now();
  const waiting = [];
  let sending = Promise.resolve();
  let completed = false;

  const in_language = (text) => ({ [catalogue.language ?? "en-US"]: text });
  const text_of = (blocks) => blocks.map((block) => block.spans.map(([, words]) => words).join("")).join("\n");
  const identifier = () => {  // a UUID of version 4, which randomUUID() makes for secure pages alone
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
  const in_lesson = { id: lesson, objectType: "Activity",
                      definition: { type: `${kinds}lesson`, name: in_language(at("lesson").textContent) } };

  async function send() {
    const batch = waiting.splice(0);
    if (batch.length === 0 || actor === null) return;
    const headers = { "Content-Type": "application/json", "X-Experience-API-Version": "1.0.3" };
    if (launch.has("auth")) headers.Authorization = launch.get("auth");
    const body = JSON.stringify(batch);
    const outlives_page = new TextEncoder().encode(body).length < 60000;  // browsers allow 64 KiB
    try {
      const answer = await fetch(address, { method: "POST", headers, body, keepalive: outlives_page });
      trouble = answer.ok ? "" : tr("it returned status {}", answer.status);
    } catch (error) {
      trouble = error.message;
    }
    if (trouble !== "") {
      waiting.unshift(...batch);
      setTimeout(() => { sending = sending.then(send); }, 30000);
    }
    show_kept();
  }
  function say(verb, object, result) {
    const context = { platform: "Slotscape", language: catalogue.language ?? "en" };
    if (launch.has("registration")) context.registration = launch.get("registration");
    if (object !== in_lesson) context.contextActivities = { parent: [{ id: lesson }] };
    waiting.push({ id: identifier(), actor, verb: { id: `http://adlnet.gov/expapi/verbs/${verb}`, display: { "en-US": verb } },
                   object, ...(result === null ? {} : { result }), context, timestamp: new Date().toISOString() });
    sending = sending.then(send);
  }

  function answered(what, reply) {
    const result = { success: reply.task.right };
    const points = reply.points_of_pages[reply.page];
    if (result.success) result.score = { scaled: points / 2, raw: points, min: 0, max: 2 };
    if (what.do === "answer") result.response = what.text;
    if (what.do === "choose") result.response = reply.task.options[what.option].letter;
    say("answered", { id: `${lesson}/page/${reply.page + 1}`, objectType: "Activity",
                      definition: { type: `${kinds}question`, name: in_language(reply.title),
                                    description: in_language(text_of(reply.task.ask)) } }, result);
  }
  function complete(reply) {
    if (completed) return;
    completed = true;
    const { score, passed } = standing(reply, data.pass);
    const result = { completion: true, duration: `PT${((Date.now() - began) / 1000).toFixed(2)}S` };
    if (score !== null) result.score = { scaled: score / 100, raw: score, min: 0, max: 100 };
    say("completed", in_lesson, result);
    if (passed !== null) say(passed ? "passed" : "failed", in_lesson, { ...result, success: passed });
  }
  /** Who answers again after having failed. */
  function pass(reply) {
    const { score } = standing(reply, data.pass);
    say("passed", in_lesson, { success: true, score: { scaled: score / 100, raw: score, min: 0, max: 100 } });
  }

  return {
    note: (what, before, after) => {
      if (what.do === "open") {
        say("initialized", in_lesson, null);
        const is_read = after.count === 1 && after.points_possible === 0;  // no other page is to come
        if (is_read) complete(after);
        return;
      }
      const gives = ["answer", "choose"].includes(what.do) && after.complaint === "";
      const meets = after.task?.kind === "challenge" && after.task.right && !(before.visit === after.visit && before.task.right);
      if (gives || meets) answered(what, after);
      const former = standing(before, data.pass);
      const present = standing(after, data.pass);
      if (present.finished && !former.finished) complete(after);
      else if (present.finished && present.passed && !former.passed) pass(after);
    },
    words: () => trouble === "" ? "" : tr("Your answers have not reached the record store ({}). They will be sent again.", trouble),
  };
}
