// ---- answers to hand in: all that was asked of the module, for the program to do it again

const max_name = 100;

/** A log of requests. A page that was only looked at leaves nothing in it. */
function log_of(kept) {
  const requests = kept;
  let visit = 0;       // where the requests of this visit to a page begin
  let reached = null;  // before it
  const progress_of = (reply) => {
    if (reply === undefined) return "";
    const { points, tries, others } = reply.progress;
    return JSON.stringify([points, tries, others]);
  };
  return {
    requests,
    note: (what, before, after) => {
      if (what.do === "show") return;
      if (what.do === "go_to") {
        if (reached === progress_of(before)) requests.length = visit;
        visit = requests.length;
        reached = progress_of(before);
      }
      const steps_on = what.do === "step" && requests.at(-1)?.do === "step" && progress_of(before) === progress_of(after);
      if (steps_on) requests.pop();
      requests.push(what.do === "open" ? { do: "open" } : what);
    },
  };
}

function answers_of(student) {
  return { version: 1, lesson: data.name, language: catalogue.language, edition: data.edition, student: student.trim().slice(0, max_name),
           seed: shown.progress.seed, points: shown.points, requests: log.requests };
}

function save_answers() {
  const student = at("student").value;
  const plain = student.trim().replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, max_name);
  const file = new Blob([JSON.stringify(answers_of(student))], { type: "application/json" });
  const link = make("a", { href: URL.createObjectURL(file), download: `${data.name}-${plain || "answers"}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  tell("saved", tr("{} is saved. Give it to your teacher.", link.download));
}

function show_hand_in() {
  at("hand-in").hidden = keeper.is_course || shown.score.length === 0;
}
