#include "app/lessons/right_answer.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace slotscape::lessons {
namespace {

/// The right number, once it has been revealed; nothing before that.
std::optional<double> told_number(Session const& session)
{
  if (session.task().stage != TaskState::Stage::told) { return std::nullopt; }
  auto const answer = find_statistic(session.statistics(), "answer");
  auto const* number = answer ? std::get_if<double>(&*answer) : nullptr;
  return number == nullptr ? std::nullopt : std::optional(*number);
}

/// The answer as text; empty if it is not known yet.
std::string answer_of(Prediction const& prediction, Session const& session, Subject& scene)
{
  if (auto const told = told_number(session)) { return with_unit(prediction.asks, *told); }
  JsonNode const operation(prediction.operation, session.page().source, prediction.path);
  Json const answer = scene.predict(operation).at(std::string(slotscape::to_text(prediction.asks)));
  return answer.is_number() ? with_unit(prediction.asks, answer.get<double>()) : std::string();
}

std::string answer_of(Number const& number, Session const& session)
{
  if (auto const told = told_number(session)) { return to_text(Quantity(*told)); }
  bool const is_of_later = number.after && asks_statistics(number.answer);
  auto const answer = is_of_later ? std::nullopt : evaluate_number(number.answer, session.names());
  return answer ? to_text(Quantity(*answer)) : std::string();
}

std::string options_of(Choice const& choice, Session const& session)
{
  std::string options;
  for (std::size_t i = 0; i < choice.options.size(); ++i) {
    std::string const text = letter_of(i) + ": " + fill_in(choice.options[i].text, session.names());
    options += "\n- " + (choice.options[i].right ? tr("**{}** (right)", text) : text);
  }
  return options;
}

std::string conditions_of(Challenge const& challenge, Session const& session)
{
  std::string conditions;
  for (Condition const& condition : challenge.until) {
    conditions += fmt::format("\n- {}: **{}**", condition.what, check(condition, session.names()).wanted);
  }
  return conditions;
}

std::string told_as_answer(std::string const& answer)
{
  return "\n\n" + (answer.empty() ? std::string(tr("*The answer is determined when it is shown.*"))
                                  : tr("The answer: **{}**", answer));
}

}  // namespace

std::size_t right_option(Choice const& choice)
{
  return static_cast<std::size_t>(std::ranges::find(choice.options, true, &Option::right) - choice.options.begin());
}

std::string with_unit(Prediction::Asks asks, double number)
{
  std::string const text = to_text(Quantity(number));
  std::uint64_t const count = number == 1.0 ? 1 : 2;  // fractions take the plural
  switch (asks) {
    case Prediction::Asks::slot: return tr("slot {}", text);
    case Prediction::Asks::accesses: return tr_plural("{} access", "{} accesses", count, text);
    case Prediction::Asks::moves: break;
  }
  return tr_plural("{} move", "{} moves", count, text);
}

std::string question_and_answer(Session const& session, Subject& scene)
{
  Task const& task = *session.page().task;
  std::string const question = fill_in(task.ask, session.names());
  if (auto const* choice = std::get_if<Choice>(&task.of)) { return question + "\n" + options_of(*choice, session); }
  if (auto const* challenge = std::get_if<Challenge>(&task.of)) {
    return question + "\n" + conditions_of(*challenge, session);
  }
  std::string answer;
  try {
    auto const* prediction = std::get_if<Prediction>(&task.of);
    answer =
        prediction != nullptr ? answer_of(*prediction, session, scene) : answer_of(std::get<Number>(task.of), session);
  } catch (Error const&) {  // the page reports the error when the question is answered
  }
  return question + told_as_answer(answer);
}

}  // namespace slotscape::lessons
