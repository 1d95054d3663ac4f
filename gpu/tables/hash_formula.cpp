#include "gpu/tables/hash_formula.hpp"

#include "gpu/base/translation.hpp"
#include "gpu/tables/hash_assembler.hpp"
#include "gpu/tables/hash_language.hpp"
#include "gpu/tables/primes.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

using hash_language::Function;
using hash_language::functions;
using hash_language::Operator;
using hash_language::operators;

constexpr std::array<std::pair<char, HashOp>, 5> variables{
    {{'k', HashOp::key}, {'m', HashOp::slots}, {'x', HashOp::x}, {'y', HashOp::y}, {'z', HashOp::z}}};

/// A part of the formula: the steps that compute it.
struct Part {
  std::vector<HashStep> steps;
  bool is_real = false;
  bool is_written = false;  ///< a number as typed

  bool is_number() const
  {
    return steps.size() == 1 && steps.front().op == HashOp::constant && !steps.front().prime_of_slots;
  }
  std::uint64_t number() const { return steps.front().number; }
};

Part number_part(std::uint64_t number)
{
  return {{{HashOp::constant, number}}, false, false};
}

std::string names_of_functions()
{
  std::string names;
  for (Function const& function : functions) { names.append(function.name).append(", "); }
  return names + "next_prime";
}

/// Reads a formula from left to right: precedence climbing.
class Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  Part parse()
  {
    skip_spaces();
    if (at_end()) { throw FormulaError(tr("the formula is empty; write one, such as (7*k + 3) % 11"), 1); }
    Part part = expression(1, {});
    if (!at_end()) { fail(peek() == ')' ? tr("a ) without a (") : tr("expected an operator such as +")); }
    if (part.is_real) {
      throw FormulaError(tr("the formula gives a number with a fraction; put floor(...) around it"), 1);
    }
    return part;
  }

private:
  /// `advice`: what the user can do; may be empty.
  [[noreturn]] static void fail_at(std::size_t place, std::string const& what, std::string const& advice = {})
  {
    std::string const where = tr("{} at column {}", what, place + 1);
    throw FormulaError(advice.empty() ? where : where + ": " + advice, place + 1);
  }
  [[noreturn]] void fail(std::string const& what) const { fail_at(place_, what); }

  bool at_end() const { return place_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[place_]; }
  void skip_spaces()
  {
    while (!at_end() && (peek() == ' ' || peek() == '\t')) { ++place_; }
  }
  void step_over(std::size_t characters)
  {
    place_ += characters;
    skip_spaces();
  }
  bool take(char sign)
  {
    if (peek() != sign) { return false; }
    step_over(1);
    return true;
  }
  /// `before`: the text before the missing sign.
  void expect(char sign, std::string_view before)
  {
    if (!take(sign)) { fail(tr("expected {} after {}", std::string_view(&sign, 1), before)); }
  }

  Operator const* operator_here() const
  {
    for (Operator const& one : operators) {
      if (text_.substr(std::min(place_, text_.size())).starts_with(one.sign)) { return &one; }
    }
    return nullptr;
  }

  /// `after`: the text before the expression; empty at the beginning.
  Part expression(int binds, std::string_view after)
  {
    Part left = operand(after);
    for (Operator const* one = operator_here(); one != nullptr && one->binds >= binds; one = operator_here()) {
      std::size_t const at = place_;
      step_over(one->sign.size());
      Part right = expression(one->binds + 1, one->sign);
      left = of_two(*one, std::move(left), std::move(right), at);
    }
    return left;
  }

  Part operand(std::string_view after)
  {
    char const first = peek();
    if (first == '~' || first == '-') {
      std::size_t const at = place_;
      step_over(1);
      Part part = whole(operand(std::string_view(&text_[at], 1)), std::string_view(&text_[at], 1), at);
      part.steps.push_back({first == '~' ? HashOp::complement : HashOp::negate});
      return folded(std::move(part));
    }
    if (take('(')) {
      Part part = expression(1, "(");
      expect(')', tr("the expression in parentheses"));
      part.is_written = false;
      return part;
    }
    if (is_digit(first) || first == '.') { return literal(); }
    if (is_letter(first)) { return word(); }
    fail(after.empty() ? tr("expected a number, k, m, a function or (") : tr("expected a number after {}", after));
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

  Part literal()
  {
    std::size_t const first = place_;
    bool const is_hexadecimal = peek() == '0' && (text_.substr(place_ + 1).starts_with("x"));
    Part part = is_hexadecimal ? hexadecimal() : decimal();
    if (is_letter(peek()) || is_digit(peek()) || peek() == '.') {
      fail_at(first, tr("‘{}’ is not a number", text_.substr(first, place_ - first + 1)),
              tr("put a * between a number and a name, as in 7*k"));
    }
    skip_spaces();
    part.is_written = true;
    return part;
  }

  Part hexadecimal()
  {
    std::size_t const first = place_;
    place_ += 2;
    std::uint64_t number = 0;
    std::size_t digits = 0;
    for (; std::isxdigit(static_cast<unsigned char>(peek())) != 0; ++place_, ++digits) {
      if (number >> 60 != 0) { fail_at(first, tr("a number of more than 64 bits")); }
      char const c = static_cast<char>(std::tolower(static_cast<unsigned char>(peek())));
      number = 16 * number + static_cast<std::uint64_t>(is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    if (digits == 0) { fail(tr("expected hexadecimal digits after 0x")); }
    return number_part(number);
  }

  Part decimal()
  {
    std::uint64_t const number = whole_digits();
    if (peek() != '.') { return number_part(number); }
    ++place_;
    Part part = number_part(number);
    part.steps.push_back({HashOp::constant, fraction_digits()});
    part.is_real = true;
    return part;
  }

  std::uint64_t whole_digits()
  {
    std::size_t const first = place_;
    std::uint64_t number = 0;
    for (; is_digit(peek()); ++place_) {
      auto const digit = static_cast<std::uint64_t>(peek() - '0');
      if (number > (~std::uint64_t{0} - digit) / 10) { fail_at(first, tr("a number of more than 64 bits")); }
      number = 10 * number + digit;
    }
    return number;
  }

  /// The digits after the point in units of 2^-64, rounded up.
  std::uint64_t fraction_digits()
  {
    constexpr std::uint64_t most = 1'000'000'000'000'000'000;  // 18 digits: 10^18 · 2^64 has 128 bits
    Uint128 digits = 0;
    std::uint64_t unit = 1;
    if (!is_digit(peek())) { fail(tr("expected digits after the point")); }
    for (; is_digit(peek()); ++place_) {
      if (unit == most) { fail(tr("a fraction with more than 18 digits")); }
      digits = 10 * digits + static_cast<unsigned>(peek() - '0');
      unit *= 10;
    }
    return static_cast<std::uint64_t>(((digits << 64) + unit - 1) / unit);
  }

  Part word()
  {
    std::size_t const first = place_;
    while (is_letter(peek()) || is_digit(peek())) { ++place_; }
    std::string_view const name = text_.substr(first, place_ - first);
    skip_spaces();
    if (peek() == '(') { return call(name, first); }
    auto const* const variable = std::ranges::find(variables, name.front(), &std::pair<char, HashOp>::first);
    if (name.size() == 1 && variable != variables.end()) { return {{{variable->second}}, false, false}; }
    bool const is_function = std::ranges::find(functions, name, &Function::name) != functions.end();
    if (is_function || name == "next_prime") { fail(tr("expected ( after {}", name)); }
    fail_at(first, tr("unknown name ‘{}’", name), tr("use k, m, x, y, z or a function such as rotl"));
  }

  Part call(std::string_view name, std::size_t at)
  {
    auto const* const function = std::ranges::find(functions, name, &Function::name);
    bool const is_next_prime = name == "next_prime";
    if (function == functions.end() && !is_next_prime) {
      fail_at(at, tr("unknown function ‘{}’", name), tr("use one of {}", names_of_functions()));
    }
    std::vector<Part> arguments = this->arguments(name, is_next_prime ? 1 : static_cast<std::size_t>(function->takes));
    if (is_next_prime) { return prime_after(arguments.front(), at); }
    if (function->op == HashOp::floor || function->op == HashOp::fraction) {
      return part_of_real(*function, std::move(arguments.front()), at);
    }
    Part part;
    for (Part& argument : arguments) { append(part, whole(std::move(argument), name, at)); }
    part.steps.push_back({function->op});
    return folded(std::move(part));
  }

  std::vector<Part> arguments(std::string_view name, std::size_t count)
  {
    std::vector<Part> parts;
    step_over(1);
    if (peek() == ')') { fail(tr("expected a number after (")); }
    do {
      parts.push_back(expression(1, parts.empty() ? "(" : ","));
    } while (take(','));
    if (parts.size() != count) {
      fail(tr_plural("{} takes {} argument, not {},", "{} takes {} arguments, not {},", count, name, count,
                     parts.size()));
    }
    expect(')', name);
    return parts;
  }

  static Part prime_after(Part const& argument, std::size_t at)
  {
    if (argument.steps.size() == 1 && argument.steps.front().op == HashOp::slots) {
      return {{{HashOp::constant, 0, true}}, false, false};
    }
    constexpr std::uint64_t most = std::uint64_t{1} << 32;
    if (argument.is_number() && argument.number() <= most) { return number_part(next_prime(argument.number())); }
    fail_at(at, tr("unknown prime"), tr("next_prime takes m or a number up to 2^32; the prime is computed once"));
  }

  /// Applies floor or frac.
  static Part part_of_real(Function const& function, Part part, std::size_t at)
  {
    bool const is_floor = function.op == HashOp::floor;
    if (!part.is_real && is_floor) { return part; }
    if (!part.is_real) {
      fail_at(at, tr("a whole number in frac"), tr("/ is integer division, so write 0.1 * k for a tenth of k"));
    }
    part.steps.push_back({function.op});
    part.is_real = !is_floor;
    return is_floor ? folded(std::move(part)) : part;
  }

  static void append(Part& part, Part const& more)
  {
    part.steps.insert(part.steps.end(), more.steps.begin(), more.steps.end());
  }

  /// Checks the operand of `name`, which takes whole numbers only.
  static Part whole(Part part, std::string_view name, std::size_t at)
  {
    if (part.is_real) {
      fail_at(at, tr("a number with a fraction for {}", name), tr("put floor(...) around that number"));
    }
    return part;
  }
  static Part real(Part part)
  {
    if (!part.is_real) { part.steps.push_back({HashOp::constant, 0}); }
    part.is_real = true;
    return part;
  }
  static Part folded(Part part) { return is_constant(part.steps) ? number_part(computed(part.steps)) : part; }

  static Part of_two(Operator const& one, Part left, Part right, std::size_t at)
  {
    bool const divides = one.op == HashOp::divide || one.op == HashOp::remainder;
    if (divides && right.is_number() && right.number() == 0) { fail_at(at, tr("division by zero")); }
    if (one.op == HashOp::exclusive_or && left.is_written && right.is_written) {
      fail_at(at, tr("a power written with ^"), tr("^ is exclusive or; write 1 << 20 for 2 to the 20th"));
    }
    bool const is_real = one.of_reals != one.op && (left.is_real || right.is_real);
    auto const as_needed = [&](Part operand) {
      return is_real ? real(std::move(operand)) : whole(std::move(operand), one.sign, at);
    };
    Part part = as_needed(std::move(left));
    append(part, as_needed(std::move(right)));
    part.steps.push_back({is_real ? one.of_reals : one.op});
    part.is_written = false;
    return is_real ? part : folded(std::move(part));
  }

  std::string_view text_;
  std::size_t place_ = 0;
};

}  // namespace

HashFormula parse_hash_formula(std::string_view text)
{
  if (text.size() > longest_formula) {
    throw FormulaError(tr("The formula has {} characters; the limit is {}.", text.size(), longest_formula),
                       longest_formula);
  }
  auto const ready = std::ranges::find(ready_formulas(), text, &ReadyFormula::name);
  Part const part = Parser(ready == ready_formulas().end() ? text : ready->formula).parse();
  return {std::string(text), assembled(part.steps)};
}

std::span<HashWord const> hash_words()
{
  static constexpr auto words = [] {
    std::array<HashWord, functions.size() + 1> all{};
    for (std::size_t i = 0; i < functions.size(); ++i) { all[i] = functions[i].word; }
    all.back() = hash_language::next_prime_word;
    return all;
  }();
  return words;
}

}  // namespace slotscape
