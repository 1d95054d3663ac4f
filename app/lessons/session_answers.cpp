// Judges answers: the scene carries out the operation in question and provides the right answer.

#include "app/base/text.hpp"
#include "app/lessons/right_answer.hpp"
#include "app/lessons/session.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape::lessons {
namespace {

template <class... Each>
struct Overloaded : Each... {
  using Each::operator()...;
};
template <class... Each>
Overloaded(Each...) -> Overloaded<Each...>;

/// If no deviation is allowed, the rounded value that the page shows is right, too: 0.333 for a third.
bool is_right(Number const& number, double given, double answer)
{
  constexpr double rounding = 1e-9;
  double const off = std::abs(given - answer);
  bool const is_exact = is_whole(given) && is_whole(answer);
  bool const near = off <= number.within + (is_exact ? 0.0 : rounding * std::max(1.0, std::abs(answer)));
  bool const same_sign = given * answer > 0.0;
  double const ratio = same_sign ? std::max(given / answer, answer / given) : 0.0;
  bool const as_shown = number.within == 0.0 && number.factor == 1.0 && !is_whole(answer) &&
                        to_text(Quantity(given)) == to_text(Quantity(answer));
  return near || as_shown || (same_sign && ratio <= number.factor);
}

std::string joined_text(std::string const& first, std::string const& second)
{
  return second.empty() ? first : fmt::format("{}\n\n{}", first, second);
}

/// "You said A. It is **B**."
std::string verdict_on_wrong(Choice const& choice, std::size_t option)
{
  return tr("You said {}. It is **{}**.", letter_of(option), letter_of(right_option(choice)));
}

}  // namespace

void Session::take_hint()
{
  state_.hinted = true;
  ++progress_.tries[number()];
}

void Session::choose_option(std::size_t option)
{
  auto const& options = std::get<Choice>(page_.task->of).options;
  Option const& chosen = options[option];
  bool const was_changed = state_.option && options[*state_.option].show;
  state_.stage = TaskState::Stage::working;
  state_.option = option;
  bool const is_anew = chosen.show && chosen.show->is_anew();
  if ((chosen.show || was_changed) && !is_anew) { jobs_.emplace_back(page_.scenario); }
  if (chosen.show) { add(*chosen.show); }
  jobs_.emplace_back(Judge{[this, option](Subject& scene) {
    measure(scene);
    Choice const& choice = std::get<Choice>(page_.task->of);
    Option const& judged = choice.options[option];
    now_["answer"] = letter_of(right_option(choice));
    now_["given"] = letter_of(option);
    judge(judged.right,
          judged.right ? joined_text(judged.tell, page_.task->tell)
                       : joined_text(verdict_on_wrong(choice, option), judged.tell),
          letter_of(option));
  }});
}

void Session::give_number(double number, std::optional<double> otherwise)
{
  state_.stage = TaskState::Stage::working;
  if (auto const* prediction = std::get_if<Prediction>(&page_.task->of)) {
    jobs_.emplace_back(Judge{[=, this](Subject& scene) { judge_prediction(*prediction, scene, number); }});
    return;
  }
  auto const& asked = std::get<Number>(page_.task->of);
  if (asked.after) {
    if (!asked.after->is_anew()) { jobs_.emplace_back(page_.scenario); }
    add(*asked.after);
  }
  jobs_.emplace_back(
      Judge{[&asked, number, otherwise, this](Subject& scene) { judge_number(asked, scene, number, otherwise); }});
}

void Session::judge(bool right, std::string const& told, std::string const& given)
{
  state_.stage = TaskState::Stage::told;
  state_.right = right;
  state_.told = fill_in(told, names());
  if (!state_.revealed) { ++progress_.tries[number()]; }  // an answer that the user abandons does not count
  if (right && was_shown() && !state_.revealed) {
    state_.told = joined_text(state_.told, tr("No points: the answer was shown before."));
  }
  if (!right || was_shown()) { return; }
  bool const at_once = progress_.tries[number()] <= 1;
  solved_with_[number()] = given;
  int& points = progress_.points[number()];
  points = std::max(points, at_once ? max_points : 1);
}

std::optional<double> Session::predicted(Prediction const& prediction, Subject& scene)
{
  JsonNode const operation(prediction.operation, page_.source, prediction.path);
  Json const answer = scene.predict(operation).at(std::string(slotscape::to_text(prediction.asks)));
  measure(scene);
  return answer.is_number() ? std::optional(answer.get<double>()) : std::nullopt;
}

void Session::judge_prediction(Prediction const& prediction, Subject& scene, double given)
{
  auto const answer = predicted(prediction, scene);
  if (!answer) {
    judge(false, joined_text(tr("In no slot: the operation ends without one."), page_.task->tell));
  } else {
    double const actual = *answer;
    now_["answer"] = actual;
    now_["given"] = given;
    std::string const what = with_unit(prediction.asks, actual);
    bool const right = given == actual;
    std::string const verdict =
        right ? tr("**Right:** {}.", what)
              : tr("You said {}. It is **{}**: watch why.", with_unit(prediction.asks, given), what);
    judge(right, joined_text(verdict, page_.task->tell), what);
  }
  show_operation(prediction);
}

void Session::show_operation(Prediction const& prediction)
{
  Json step = prediction.operation;
  step["operation"] = step.at("op");
  step["op"] = "step";
  step["play"] = true;
  step["do"] = true;
  jobs_.emplace_back(Change{Json::array({std::move(step)}), prediction.path});
}

void Session::judge_number(Number const& number, Subject& scene, std::optional<double> given,
                           std::optional<double> otherwise)
{
  measure(scene);
  auto const answer = evaluate_number(number.answer, names());
  if (!answer) {
    return judge(false, tr("The scene does not have this number now. Restart the page and answer again."));
  }
  if (otherwise && is_right(number, *otherwise, *answer)) { given = otherwise; }
  now_["answer"] = *answer;
  now_["given"] = given.value_or(*answer);  // without an answer, as in lectures, show the right one as given
  std::string const actual = to_text(Quantity(*answer));
  bool const right = given && is_right(number, *given, *answer);
  std::string verdict = tr("It is **{}**.", actual);
  if (right) {
    verdict = tr("**Right:** {}.", actual);
  } else if (given) {
    auto const [said, is] = told_apart(*given, *answer);
    verdict = tr("You said {}. It is **{}**.", said, is);
  }
  judge(right, joined_text(verdict, page_.task->tell), given ? to_text(Quantity(*given)) : std::string());
}

void Session::reveal()
{
  if (!page_.task) { return; }
  if (!was_shown()) { ++progress_.tries[number()]; }  // counts like a hint, for the next question of this kind
  progress_.shown[number()] = progress_.others[number()] + 1;
  state_.revealed = true;
  state_.stage = TaskState::Stage::working;
  std::visit(Overloaded{[&](Challenge const& challenge) {
                          add(challenge.solution);
                          jobs_.emplace_back(Judge{[this](Subject& scene) {
                            measure(scene);
                            judge(true, page_.task->tell);
                          }});
                        },
                        [&](Prediction const& prediction) {
                          jobs_.emplace_back(Judge{[&prediction, this](Subject& scene) {
                            auto const answer = predicted(prediction, scene);
                            if (answer) { now_["answer"] = now_["given"] = *answer; }
                            bool const says = answer && page_.task->tell.empty();
                            judge(true,
                                  says ? tr("It is **{}**.", with_unit(prediction.asks, *answer)) : page_.task->tell);
                          }});
                          show_operation(prediction);
                        },
                        [&](Choice const& choice) { choose_option(right_option(choice)); },
                        [&](Number const& number) {
                          if (number.after) { add(*number.after); }
                          jobs_.emplace_back(
                              Judge{[&number, this](Subject& scene) { judge_number(number, scene, {}, {}); }});
                        }},
             page_.task->of);
}

void Session::solve(Subject& scene)
{
  if (!page_.task) { return; }
  std::visit(Overloaded{[&](Challenge const& challenge) { add(challenge.solution); },
                        [&](Prediction const& prediction) {
                          JsonNode const operation(prediction.operation, page_.source, prediction.path);
                          Json const answer =
                              scene.predict(operation).at(std::string(slotscape::to_text(prediction.asks)));
                          if (answer.is_number()) { give_number(answer.get<double>()); }
                        },
                        [&](Choice const& choice) { choose_option(right_option(choice)); },
                        [&](Number const& number) {
                          // The right answer is known only after the operation, which therefore runs twice.
                          if (number.after) { add(*number.after); }
                          jobs_.emplace_back(Judge{[&number, this](Subject& done) {
                            measure(done);
                            give_number(evaluate_number(number.answer, names()).value_or(0.0));
                          }});
                        }},
             page_.task->of);
}

std::string points_text(int points)
{
  return tr_plural("{} point", "{} points", static_cast<std::uint64_t>(points), points);
}

std::string score_text(Session const& session)
{
  std::vector<std::string> open;
  for (std::size_t i = 0; i < session.count(); ++i) {
    if (session.has_task(i) && session.progress().points[i] == 0) { open.push_back(std::to_string(i + 1)); }
  }
  std::string const points = tr("Your score: **{} of {}**.", session.points(), points_text(session.points_possible()));
  if (open.empty()) {
    return points +
           (session.points() == session.points_possible() ? std::string(" ") + tr("All on the first try.") : "");
  }
  return points + " " +
         tr_plural("Page {} is still open.", "Pages {} are still open.", open.size(),
                   slotscape::listed(open, tr("and")));
}

}  // namespace slotscape::lessons
