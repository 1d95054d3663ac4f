#include "gpu/tables/hash_formula.hpp"

#include "gpu/tables/hash_language.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

/// Texts about formulas: the named formulas, and the computation of a home, step by step.
namespace slotscape {
namespace {

constexpr std::array ready{
    ReadyFormula{.name = "division", .formula = "k % m", .help = "The division method: best where m is a prime."},
    ReadyFormula{
        .name = "multiplication",
        .formula = "floor(m * frac(0.6180339887 * k))",
        .help =
            "The multiplication method (CLRS, Knuth): m slots times the fractional part of k times the golden ratio."},
    ReadyFormula{.name = "mid_square",
                 .formula = "digits(k * k, 2, 4)",
                 .help = "The middle digits of the square of a key of four digits."},
    ReadyFormula{.name = "folding",
                 .formula = "digits(k, 0, 3) + digits(k, 3, 3) + digits(k, 6, 3)",
                 .help = "The sum of the key's digits, three at a time."},
    ReadyFormula{.name = "multiply_shift",
                 .formula = "mulhi(0xd1342543de82ef95 * k, m)",
                 .help = "The high bits of an odd number times the key (Dietzfelbinger et al. 1997)."},
    ReadyFormula{.name = "tabulation",
                 .formula = "tabulation(k, 1)",
                 .help = "A table of random numbers for each byte of the key (Zobrist 1970; Pătraşcu & Thorup 2012)."},
    ReadyFormula{.name = "fnv1a", .formula = "fnv1a(k)", .help = "FNV-1a, byte by byte (Fowler, Noll & Vo)."},
    ReadyFormula{.name = "crc32", .formula = "crc32(k)", .help = "CRC-32C, for which processors have an instruction."},
    ReadyFormula{.name = "wyhash",
                 .formula = "wymix(k ^ 0xa0761d6478bd642f, 0xe7037ed1a0b428db)",
                 .help = "The mixer of wyhash (Wang Yi)."},
    ReadyFormula{.name = "murmur3",
                 .formula = "murmur3(k)",
                 .help = "The finaliser of MurmurHash3 (Appleby), like the compiled-in one."},
    ReadyFormula{.name = "xxhash",
                 .formula = "xxhash(k)",
                 .help = "The avalanche of xxHash (Collet), like the compiled-in one."},
    ReadyFormula{.name = "splitmix64", .formula = "splitmix64(k)", .help = "SplitMix64 (Steele, Lea & Flood 2014)."},
    ReadyFormula{.name = "fibonacci",
                 .formula = "mulhi(0x9e3779b97f4a7c15 * k, m)",
                 .help = "The high bits of 2^64 / φ times the key (Knuth, TAOCP 3, 6.4)."},
    ReadyFormula{.name = "identity", .formula = "k", .help = "The key itself."},
    ReadyFormula{.name = "std_hash",
                 .formula = "k",
                 .help = "std::hash of integers in libstdc++ and libc++, which is the key itself."},
    ReadyFormula{.name = "teschner",
                 .formula = "x*73856093 ^ y*19349669 ^ z*83492791",
                 .help = "Coordinates times large primes, xor'ed (Teschner et al. 2003).",
                 .of_cells = true},
    ReadyFormula{.name = "morton",
                 .formula = "morton(x, y, z)",
                 .help = "The bits of the coordinates, interleaved: neighbours stay close.",
                 .of_cells = true},
    ReadyFormula{.name = "packed",
                 .formula = "k",
                 .help = "The coordinates side by side, as the program packs them into a key.",
                 .of_cells = true},
    ReadyFormula{.name = "boost",
                 .formula = "boost_combine(boost_combine(boost_combine(0, x), y), z)",
                 .help = "boost::hash_combine of the coordinates, up to Boost 1.80.",
                 .of_cells = true},
    ReadyFormula{.name = "nvblox",
                 .formula = "(x + y*17191 + z*(17191*17191)) & 0xffffffff",
                 .help = "The hash of block indices in nvblox and voxblox.",
                 .of_cells = true},
    ReadyFormula{.name = "open3d",
                 .formula = "(((0xcbf29ce484222325 ^ x)*0x100000001b3 ^ y)*0x100000001b3 ^ z)*0x100000001b3",
                 .help = "The hash of coordinates in Open3D: FNV-1a, coordinate by coordinate instead of byte by byte.",
                 .of_cells = true},
};

using hash_language::binds_most;
using hash_language::Operator;

/// Sums and products share a statement; every other operation gets its own.
bool shares_a_sentence(HashOp op)
{
  Operator const* const sign = hash_language::operator_of(op);
  return sign != nullptr && sign->binds >= 5 && op != HashOp::divide && op != HashOp::remainder;
}

int operands_of(HashOp op)
{
  if (op == HashOp::complement || op == HashOp::negate) { return 1; }
  hash_language::Function const* const function = hash_language::function_of(op);
  return function == nullptr ? 2 : function->takes;
}
std::string_view name_of(HashOp op)
{
  hash_language::Function const* const function = hash_language::function_of(op);
  return function != nullptr ? function->name : op == HashOp::complement ? "~" : "−";
}

bool takes_reals(HashOp op)
{
  return op >= HashOp::add_reals && op <= HashOp::fraction;
}

std::string real_text(std::uint64_t whole, std::uint64_t fraction)
{
  return fmt::format("{:.10g}", static_cast<double>(whole) + std::ldexp(static_cast<double>(fraction), -64));
}

/// Runs a program and describes its steps.
class Telling {
public:
  // cppcheck-suppress uninitMemberVar  // of the stack, only what was pushed is read
  Telling(HashProgram const& program, HashInput const& input) : program_(program), input_(input) {}

  std::uint64_t run()
  {
    for (int i = 0; i < program_.count; ++i) { tell(program_.steps[i]); }
    settle(operands_.back());
    return stack_.top();
  }
  std::vector<std::string>& statements() { return statements_; }

private:
  /// A number on the stack, with the expression that computes it. The fraction of a real number has no text of its own.
  struct Operand {
    std::string text;
    std::string value;
    int binds = binds_most;
  };

  void tell(std::uint8_t step)
  {
    auto const op = static_cast<HashOp>(std::min(step, static_cast<std::uint8_t>(HashOp::constant)));
    if (op <= HashOp::z || op == HashOp::constant) {
      stack_.run(step, program_, input_);
      std::string const text = std::to_string(stack_.top());
      operands_.push_back({text, text, binds_most});
      return;
    }
    std::vector<Operand> taken = take(operands_of(op), takes_reals(op));
    stack_.run(step, program_, input_);
    put(op, expression(op, taken));
  }

  std::vector<Operand> take(int count, bool reals)
  {
    std::vector<Operand> taken(static_cast<std::size_t>(count));
    int below = 0;
    for (auto operand = taken.rbegin(); operand != taken.rend(); ++operand) {
      if (reals) {
        *operand = real_operand(below);
        operands_.pop_back();
        below += 1;
      } else {
        *operand = operands_.back();
      }
      operands_.pop_back();
      below += 1;
    }
    return taken;
  }
  /// The real number whose fraction is `below` places below the top.
  Operand real_operand(int below)
  {
    Operand operand = operands_[operands_.size() - 2];
    operand.value = real_text(stack_.below(below + 1), stack_.below(below));
    bool const is_literal = operand.binds == binds_most && stack_.below(below) != 0;
    if (is_literal) { operand.text = operand.value; }
    return operand;
  }

  Operand expression(HashOp op, std::vector<Operand>& taken)
  {
    if (!shares_a_sentence(op)) {
      for (Operand& operand : taken) { settle(operand); }
    }
    if (Operator const* const sign = hash_language::operator_of(op)) {
      return {fmt::format("{} {} {}", in_parentheses(taken[0], sign->binds), sign->spoken,
                          in_parentheses(taken[1], sign->binds + 1)),
              "", sign->binds};
    }
    std::string arguments;
    for (Operand const& operand : taken) { arguments += (arguments.empty() ? "" : ", ") + operand.text; }
    return {fmt::format("{}({})", name_of(op), arguments), "", 0};
  }
  static std::string in_parentheses(Operand const& operand, int binds)
  {
    return operand.binds < binds ? "(" + operand.text + ")" : operand.text;
  }

  void put(HashOp op, Operand operand)
  {
    bool const is_real = takes_reals(op) && op != HashOp::floor;
    operand.value = is_real ? real_text(stack_.below(1), stack_.below(0)) : std::to_string(stack_.top());
    if (!shares_a_sentence(op)) { settle(operand); }
    operands_.push_back(operand);
    if (is_real) { operands_.emplace_back(); }
  }

  /// States the result of an expression, after those to its left, and continues with that result.
  void settle(Operand& operand)
  {
    if (operand.binds == binds_most) { return; }
    for (Operand& waiting : operands_) { say(waiting); }
    say(operand);
  }
  void say(Operand& operand)
  {
    if (operand.binds != binds_most) { statements_.push_back(operand.text + " = " + operand.value); }
    operand = {operand.value, operand.value, binds_most};
  }

  HashProgram const& program_;
  HashInput const& input_;
  HashStack stack_;
  std::vector<Operand> operands_;
  std::vector<std::string> statements_;
};

/// How the hash is reduced to a home; empty if it already is the home.
template <class U>
std::string reduction_in_words(FormulaHasher<U> const& hasher, std::uint64_t hash, Slot home)
{
  switch (hasher.reduction()) {
    case HashReduction::mask: return fmt::format("{} and {} = {}", hash, hasher.slots() - 1, home);
    case HashReduction::multiply_high:
      return fmt::format("{} · {} div 2^{} = {}", static_cast<U>(hash), hasher.slots(), 8 * sizeof(U), home);
    default: return hash == home ? "" : fmt::format("{} mod {} = {}", hash, hasher.divisor(), home);
  }
}

template <class U>
std::string told(FormulaHasher<U> const& hasher, U key)
{
  Slot const home = hasher.home(key);
  HashInput const input{key, hasher.slots(), static_cast<int>(8 * sizeof(U))};
  Telling telling(hasher.program(), input);
  std::uint64_t const hash = telling.run();
  std::vector<std::string>& statements = telling.statements();
  std::string const last = reduction_in_words(hasher, hash, home);
  if (!last.empty()) { statements.push_back(last); }
  if (statements.empty()) { return fmt::format("k = {}", home); }
  return fmt::format("{}", fmt::join(statements, "; "));
}

}  // namespace

std::span<ReadyFormula const> ready_formulas()
{
  return ready;
}

std::string explain_home(FormulaHasher<std::uint32_t> const& hasher, std::uint32_t key)
{
  return told(hasher, key);
}
std::string explain_home(FormulaHasher<std::uint64_t> const& hasher, std::uint64_t key)
{
  return told(hasher, key);
}

}  // namespace slotscape
