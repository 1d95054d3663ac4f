#include "app/lessons/expression.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "gpu/analysis/theory.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

namespace slotscape::lessons {
namespace {

constexpr double most_exact = 9007199254740992.0;  // 2^53: larger whole numbers are not exact
constexpr int deepest = 64;                        ///< levels of nesting

bool is_name(char character)
{
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
}

struct Function {
  std::string_view name;
  double (*of_one)(double);
  double (*of_two)(double, double);
  bool takes_more = false;  ///< further arguments are combined with the result
};

/// The cost of a miss under linear probing in a table of exactly this size; the well-known formula is for infinite
/// tables.
double linear_miss(double slots, double taken)
{
  bool const is_table = slots >= 1.0 && slots <= most_exact && taken >= 0.0 && taken < slots;
  return is_table ? theory::linear_probes_of_a_miss(slots, taken) : std::numeric_limits<double>::quiet_NaN();
}

constexpr std::array functions{Function{"abs", [](double x) { return std::abs(x); }, nullptr},
                               Function{"ceil", [](double x) { return std::ceil(x); }, nullptr},
                               Function{"exp", [](double x) { return std::exp(x); }, nullptr},
                               Function{"floor", [](double x) { return std::floor(x); }, nullptr},
                               Function{"linear_miss", nullptr, linear_miss},
                               Function{"ln", [](double x) { return std::log(x); }, nullptr},
                               Function{"log2", [](double x) { return std::log2(x); }, nullptr},
                               Function{"max", nullptr, [](double x, double y) { return std::max(x, y); }, true},
                               Function{"min", nullptr, [](double x, double y) { return std::min(x, y); }, true},
                               Function{"round", [](double x) { return std::round(x); }, nullptr},
                               Function{"sqrt", [](double x) { return std::sqrt(x); }, nullptr}};

/// Parses and evaluates in one pass. Unknown operands make a result unknown.
class Parser {
public:
  Parser(std::string_view text, Names const& names) : text_(text), names_(names) {}

  std::optional<Quantity> whole()
  {
    std::optional<Quantity> value = sum();
    skip_spaces();
    if (at_ < text_.size()) { fail(tr("'{}' is unexpected", letter())); }
    return value;
  }

private:
  using Value = std::optional<Quantity>;

  [[noreturn]] void fail(std::string const& what) const
  {
    throw Error(printable(tr("'{}', character {}: {}", text_, at_ + 1, what)));
  }
  /// The current character with all its bytes.
  std::string_view letter() const
  {
    std::size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0u) == 0x80) { ++end; }
    return text_.substr(at_, end - at_);
  }
  void skip_spaces()
  {
    while (at_ < text_.size() && text_[at_] == ' ') { ++at_; }
  }
  bool takes(char character)
  {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != character) { return false; }
    ++at_;
    return true;
  }
  void expect(char character)
  {
    if (!takes(character)) { fail(tr("'{}' is missing", character)); }
  }
  std::optional<double> number_of(Value const& value) const
  {
    if (!value) { return std::nullopt; }
    if (auto const* number = std::get_if<double>(&*value)) { return *number; }
    fail(tr("'{}' is a text; a number is needed", std::get<std::string>(*value)));
  }
  template <class Compute>
  Value join(Value const& left, Value const& right, Compute compute) const
  {
    auto const a = number_of(left);
    auto const b = number_of(right);
    if (!a || !b) { return std::nullopt; }
    return compute(*a, *b);
  }

  Value sum()
  {
    Value value = product();
    for (;;) {
      if (takes('+')) {
        value = join(value, product(), [](double a, double b) { return a + b; });
      } else if (takes('-')) {
        value = join(value, product(), [](double a, double b) { return a - b; });
      } else {
        return value;
      }
    }
  }
  Value product()
  {
    Value value = power();
    for (;;) {
      if (takes('*')) {
        value = join(value, power(), [](double a, double b) { return a * b; });
      } else if (takes('/')) {
        value = join(value, power(), [this](double a, double b) { return a / not_zero(b); });
      } else if (takes('%')) {
        value = join(value, power(), [this](double a, double b) { return remainder_of(a, b); });
      } else {
        return value;
      }
    }
  }
  /// The remainder, which is never negative.
  double remainder_of(double number, double divisor) const
  {
    double const width = std::abs(not_zero(divisor));
    if (std::abs(number) > most_exact || width > most_exact) {
      fail(tr("numbers above 2^53 are not exact here, so they have no remainder"));
    }
    return number - width * std::floor(number / width);
  }
  double not_zero(double divisor) const
  {
    if (divisor == 0.0) { fail(tr("division by 0")); }
    return divisor;
  }
  Value power()
  {
    if (++depth_ > deepest) { fail(tr("the expression is nested too deeply")); }
    Value value = signed_power();
    --depth_;
    return value;
  }
  Value signed_power()
  {
    if (takes('-')) {
      return join(0.0, power(), [](double a, double b) { return a - b; });
    }
    Value base = operand();
    if (!takes('^')) { return base; }
    return join(base, power(), [](double a, double b) { return std::pow(a, b); });
  }
  Value operand()
  {
    skip_spaces();
    if (at_ >= text_.size()) { fail(tr("a number or a name is missing")); }
    if (text_[at_] == '[') { return statistic(names_.now); }
    if (takes('(')) { return in_parentheses(); }
    bool const is_number = std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.';
    return is_number ? number() : named();
  }
  Value in_parentheses()
  {
    Value value = sum();
    expect(')');
    return value;
  }
  Value number()
  {
    double value = 0.0;
    auto const [end, failure] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (failure != std::errc{}) { fail(tr("this is not a number")); }
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  Value statistic(Json const* from)
  {
    expect('[');
    std::size_t const end = text_.find(']', at_);
    if (end == std::string_view::npos) { fail(tr("']' is missing")); }
    std::string_view const path = text_.substr(at_, end - at_);
    if (path.empty()) { fail(tr("the path of a number in the statistics is missing")); }
    at_ = end + 1;
    return from != nullptr ? find_statistic(*from, path) : std::nullopt;
  }
  Value named()
  {
    std::size_t const begin = at_;
    while (at_ < text_.size() && is_name(text_[at_])) { ++at_; }
    std::string_view const name = text_.substr(begin, at_ - begin);
    if (name.empty()) { fail(tr("'{}' is unexpected", letter())); }
    bool const is_start = name == "start" && at_ < text_.size() && text_[at_] == '[';
    if (is_start) { return statistic(names_.start); }
    auto const function = std::ranges::find(functions, name, &Function::name);
    if (function != functions.end()) { return call(*function); }
    auto const variable = names_.variables.find(name);
    if (variable != names_.variables.end()) { return variable->second; }
    at_ = begin;
    std::vector<std::string_view> known;
    for (auto const& [each, value] : names_.variables) { known.push_back(each); }
    std::string const why = tr("there is no variable '{}'", name);
    fail(known.empty() ? why : fmt::format("{}; {}", why, suggest(name, known)));
  }
  Value call(Function const& function)
  {
    expect('(');
    Value const first = sum();
    if (function.of_two == nullptr) {
      expect(')');
      return join(first, 0.0, [&](double x, double) { return function.of_one(x); });
    }
    expect(',');
    Value value = join(first, sum(), function.of_two);
    while (function.takes_more && takes(',')) { value = join(value, sum(), function.of_two); }
    expect(')');
    return value;
  }

  std::string_view text_;
  Names const& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

/// The end of the expression that begins after a brace at `open`.
std::size_t end_of(std::string_view text, std::size_t open)
{
  std::size_t const close = text.find('}', open);
  if (close == std::string_view::npos) { throw Error(printable(tr("'{}': a '}}' is missing", text))); }
  return close;
}

Json json_of(Quantity const& quantity)
{
  if (auto const* text = std::get_if<std::string>(&quantity)) { return *text; }
  double const number = std::get<double>(quantity);
  if (!is_whole(number)) { return number; }
  return number >= 0.0 ? Json(static_cast<std::uint64_t>(number)) : Json(static_cast<std::int64_t>(number));
}

/// Fills in a text; a text that consists of a single expression becomes its value.
Json filled_in_text(std::string const& text, Names const& names)
{
  bool const all = text.size() > 2 && text.front() == '{' && text.find('}') + 1 == text.size();
  if (!all) { return fill_in(text, names); }
  auto const value = evaluate(std::string_view(text).substr(1, text.size() - 2), names);
  return value ? json_of(*value) : Json(text);
}

}  // namespace

std::optional<Quantity> evaluate(std::string_view expression, Names const& names)
{
  auto value = Parser(expression, names).whole();
  auto const* number = value ? std::get_if<double>(&*value) : nullptr;
  if (number != nullptr && !std::isfinite(*number)) {
    throw Error(printable(tr("'{}' is not a finite number", expression)));
  }
  return value;
}

std::optional<double> evaluate_number(std::string_view expression, Names const& names)
{
  auto const value = evaluate(expression, names);
  if (!value) { return std::nullopt; }
  if (auto const* number = std::get_if<double>(&*value)) { return *number; }
  throw Error(printable(tr("'{}' is the text '{}'; a number is needed", expression, std::get<std::string>(*value))));
}

bool asks_statistics(std::string_view expression)
{
  return expression.find('[') != std::string_view::npos;
}

namespace {

/// The sum of the values at this path in all elements of a list.
double sum_of(Json const& list, std::string_view path)
{
  double sum = 0.0;
  for (Json const& each : list) {
    auto const value = find_statistic(each, path);
    if (value && std::holds_alternative<double>(*value)) { sum += std::get<double>(*value); }
  }
  return sum;
}

}  // namespace

std::optional<Quantity> find_statistic(Json const& statistics, std::string_view path)
{
  Json const* at = &statistics;
  for (std::string_view rest = path; at != nullptr && !rest.empty();) {
    std::size_t const end = std::min(rest.find('/'), rest.size());
    std::string const name(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (name == "*" && at->is_array()) { return sum_of(*at, rest); }
    auto const index = parse_number<std::size_t>(name);
    if (at->is_array() && index && *index < at->size()) {
      at = &(*at)[*index];
    } else {
      auto const found = at->find(name);
      at = at->is_object() && found != at->end() ? &*found : nullptr;
    }
  }
  if (at == nullptr) { return std::nullopt; }
  if (at->is_boolean()) { return at->get<bool>() ? 1.0 : 0.0; }
  if (at->is_string()) { return at->get<std::string>(); }
  return at->is_number() ? std::optional<Quantity>(at->get<double>()) : std::nullopt;
}

bool is_whole(double number)
{
  return std::abs(number) <= most_exact && std::floor(number) == number;
}

std::string to_text(Quantity const& quantity)
{
  constexpr double grouped_from = 10'000.0;  // keys of lessons are smaller, and are shown in slots without commas
  if (auto const* text = std::get_if<std::string>(&quantity)) { return *text; }
  double const number = std::get<double>(quantity);
  if (std::abs(number) >= 100.0 || is_whole(number)) {
    double const rounded = std::round(number);
    bool const is_long = rounded >= grouped_from && rounded <= most_exact;
    return is_long ? grouped(static_cast<std::uint64_t>(rounded)) : fmt::format("{:.0f}", rounded);
  }
  return fmt::format("{:.3g}", halves_up(number));
}

std::pair<std::string, std::string> told_apart(double one, double other)
{
  constexpr int all_digits = 17;
  std::pair texts{to_text(Quantity(one)), to_text(Quantity(other))};
  for (int digits = 6; texts.first == texts.second && digits <= all_digits; ++digits) {
    texts = {fmt::format("{:.{}g}", one, digits), fmt::format("{:.{}g}", other, digits)};
  }
  return texts;
}

std::string fill_in(std::string_view text, Names const& names)
{
  std::string filled;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const open = std::min(text.find('{', at), text.size());
    filled += text.substr(at, open - at);
    if (open == text.size()) { break; }
    std::size_t const close = end_of(text, open);
    std::string_view const expression = text.substr(open + 1, close - open - 1);
    bool const waits = asks_statistics(expression) && names.now == nullptr && names.start == nullptr;
    auto const value = evaluate(expression, names);
    filled += waits ? std::string(text.substr(open, close + 1 - open)) : value ? to_text(*value) : "…";
    at = close + 1;
  }
  return filled;
}

Json fill_in_all(Json const& document, JsonNode const& node, Names const& names, int depth)
{
  if (depth > deepest) { node.fail(tr("the expression is nested too deeply")); }
  Json filled = document;
  if (document.is_object()) {
    for (auto const& [name, value] : document.items()) {
      filled[name] = fill_in_all(value, node.at(name), names, depth + 1);
    }
  } else if (document.is_array()) {
    auto const elements = node.elements();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      filled[i] = fill_in_all(document[i], elements[i], names, depth + 1);
    }
  } else if (document.is_string()) {
    try {
      filled = filled_in_text(document.get_ref<std::string const&>(), names);
    } catch (Error const& error) {
      node.fail(error.what());
    }
  }
  return filled;
}

}  // namespace slotscape::lessons
