#include "gpu/tables/hash_assembler.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/hash_evaluation.hpp"
#include "gpu/tables/hash_language.hpp"

#include <algorithm>

namespace slotscape {
namespace {

/// How many numbers a step pops from the stack and pushes onto it.
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
  auto const* const function = hash_language::function_of(op);
  return {function == nullptr ? 2 : function->takes, 1};
}

class Assembler {
public:
  HashProgram assemble(std::span<HashStep const> steps)
  {
    if (steps.size() > HashProgram::max_steps) {
      throw Error(
          tr("The formula takes {} steps; the limit is {}: simplify it.", steps.size(), HashProgram::max_steps));
    }
    int depth = 0;
    for (HashStep const& step : steps) {
      Effect const effect = effect_of(step.op);
      depth += effect.gives - effect.takes;
      if (depth > HashProgram::max_depth) {
        throw Error(tr("The formula needs more than {} numbers at once: put the parts in parentheses first.",
                       HashProgram::max_depth));
      }
      program_.append(step.op, step.op == HashOp::constant ? place_of(step) : 0);
    }
    return program_;
  }

private:
  int place_of(HashStep const& step)
  {
    if (step.prime_of_slots && program_.prime_of_slots != HashProgram::none) { return program_.prime_of_slots; }
    for (int i = 0; i < program_.constant_count && !step.prime_of_slots; ++i) {
      if (i != program_.prime_of_slots && program_.constants[i] == step.number) { return i; }
    }
    if (program_.constant_count == HashProgram::max_constants) {
      throw Error(tr("The formula has more than {} different numbers: use fewer.", HashProgram::max_constants));
    }
    int const place = program_.constant_count++;
    program_.constants[place] = step.number;
    if (step.prime_of_slots) { program_.prime_of_slots = static_cast<std::uint8_t>(place); }
    return place;
  }

  HashProgram program_;
};

/// Whether the step works in the same way for 32-bit and 64-bit keys.
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

}  // namespace

HashProgram assembled(std::span<HashStep const> steps)
{
  return Assembler().assemble(steps);
}

bool is_constant(std::span<HashStep const> steps)
{
  return std::ranges::all_of(steps, [](HashStep const& step) {
    return step.op > HashOp::z && !step.prime_of_slots && has_any_width(step.op);
  });
}

std::uint64_t computed(std::span<HashStep const> steps)
{
  return evaluate(assembled(steps), {0, 0, 64});
}

}  // namespace slotscape
