#include "gpu/tables/hash_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

/// What is said of formulas: those that have a name, and how a home follows step by step.
namespace slotscape {
namespace {

constexpr std::array ready{
    ReadyFormula{"division", "k % m", "The division method: best where m is a prime."},
    ReadyFormula{"multiplication", "floor(m * frac(0.6180339887 * k))",
                 "The multiplication method (CLRS, Knuth): the fraction of k times the golden ratio, of m slots."},
    ReadyFormula{"mid_square", "digits(k * k, 2, 4)", "The middle digits of the square of a key of four digits."},
    ReadyFormula{"folding", "digits(k, 0, 3) + digits(k, 3, 3) + digits(k, 6, 3)",
                 "The sum of the key's digits, three at a time."},
    ReadyFormula{"multiply_shift", "mulhi(0xd1342543de82ef95 * k, m)",
                 "The high bits of an odd number times the key (Dietzfelbinger et al. 1997)."},
    ReadyFormula{"tabulation", "tabulation(k, 1)",
                 "A table of random numbers for each byte of the key (Zobrist 1970; Pătraşcu & Thorup 2012)."},
    ReadyFormula{"fnv1a", "fnv1a(k)", "FNV-1a, byte by byte (Fowler, Noll & Vo)."},
    ReadyFormula{"crc32", "crc32(k)", "CRC-32C, for which processors have an instruction."},
    ReadyFormula{"wyhash", "wymix(k ^ 0xa0761d6478bd642f, 0xe7037ed1a0b428db)", "The mixer of wyhash (Wang Yi)."},
    ReadyFormula{"murmur3", "murmur3(k)", "The finaliser of MurmurHash3 (Appleby), as the compiled-in one."},
    ReadyFormula{"xxhash", "xxhash(k)", "The avalanche of xxHash (Collet), as the compiled-in one."},
    ReadyFormula{"splitmix64", "splitmix64(k)", "SplitMix64 (Steele, Lea & Flood 2014)."},
    ReadyFormula{"fibonacci", "mulhi(0x9e3779b97f4a7c15 * k, m)",
                 "The high bits of 2^64 / φ times the key (Knuth, TAOCP 3, 6.4)."},
    ReadyFormula{"identity", "k", "The key itself."},
    ReadyFormula{"std_hash", "k", "std::hash of whole numbers in libstdc++ and libc++, which is the key itself."},
    ReadyFormula{"teschner", "x*73856093 ^ y*19349669 ^ z*83492791",
                 "Coordinates times large primes, xor'ed (Teschner et al. 2003).", true},
    ReadyFormula{"morton", "morton(x, y, z)", "The bits of the coordinates in turn: neighbours stay near.", true},
    ReadyFormula{"packed", "k", "The coordinates side by side, as the program packs them into a key.", true},
    ReadyFormula{"boost", "boost_combine(boost_combine(boost_combine(0, x), y), z)",
                 "boost::hash_combine of the coordinates, up to Boost 1.80.", true},
};

constexpr int binds_most = 8;
constexpr int binds_multiplication = 6;

/// How an operation is written between its operands, and how strongly it binds; no sign: it is a function.
struct Sign {
  std::string_view text;
  int binds;
};
Sign sign_of(HashOp op)
{
  switch (op) {
    case HashOp::add:
    case HashOp::add_reals: return {"+", 5};
    case HashOp::subtract:
    case HashOp::subtract_reals: return {"−", 5};
    case HashOp::multiply:
    case HashOp::multiply_reals: return {"·", binds_multiplication};
    case HashOp::divide: return {"div", binds_multiplication};
    case HashOp::remainder: return {"mod", binds_multiplication};
    case HashOp::exclusive_or: return {"xor", 2};
    case HashOp::both: return {"and", 3};
    case HashOp::either: return {"or", 1};
    case HashOp::shift_left: return {"<<", 4};
    case HashOp::shift_right: return {">>", 4};
    default: return {"", binds_most};
  }
}
/// Sums and products are told together; everything else is a statement of its own.
bool is_told_with_others(Sign sign)
{
  return !sign.text.empty() && sign.binds >= 5 && sign.text != "div" && sign.text != "mod";
}

std::string_view function_of(HashOp op)
{
  switch (op) {
    case HashOp::complement: return "~";
    case HashOp::negate: return "−";
    case HashOp::rotate_left: return "rotl";
    case HashOp::rotate_right: return "rotr";
    case HashOp::high_product: return "mulhi";
    case HashOp::crc32: return "crc32";
    case HashOp::fnv1a: return "fnv1a";
    case HashOp::murmur3: return "murmur3";
    case HashOp::xxhash: return "xxhash";
    case HashOp::fibonacci: return "fibonacci";
    case HashOp::splitmix64: return "splitmix64";
    case HashOp::wymix: return "wymix";
    case HashOp::boost_combine: return "boost_combine";
    case HashOp::morton: return "morton";
    case HashOp::digits: return "digits";
    case HashOp::tabulation: return "tabulation";
    case HashOp::floor: return "floor";
    case HashOp::fraction: return "frac";
    default: return "";
  }
}
int operands_of(HashOp op)
{
  switch (op) {
    case HashOp::morton:
    case HashOp::digits: return 3;
    case HashOp::complement:
    case HashOp::negate:
    case HashOp::crc32:
    case HashOp::fnv1a:
    case HashOp::murmur3:
    case HashOp::xxhash:
    case HashOp::fibonacci:
    case HashOp::splitmix64:
    case HashOp::floor:
    case HashOp::fraction: return 1;
    default: return 2;
  }
}
bool takes_reals(HashOp op)
{
  return op >= HashOp::add_reals && op <= HashOp::fraction;
}

std::string real_text(std::uint64_t whole, std::uint64_t fraction)
{
  return fmt::format("{:.10g}", static_cast<double>(whole) + std::ldexp(static_cast<double>(fraction), -64));
}

/// Runs a program, and says what it does.
class Telling {
public:
  Telling(HashProgram const& program, HashInput const& input) : program_(program), input_(input) {}

  std::uint64_t run()
  {
    for (int i = 0; i < program_.count; ++i) { tell(program_.steps[i]); }
    settle(operands_.back());
    return stack_.top();
  }
  std::vector<std::string>& statements() { return statements_; }

private:
  /// A number on the stack, as the expression that gives it. The fraction of a real one has no text of its own.
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
  /// The real number whose fraction lies so far below the top.
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
    Sign const sign = sign_of(op);
    bool const together = is_told_with_others(sign);
    for (Operand& operand : taken) {
      if (!together) { settle(operand); }
    }
    if (sign.text.empty()) {
      std::string arguments;
      for (Operand const& operand : taken) { arguments += (arguments.empty() ? "" : ", ") + operand.text; }
      return {fmt::format("{}({})", function_of(op), arguments), "", 0};
    }
    return {fmt::format("{} {} {}", in_parentheses(taken[0], sign.binds), sign.text,
                        in_parentheses(taken[1], sign.binds + 1)),
            "", sign.binds};
  }
  static std::string in_parentheses(Operand const& operand, int binds)
  {
    return operand.binds < binds ? "(" + operand.text + ")" : operand.text;
  }

  void put(HashOp op, Operand operand)
  {
    bool const is_real = takes_reals(op) && op != HashOp::floor;
    operand.value = is_real ? real_text(stack_.below(1), stack_.below(0)) : std::to_string(stack_.top());
    if (!is_told_with_others(sign_of(op))) { settle(operand); }
    operands_.push_back(operand);
    if (is_real) { operands_.emplace_back(); }
  }

  /// Says what an expression gives, after those that stand to its left, and goes on with that.
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

/// How the hash became a home; empty if it is that already.
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

std::string home_in_words(FormulaHasher<std::uint32_t> const& hasher, std::uint32_t key)
{
  return told(hasher, key);
}
std::string home_in_words(FormulaHasher<std::uint64_t> const& hasher, std::uint64_t key)
{
  return told(hasher, key);
}

}  // namespace slotscape
