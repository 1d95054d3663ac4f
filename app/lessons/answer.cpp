#include "app/lessons/answer.hpp"

#include "app/base/text.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <utility>

namespace slotscape::lessons {
namespace {

using TaskStage = TaskState::Stage;

constexpr std::string_view answered =
    "This question is answered. Press Enter for another try. To type keys, click the field above the table first.";

constexpr std::string_view answered_right =
    "This question is answered. To use the letters as keys, go to the next page, or click the menus.";

bool is_digit(char character)
{
  return std::isdigit(static_cast<unsigned char>(character)) != 0;
}

std::string trimmed(std::string_view text)
{
  std::size_t const first = std::min(text.find_first_not_of(" \t"), text.size());
  return std::string(text.substr(first, text.find_last_not_of(" \t") + 1 - first));
}

/// With the signs that keyboards have in place of those that are printed.
std::string in_ascii(std::string text)
{
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> signs{
      {{"−", "-"}, {"·", "*"}, {"×", "*"}, {"π", "pi"}, {"√", "sqrt"}, {"²", "^2"}}};
  for (auto const& [printed, typed] : signs) {
    for (std::size_t at = text.find(printed); at != std::string::npos; at = text.find(printed, at)) {
      text.replace(at, printed.size(), typed);
    }
  }
  return text;
}

/// "65,536" without its commas; any other text as it is. A group of thousands does not begin with 0: "0,793" is a
/// share.
std::string ungrouped(std::string number)
{
  std::string_view const whole = std::string_view(number).substr(0, number.find('.'));
  std::size_t const first = whole.find(',');
  if (first == std::string_view::npos || first == 0 || first > 3 || whole.front() == '0') { return number; }
  if ((whole.size() - first) % 4 != 0) { return number; }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    bool const comma_here = at >= first && (at - first) % 4 == 0;
    if (comma_here ? whole[at] != ',' : !is_digit(whole[at])) { return number; }
  }
  std::erase(number, ',');
  return number;
}

/// The same for every number of a formula.
std::string without_grouping(std::string_view text)
{
  constexpr std::string_view of_numbers = "0123456789,.";
  std::string plain;
  while (!text.empty()) {
    std::size_t const length = std::min(text.find_first_not_of(of_numbers), text.size());
    plain += ungrouped(std::string(text.substr(0, length)));
    text.remove_prefix(length);
    std::size_t const other = std::min(text.find_first_of(of_numbers), text.size());
    plain += text.substr(0, other);
    text.remove_prefix(other);
  }
  return plain;
}

/// "65 536" as "65,536"; any other text as it is.
std::string with_commas(std::string const& text)
{
  std::string grouped = text;
  std::ranges::replace(grouped, ' ', ',');
  return ungrouped(grouped) == grouped ? text : grouped;
}

/// What "36,788" and "65.536" are where a comma begins the decimals and a point the thousands.
std::optional<double> with_places_changed(std::string text)
{
  if (std::ranges::count_if(text, [](char each) { return each == ',' || each == '.'; }) != 1) { return std::nullopt; }
  for (char& each : text) { each = each == ',' ? '.' : each == '.' ? ',' : each; }
  return parse_number<double>(ungrouped(text));
}

std::optional<double> finite(std::optional<double> number)
{
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// What the text says as a formula; nothing where it is none.
std::optional<double> computed(std::string const& text)
{
  try {
    return finite(evaluate_number(text, {Variables{{"pi", std::numbers::pi}, {"e", std::numbers::e}}}));
  } catch (Error const&) {
    return std::nullopt;
  }
}

bool is_decimal_comma(std::string const& text)
{
  bool const alone = std::ranges::count(text, ',') == 1;
  return alone && std::ranges::all_of(text, [](char each) { return is_digit(each) || each == ',' || each == '-'; });
}

std::string why_no_number(std::string const& text)
{
  if (text.empty()) { return "Type a number first."; }
  if (is_decimal_comma(text)) {
    std::string with_point = text;
    std::ranges::replace(with_point, ',', '.');
    return fmt::format("'{}' has a comma. Type {}, with a point.", text, with_point);
  }
  return fmt::format("'{}' is not a number. Type one, such as 12.5, or a formula: 1/(1-0.75) is 4.", text);
}

Choice const* open_choice(Session const& session)
{
  return session.page().task ? std::get_if<Choice>(&session.page().task->of) : nullptr;
}

constexpr double hundred = 100.0;

/// Whether the answer is wanted in percent: then "2.3%" is 2.3, and elsewhere 0.023.
bool asks_percent(Session const& session)
{
  return session.page().task->ask.find("percent") != std::string::npos;
}

bool asks_slot(Session const& session)
{
  auto const* prediction = session.page().task ? std::get_if<Prediction>(&session.page().task->of) : nullptr;
  return prediction != nullptr && prediction->asks == Prediction::Asks::slot;
}

bool was_wrong(Session const& session)
{
  return session.task().stage == TaskStage::told && !session.task().right;
}

/// A letter chooses an option.
bool choose(Session const& session, Choice const& choice, PanelState& state, char character, std::vector<Wish>& wishes)
{
  if (std::isalnum(static_cast<unsigned char>(character)) == 0) { return false; }
  auto const option = static_cast<std::size_t>(std::toupper(static_cast<unsigned char>(character)) - 'A');
  bool const is_option = option < choice.options.size();
  bool const is_told = session.task().stage == TaskStage::told;
  if (is_told && !session.takes_choice()) {
    if (!is_option) { return false; }
    state.complaint = answered_right;
    return true;  // what was an answer a moment ago must not clear the table now
  }
  if (!session.takes_choice()) { return true; }
  if (is_option) {
    wishes.emplace_back([option](Session& each) { each.choose_option(option); });
  } else {
    state.complaint = fmt::format("Choose with a letter, from A to {}.", letter_of(choice.options.size() - 1));
  }
  return true;
}

ReadAnswer multiplied(ReadAnswer read, double factor)
{
  for (auto* const each : {&read.number, &read.otherwise}) {
    if (*each) { **each *= factor; }
  }
  return read;
}

}  // namespace

ReadAnswer read_number(std::string_view text)
{
  std::string const typed = with_commas(in_ascii(trimmed(text)));
  if (typed.ends_with('%')) {
    return multiplied(read_number(std::string_view(typed).substr(0, typed.size() - 1)), 1.0 / hundred);
  }
  if (auto const number = finite(parse_number<double>(without_grouping(typed)))) {
    return {number, with_places_changed(typed), {}};
  }
  std::optional<double> number;
  if (!typed.empty() && !is_decimal_comma(typed)) { number = computed(typed); }
  if (!number) { number = computed(without_grouping(typed)); }
  return number ? ReadAnswer{number, {}, {}} : ReadAnswer{{}, {}, why_no_number(typed)};
}

ReadAnswer read_answer(std::string_view text, Session const& session)
{
  ReadAnswer read = read_number(text);
  auto const* prediction = std::get_if<Prediction>(&session.page().task->of);
  if (!read.number && prediction != nullptr && !text.empty()) {
    bool const slot = prediction->asks == Prediction::Asks::slot;
    return {{},
            {},
            fmt::format("'{}' is not a number. Type {}, such as 12.", text,
                        slot ? "the number of a slot" : "how many")};
  }
  if (trimmed(text).ends_with('%') && asks_percent(session)) { read = multiplied(std::move(read), hundred); }
  if (!read.number || prediction == nullptr) { return read; }
  constexpr double rounding = 1e-9;  // of a formula
  double const whole = std::round(*read.number);
  if (std::abs(*read.number - whole) > rounding || whole < 0.0) {
    return {{}, {}, "A whole number, please: 0, 1, 2 and so on."};
  }
  auto const slots = evaluate_number("[table/slots]", session.names());
  if (prediction->asks == Prediction::Asks::slot && slots && whole >= *slots) {
    return {{}, {}, fmt::format("There is no slot {:.0f}: the slots are 0 to {:.0f}.", whole, *slots - 1.0)};
  }
  return {whole, {}, {}};
}

bool asks_number(Session const& session)
{
  if (!session.page().task) { return false; }
  auto const& of = session.page().task->of;
  return std::holds_alternative<Number>(of) || std::holds_alternative<Prediction>(of);
}

void follow_question(Session const& session, PanelState& state)
{
  if (state.visit != session.visit()) {
    bool const wants_close = state.wants_close;
    state = {};
    state.wants_close = wants_close;
    state.visit = session.visit();
    state.frames_to_scroll = 2;  // to the top
  }
  if (state.clicked == session.task().chosen) { return; }
  state.clicked = session.task().chosen;
  if (!state.clicked || !asks_slot(session)) { return; }
  state.number = std::to_string(*state.clicked);
  state.typed = false;
  state.complaint.clear();
}

void give_answer(Session const& session, PanelState& state, std::vector<Wish>& wishes)
{
  if (session.task().stage != TaskStage::asking || !session.begun()) { return; }
  ReadAnswer const read = read_answer(state.number, session);
  state.complaint = read.complaint;
  state.focus = !read.number;
  state.typed = false;
  if (!read.number) { return; }
  wishes.emplace_back([read](Session& each) { each.give_number(*read.number, read.otherwise); });
}

bool type_answer(Session const& session, PanelState& state, char character, std::vector<Wish>& wishes)
{
  follow_question(session, state);
  if (Choice const* const choice = open_choice(session)) { return choose(session, *choice, state, character, wishes); }
  if (!asks_number(session)) { return false; }
  bool const begins_number = is_digit(character) || character == '.' || character == '-';
  switch (session.task().stage) {
    case TaskStage::told:
      if (!was_wrong(session) || !begins_number) { return false; }
      state.complaint = answered;
      return true;
    case TaskStage::working: return begins_number || std::isalpha(static_cast<unsigned char>(character)) != 0;
    case TaskStage::asking: break;
  }
  bool const is_help = character == '?' || character == ' ';
  if (is_help && !state.focus) { return false; }
  if (!std::exchange(state.typed, true)) { state.number.clear(); }
  state.number += character;
  state.complaint.clear();
  state.focus = state.replaced = true;
  return true;
}

bool enter_answer(Session const& session, PanelState& state, std::vector<Wish>& wishes)
{
  follow_question(session, state);
  bool const asks = asks_number(session) || open_choice(session) != nullptr;
  if (!asks) { return false; }
  if (was_wrong(session)) {
    wishes.emplace_back([](Session& each) { each.another(); });
    return true;
  }
  if (session.task().stage != TaskStage::asking || !asks_number(session)) { return false; }
  give_answer(session, state, wishes);
  return true;
}

}  // namespace slotscape::lessons
