#include "app/lessons/check.hpp"

#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace slotscape::lessons {
namespace {

constexpr int max_frames = 2000;
constexpr int max_played_frames = 100;  ///< some scenes never come to rest

std::size_t ellipses(std::string_view text)
{
  constexpr std::string_view ellipsis = "…";
  std::size_t count = 0;
  for (std::size_t at = text.find(ellipsis); at != std::string_view::npos; at = text.find(ellipsis, at + 1)) {
    ++count;
  }
  return count;
}

/// Tries out a page and notes what is wrong.
class Examiner {
public:
  Examiner(Session& session, Stage const& stage) : session_(session), stage_(stage) {}

  std::vector<std::string> examine(Depth depth)
  {
    attempt([&] {
      settle(session_, stage_);
      check_claims();
      if (!session_.page().task) { return; }
      check_start();
      if (depth == Depth::start) { return; }
      try_wrong_answers();
      check_solution();
    });
    return std::move(problems_);
  }

private:
  template <class Work>
  void attempt(Work work)
  {
    try {
      work();
    } catch (Error const& error) {
      note(error.what());
    }
  }
  void note(std::string const& what)
  {
    problems_.push_back(fmt::format("page {} ('{}'): {}", session_.number() + 1, session_.page().title, what));
  }
  void start_over()
  {
    session_.restart();
    settle(session_, stage_);
  }

  Finding find_out(Condition const& claim) const
  {
    Names const names = session_.names();
    if (claim.operation.is_null()) { return check(claim, names); }
    JsonNode const operation(claim.operation, session_.page().source, session_.page().path);
    Json const predicted = stage_.scene().predict(operation);
    return check(claim, {names.variables, &predicted, names.start});
  }

  void check_all(std::vector<Condition> const& claims, std::string_view when)
  {
    for (Condition const& claim : claims) {
      Finding const finding = find_out(claim);
      if (finding.met) { continue; }
      note(fmt::format("the claim '{}' does not hold{}: it is {}, not {}", claim.what, when, finding.value,
                       finding.wanted));
    }
  }

  void check_claims()
  {
    check_all(session_.page().claims, "");
    check_numbers(session_.page().text);
    if (!session_.page().task) { return; }
    check_numbers(session_.page().task->ask);
    check_numbers(session_.page().task->hint);
    if (auto const* choice = std::get_if<Choice>(&session_.page().task->of)) { check_options(choice->options); }
  }

  /// If two options read the same, readers can only guess which one is right.
  void check_options(std::vector<Option> const& options)
  {
    std::map<std::string, std::string> letters;
    for (std::size_t i = 0; i < options.size(); ++i) {
      check_numbers(options[i].text);
      std::string const text = fill_in(options[i].text, session_.names());
      auto const [first, is_new] = letters.insert({text, letter_of(i)});
      if (!is_new) { note(fmt::format("the options {} and {} read the same: {}", first->second, letter_of(i), text)); }
    }
  }

  /// Finds missing numbers, which become ellipses. where: the field of the text.
  void check_numbers(std::string const& text, std::string_view where = "text")
  {
    for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
      std::string const number = text.substr(at, text.find('}', at) + 1 - at);
      if (ellipses(fill_in(number, session_.names())) > ellipses(number)) {
        note(fmt::format("its {} names {}, which the scene's statistics do not have", where, number));
      }
    }
  }

  void check_start()
  {
    Task const& task = *session_.page().task;
    if (auto const* challenge = std::get_if<Challenge>(&task.of)) {
      if (all_met(challenge->until, session_.names())) { note("the challenge is met as the page begins"); }
    }
    if (auto const* prediction = std::get_if<Prediction>(&task.of)) { check_author(*prediction); }
  }

  void check_author(Prediction const& prediction)
  {
    JsonNode const operation(prediction.operation, session_.page().source, prediction.path);
    Json const predicted = stage_.scene().predict(operation);
    auto const asked = std::string(slotscape::to_text(prediction.asks));
    if (!predicted.at(asked).is_number()) { return note(fmt::format("the operation has no {}", asked)); }
    if (prediction.answer.empty()) { return; }
    auto const expected = evaluate_number(prediction.answer, session_.names());
    auto const actual = predicted.at(asked).get<double>();
    if (expected != actual) {
      note(fmt::format("the answer is {}, not {} as the page says", actual, expected.value_or(-1.0)));
    }
  }

  void try_wrong_answers()
  {
    Task const& task = *session_.page().task;
    if (auto const* choice = std::get_if<Choice>(&task.of)) {
      std::size_t const count = choice->options.size();
      for (std::size_t i = 0; i < count; ++i) {
        Option const option = std::get<Choice>(session_.page().task->of).options[i];
        if (option.right) { continue; }
        session_.choose_option(i);
        expect_wrong(option.tell);
      }
    } else if (!std::holds_alternative<Challenge>(task.of)) {
      std::string const tell = task.tell;
      session_.give_number(-1e6);
      expect_wrong(tell);
    }
  }
  /// tell: the reaction to the answer; its numbers may depend on the answer.
  void expect_wrong(std::string const& tell)
  {
    settle(session_, stage_);
    check_numbers(tell, "tell");
    if (session_.task().right) { note("a wrong answer is taken for right"); }
    if (session_.task().told.empty()) { note("a wrong answer is met with silence"); }
    start_over();
  }

  void check_solution()
  {
    start_over();
    session_.solve(stage_.scene());
    settle(session_, stage_);
    if (session_.task().right) {
      check_told();
      if (std::holds_alternative<Prediction>(session_.page().task->of)) {
        play_out(session_, stage_);
        session_.update_statistics(stage_.scene());
      }
      check_all(session_.page().task->leads_to, " after the right answer");
      if (auto const* challenge = std::get_if<Challenge>(&session_.page().task->of)) { check_others(*challenge); }
      return;
    }
    auto const* number = std::get_if<Number>(&session_.page().task->of);
    if (number != nullptr && !evaluate_number(number->answer, session_.names())) {
      return note("its answer names what the scene's statistics do not have: " + number->answer);
    }
    note("its solution does not solve it" + what_is_unmet());
  }

  /// Checks the reaction to the right answer.
  void check_told()
  {
    Task const& task = *session_.page().task;
    check_numbers(task.tell, "tell");
    auto const* choice = std::get_if<Choice>(&task.of);
    if (choice != nullptr) { check_numbers(choice->options[*session_.task().option].tell, "tell"); }
  }

  /// Checks the page's other solutions, and the changes that must not solve it.
  void check_others(Challenge const& challenge)
  {
    auto const solves = [&](Change const& change) {
      start_over();
      session_.press({"", change});
      settle(session_, stage_);
      return session_.task().right;
    };
    for (Change const& change : challenge.also) {
      if (!solves(change)) { note(fmt::format("{} does not solve it{}", change.path, what_is_unmet())); }
    }
    for (Change const& change : challenge.not_yet) {
      if (solves(change)) { note(fmt::format("{} solves it", change.path)); }
    }
  }

  std::string what_is_unmet() const
  {
    std::string why;
    for (std::size_t i = 0; i < session_.task().findings.size(); ++i) {
      Finding const& finding = session_.task().findings[i];
      auto const& challenge = std::get<Challenge>(session_.page().task->of);
      if (!finding.met) {
        why += fmt::format("; {} is {}, not {}", challenge.until[i].what, finding.value, finding.wanted);
      }
    }
    return why;
  }

  Session& session_;
  Stage const& stage_;
  std::vector<std::string> problems_;
};

}  // namespace

void settle(Session& session, Stage const& stage)
{
  for (int frame = 0; frame < max_frames; ++frame) {
    stage.frame();
    if (!session.settled() || !stage.scene().ready()) { continue; }
    stage.frame();  // updates the state of a challenge
    return;
  }
  throw Error("the scene does not come to rest");
}

void play_out(Session& session, Stage const& stage)
{
  settle(session, stage);
  for (int frame = 0; frame < max_played_frames && !stage.scene().quiet(); ++frame) { stage.frame(); }
}

std::vector<std::string> check_page(Session& session, Stage const& stage, Depth depth)
{
  return Examiner(session, stage).examine(depth);
}

}  // namespace slotscape::lessons
