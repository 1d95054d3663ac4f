#include "gpu/tables/hash_formula.hpp"

#include "gpu/base/translation.hpp"
#include "gpu/tables/hash_evaluation.hpp"
#include "gpu/tables/primes.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

struct Function {
  std::string_view name;
  HashOp op;
  std::size_t takes;
  HashWord word;
};
constexpr std::array functions{
    Function{"floor", HashOp::floor, 1, {"floor(a)", "the whole part of a number with a fraction"}},
    Function{"frac", HashOp::fraction, 1, {"frac(a)", "what is behind its point"}},
    Function{"rotl", HashOp::rotate_left, 2, {"rotl(a, n)", "its 64 bits, turned left by n"}},
    Function{"rotr", HashOp::rotate_right, 2, {"rotr(a, n)", "the same to the right"}},
    Function{"mulhi", HashOp::high_product, 2, {"mulhi(a, b)", "the upper 64 bits of a · b"}},
    Function{"wymix", HashOp::wymix, 2, {"wymix(a, b)", "the upper half of a · b, xor the lower: the mixer of wyhash"}},
    Function{"crc32", HashOp::crc32, 1, {"crc32(a)", "CRC-32C of the bytes of a, as many as keys have"}},
    Function{"fnv1a", HashOp::fnv1a, 1, {"fnv1a(a)", "FNV-1a of 64 bits, of the same bytes"}},
    Function{"murmur3", HashOp::murmur3, 1, {"murmur3(a)", "the finaliser of MurmurHash3, of the width of keys"}},
    Function{"xxhash", HashOp::xxhash, 1, {"xxhash(a)", "the avalanche of xxHash, of the width of keys"}},
    Function{"splitmix64", HashOp::splitmix64, 1, {"splitmix64(a)", "the number of SplitMix64 that follows a"}},
    Function{"fibonacci", HashOp::fibonacci, 1, {"fibonacci(a)", "a · 2^w / φ, for keys of w bits"}},
    Function{"tabulation",
             HashOp::tabulation,
             2,
             {"tabulation(a, seed)", "a random number for each byte of a, and all of them xor'ed"}},
    Function{"boost_combine", HashOp::boost_combine, 2, {"boost_combine(h, a)", "hash_combine of Boost up to 1.80"}},
    Function{"morton", HashOp::morton, 3, {"morton(x, y, z)", "the bits of x, y and z in turn"}},
    Function{"digits", HashOp::digits, 3, {"digits(a, first, n)", "n decimal digits of a; digit 0 is the last one"}},
};
constexpr HashWord next_prime_word{"next_prime(m)", "the least prime that is not below m, or a number"};

/// How an operation's operands are written, and how strongly it binds.
struct Operator {
  std::string_view sign;
  HashOp op;
  int binds;
};
constexpr std::array operators{
    Operator{"|", HashOp::either, 1},      Operator{"^", HashOp::exclusive_or, 2}, Operator{"&", HashOp::both, 3},
    Operator{"<<", HashOp::shift_left, 4}, Operator{">>", HashOp::shift_right, 4}, Operator{"+", HashOp::add, 5},
    Operator{"-", HashOp::subtract, 5},    Operator{"*", HashOp::multiply, 6},     Operator{"/", HashOp::divide, 6},
    Operator{"%", HashOp::remainder, 6},
};
constexpr int binds_most = 7;

constexpr std::array<std::pair<char, HashOp>, 5> variables{
    {{'k', HashOp::key}, {'m', HashOp::slots}, {'x', HashOp::x}, {'y', HashOp::y}, {'z', HashOp::z}}};

/// A step before the places of constants are known.
struct Step {
  HashOp op;
  std::uint64_t number = 0;     ///< of a constant
  bool prime_of_slots = false;  ///< of a constant that the hasher sets
};
/// A part of the formula: what computes it.
struct Part {
  std::vector<Step> steps;
  bool is_real = false;
  bool is_written = false;  ///< it is a number as it was typed

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

/// How many numbers a step takes from the stack, and puts there.
struct Effect {
  int takes;
  int gives;
};
Effect effect_of(HashOp op)
{
  switch (op) {
    case HashOp::add_reals:
    case HashOp::subtract_reals:
    case HashOp::multiply_reals: return {4, 2};
    case HashOp::floor: return {2, 1};
    case HashOp::fraction: return {2, 2};
    case HashOp::constant: return {0, 1};
    case HashOp::complement:
    case HashOp::negate: return {1, 1};
    default: break;
  }
  if (op <= HashOp::z) { return {0, 1}; }
  auto const* const function = std::ranges::find(functions, op, &Function::op);
  return {function == functions.end() ? 2 : static_cast<int>(function->takes), 1};
}

/// What the steps give, which are all of numbers.
std::uint64_t computed(std::vector<Step> const& steps);

/// Gives constants their places. Throws Error where the program would be too long.
class Assembler {
public:
  HashProgram assemble(std::vector<Step> const& steps)
  {
    if (steps.size() > HashProgram::max_steps) {
      throw Error(tr("The formula takes {} steps, and the limit is {}: leave something out.", steps.size(),
                     HashProgram::max_steps));
    }
    int depth = 0;
    for (Step const& step : steps) {
      Effect const effect = effect_of(step.op);
      depth += effect.gives - effect.takes;
      if (depth > HashProgram::max_depth) {
        throw Error(tr("The formula has to remember more than {} numbers at once: put what is in parentheses first.",
                       HashProgram::max_depth));
      }
      program_.append(step.op, step.op == HashOp::constant ? place_of(step) : 0);
    }
    return program_;
  }

private:
  int place_of(Step const& step)
  {
    if (step.prime_of_slots && program_.prime_of_slots != HashProgram::none) { return program_.prime_of_slots; }
    for (int i = 0; i < program_.constant_count && !step.prime_of_slots; ++i) {
      if (i != program_.prime_of_slots && program_.constants[i] == step.number) { return i; }
    }
    if (program_.constant_count == HashProgram::max_constants) {
      throw Error(tr("The formula has more than {} different numbers, which is the limit: leave some out.",
                     HashProgram::max_constants));
    }
    int const place = program_.constant_count++;
    program_.constants[place] = step.number;
    if (step.prime_of_slots) { program_.prime_of_slots = static_cast<std::uint8_t>(place); }
    return place;
  }

  HashProgram program_;
};

std::uint64_t computed(std::vector<Step> const& steps)
{
  return evaluate(Assembler().assemble(steps), {0, 0, 64});
}

std::string names_of_functions()
{
  std::string names;
  for (Function const& function : functions) { names.append(function.name).append(", "); }
  return names + "next_prime";
}

/// Whether it is the same for keys of 32 and of 64 bits.
bool has_any_width(HashOp op)
{
  switch (op) {
    case HashOp::crc32:
    case HashOp::fnv1a:
    case HashOp::murmur3:
    case HashOp::xxhash:
    case HashOp::fibonacci:
    case HashOp::tabulation: return false;
    default: return true;
  }
}

/// Whether the steps give the same for every key and every table.
bool is_constant(std::vector<Step> const& steps)
{
  return std::ranges::all_of(steps, [](Step const& step) {
    return step.op > HashOp::z && !step.prime_of_slots && has_any_width(step.op);
  });
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
  /// `advice`: what to do; empty: nothing to say.
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
  /// `before`: what stands before the missing sign.
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

  /// `after`: what stands before it; empty at the beginning.
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
      expect(')', tr("what is in parentheses"));
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

  /// The digits behind a point in units of 2^-64, rounded up.
  std::uint64_t fraction_digits()
  {
    constexpr std::uint64_t most = 1'000'000'000'000'000'000;  // 18 digits: 10^18 · 2^64 has 128 bits
    Uint128 digits = 0;
    std::uint64_t unit = 1;
    if (!is_digit(peek())) { fail(tr("expected digits after the point")); }
    for (; is_digit(peek()); ++place_) {
      if (unit == most) { fail(tr("a fraction has 18 digits at most")); }
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
    fail_at(first, tr("an unknown name, ‘{}’,", name), tr("there are k, m, x, y, z and functions such as rotl"));
  }

  Part call(std::string_view name, std::size_t at)
  {
    auto const* const function = std::ranges::find(functions, name, &Function::name);
    bool const is_next_prime = name == "next_prime";
    if (function == functions.end() && !is_next_prime) {
      fail_at(at, tr("an unknown function, ‘{}’,", name), tr("there are {}", names_of_functions()));
    }
    std::vector<Part> arguments = this->arguments(name, is_next_prime ? 1 : function->takes);
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
      fail(tr_plural("{} takes {} number, not {},", "{} takes {} numbers, not {},", count, name, count, parts.size()));
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
    fail_at(at, tr("an unknown prime"), tr("next_prime takes m or a number up to 2^32; its prime is looked for once"));
  }

  /// floor or frac.
  static Part part_of_real(Function const& function, Part part, std::size_t at)
  {
    bool const is_floor = function.op == HashOp::floor;
    if (!part.is_real && is_floor) { return part; }
    if (!part.is_real) {
      fail_at(at, tr("a whole number in frac"), tr("/ divides whole numbers, so write 0.1 * k for a tenth of k"));
    }
    part.steps.push_back({function.op});
    part.is_real = !is_floor;
    return is_floor ? folded(std::move(part)) : part;
  }

  static void append(Part& part, Part const& more)
  {
    part.steps.insert(part.steps.end(), more.steps.begin(), more.steps.end());
  }

  /// Of what takes whole numbers only: `name`.
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

  static std::optional<HashOp> of_reals(HashOp op)
  {
    switch (op) {
      case HashOp::add: return HashOp::add_reals;
      case HashOp::subtract: return HashOp::subtract_reals;
      case HashOp::multiply: return HashOp::multiply_reals;
      default: return std::nullopt;
    }
  }

  static Part of_two(Operator const& one, Part left, Part right, std::size_t at)
  {
    bool const divides = one.op == HashOp::divide || one.op == HashOp::remainder;
    if (divides && right.is_number() && right.number() == 0) { fail_at(at, tr("division by zero")); }
    if (one.op == HashOp::exclusive_or && left.is_written && right.is_written) {
      fail_at(at, tr("a power written with ^"), tr("^ is exclusive or; write 1 << 20 for 2 to the 20th"));
    }
    auto const real_op = of_reals(one.op);
    bool const is_real = real_op && (left.is_real || right.is_real);
    Part part = is_real ? real(std::move(left)) : whole(std::move(left), one.sign, at);
    append(part, is_real ? real(std::move(right)) : whole(std::move(right), one.sign, at));
    part.steps.push_back({is_real ? *real_op : one.op});
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
    throw FormulaError(tr("The formula has {} characters, and the limit is {}.", text.size(), longest_formula),
                       longest_formula);
  }
  auto const ready = std::ranges::find(ready_formulas(), text, &ReadyFormula::name);
  Part const part = Parser(ready == ready_formulas().end() ? text : ready->formula).parse();
  return {std::string(text), Assembler().assemble(part.steps)};
}

std::span<HashWord const> hash_words()
{
  static constexpr auto words = [] {
    std::array<HashWord, functions.size() + 1> all{};
    for (std::size_t i = 0; i < functions.size(); ++i) { all[i] = functions[i].word; }
    all.back() = next_prime_word;
    return all;
  }();
  return words;
}

}  // namespace slotscape
