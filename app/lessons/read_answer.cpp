#include "app/lessons/read_answer.hpp"

#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <utility>

namespace slotscape::lessons {
namespace {

bool is_digit(char character)
{
  return std::isdigit(static_cast<unsigned char>(character)) != 0;
}

/// Replaces printed signs by those on keyboards.
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

/// Removes the commas of "65,536"; any other text is unchanged. The first group of digits never begins with 0: "0,793"
/// is a fraction.
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

/// Removes thousands separators from every number of a formula.
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

/// Turns "65 536" into "65,536"; any other text is unchanged.
std::string with_commas(std::string const& text)
{
  std::string grouped = text;
  std::ranges::replace(grouped, ' ', ',');
  return ungrouped(grouped) == grouped ? text : grouped;
}

/// Reads "36,788" and "65.536" with a decimal comma and points between thousands. Where the language uses a decimal
/// point, a point is never taken for anything else.
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

std::optional<double> value_of(std::string const& formula)
{
  return evaluate_number(formula, {Variables{{"pi", std::numbers::pi}, {"e", std::numbers::e}}});
}

/// The value of the text as a formula; nothing if it is not one.
std::optional<double> computed(std::string const& text)
{
  try {
    return value_of(text);
  } catch (Error const&) {
    return std::nullopt;
  }
}

/// Why a formula has no value: "'1/0', character 4: division by 0."
std::string why_no_value(std::string const& formula)
{
  try {
    value_of(formula);
  } catch (Error const& error) {
    return error.what() + std::string(".");
  }
  return {};
}

bool is_decimal_comma(std::string const& text)
{
  bool const alone = std::ranges::count(text, ',') == 1;
  return alone && std::ranges::all_of(text, [](char each) { return is_digit(each) || each == ',' || each == '-'; });
}

std::string with_points_for_commas(std::string text)
{
  std::ranges::replace(text, ',', '.');
  return text;
}

std::string why_no_number(std::string const& text)
{
  if (text.empty()) { return tr("Type a number first."); }
  std::string const with_points = with_points_for_commas(text);
  if (is_decimal_comma(text) || (with_points != text && computed(with_points))) {
    return tr("'{}' has a comma. Type {}, with a point.", text, with_points);
  }
  bool const is_formula = std::ranges::any_of(text, is_digit) && text.find_first_of("+-*/^(") != std::string::npos;
  if (std::string why = why_no_value(text); is_formula && !why.empty()) { return why; }
  return tr("'{}' is not a number. Type one, such as 12.5, or a formula: 1/(1-0.75) is 4.", text);
}

constexpr double hundred = 100.0;

/// Whether the answer is asked for in per cent: then "2.3%" is 2.3, otherwise 0.023.
bool asks_percent(Session const& session)
{
  return session.page().task->ask.find(tr_in("in questions", "percent")) != std::string::npos;
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
  std::string typed = with_commas(in_ascii(std::string(trimmed(text))));
  if (typed.starts_with('+')) { typed.erase(0, 1); }
  if (typed.ends_with('%')) {
    return multiplied(read_number(std::string_view(typed).substr(0, typed.size() - 1)), 1.0 / hundred);
  }
  std::string_view const begins_decimals = tr_in("what begins the decimals of a number", "a point");
  bool const comma_begins_decimals = begins_decimals == tr("a comma");
  bool const has_comma = typed.find(',') != std::string::npos;
  if (auto const number = finite(parse_number<double>(without_grouping(typed)))) {
    std::optional<double> const changed = with_places_changed(typed);
    if (comma_begins_decimals && has_comma && changed) { return {changed, number, {}}; }
    return {number, comma_begins_decimals || has_comma ? changed : std::nullopt, {}};
  }
  if (comma_begins_decimals && is_decimal_comma(typed)) {
    return {finite(parse_number<double>(with_points_for_commas(typed))), {}, {}};
  }
  std::optional<double> number;
  if (!typed.empty() && !is_decimal_comma(typed)) { number = computed(typed); }
  if (number) { return {number, {}, {}}; }
  number = computed(without_grouping(typed));
  if (!number) { return {{}, {}, why_no_number(typed)}; }
  return {number, computed(with_points_for_commas(typed)), {}};  // read with decimal commas, for example "1,300/2"
}

ReadAnswer read_answer(std::string_view text, Session const& session)
{
  ReadAnswer read = read_number(text);
  auto const* prediction = std::get_if<Prediction>(&session.page().task->of);
  if (!read.number && prediction != nullptr && !text.empty()) {
    bool const slot = prediction->asks == Prediction::Asks::slot;
    return {{},
            {},
            slot ? tr("'{}' is not a number. Type the number of a slot, such as 12.", text)
                 : tr("'{}' is not a number. Type a count, such as 12.", text)};
  }
  if (trimmed(text).ends_with('%') && asks_percent(session)) { read = multiplied(std::move(read), hundred); }
  if (!read.number || prediction == nullptr) { return read; }
  constexpr double rounding = 1e-9;  // error of a formula's value
  double const whole = std::round(*read.number);
  if (std::abs(*read.number - whole) > rounding || whole < 0.0) {
    return {{}, {}, tr("A whole number, please: 0, 1, 2 and so on.")};
  }
  auto const slots = evaluate_number("[table/slots]", session.names());
  if (prediction->asks == Prediction::Asks::slot && slots && whole >= *slots) {
    return {{}, {}, tr("There is no slot {:.0f}: the slots are 0 to {:.0f}.", whole, *slots - 1.0)};
  }
  return {whole, {}, {}};
}

bool asks_number(Session const& session)
{
  if (!session.page().task) { return false; }
  auto const& of = session.page().task->of;
  return std::holds_alternative<Number>(of) || std::holds_alternative<Prediction>(of);
}

}  // namespace slotscape::lessons
