#pragma once

#include "gpu/base/error.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/hash_evaluation.hpp"
#include "gpu/tables/primes.hpp"

#include <bit>
#include <concepts>
#include <string>
#include <utility>

namespace slotscape {

/// Maps keys of type U to home slots like `BasicHasher`, but interprets a program: any hash with any reduction. It has
/// no inverse.
template <class U>
class FormulaHasher {
public:
  FormulaHasher() = default;
  /// `slots`: 2 to 2^31. Throws Error if the reduction does not support this number of slots.
  FormulaHasher(HashChoice const& choice, std::uint64_t slots)
      : program_(choice.program()),
        reduction_(choice.reduction),
        slots_(slots),
        divisor_(choice.reduction == HashReduction::prime ? prime_up_to(slots) : slots)
  {
    if (reduction_ == HashReduction::mask && !std::has_single_bit(slots)) {
      throw Error(
          "The reduction 'mask' takes the low bits of a hash, so the number of slots must be a power of two, "
          "not " +
          std::to_string(slots) + ": choose 'modulo' or 'multiply_high', or another size.");
    }
    if (program_.prime_of_slots != HashProgram::none) {
      program_.constants[program_.prime_of_slots] = next_prime(slots);
    }
  }

  SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return slots_; }
  SLOTSCAPE_HOST_DEVICE HashKind kind() const { return HashKind::formula; }
  HashProgram const& program() const { return program_; }
  HashReduction reduction() const { return reduction_; }
  /// The divisor of the reduction, unless the reduction takes bits of the hash.
  std::uint64_t divisor() const { return divisor_; }

  /// The program's result, before it is reduced.
  SLOTSCAPE_HOST_DEVICE std::uint64_t hash(U key) const { return evaluate(program_, {key, slots_, width}); }

  SLOTSCAPE_HOST_DEVICE Slot home(U key) const
  {
    std::uint64_t const hash = this->hash(key);
    switch (reduction_) {
      case HashReduction::mask: return static_cast<Slot>(hash & (slots_ - 1));
      case HashReduction::multiply_high: return static_cast<Slot>((Uint128{static_cast<U>(hash)} * slots_) >> width);
      default: return static_cast<Slot>(hash < divisor_ ? hash : hash % divisor_);
    }
  }

private:
  static constexpr int width = 8 * sizeof(U);

  HashProgram program_{};
  HashReduction reduction_ = HashReduction::usual;
  std::uint64_t slots_ = 2;
  std::uint64_t divisor_ = 2;
};

/// Calls `use` with the hasher for a choice.
template <class U>
decltype(auto) with_hasher(HashChoice const& choice, std::uint64_t slots, auto&& use)
{
  if (choice.is_compiled_in()) { return use(BasicHasher<U>(choice.kind, slots)); }
  return use(FormulaHasher<U>(choice, slots));
}

/// A family whose layout works with any hasher.
template <class F>
concept TakesHasher = F::info.uses_hash&& requires
{
  typename F::template Layout<Narrow, FormulaHasher<Narrow::Key>>;
};

/// A family whose homes are computed by a program. It is a separate family so that the code of tables with a
/// compiled-in hash needs no branch and no extra register.
template <class Family>
struct ByFormula : Family {
  static constexpr bool measures_distance = false;  ///< the fast passes for distances know only compiled-in hashes

  template <PairFormat Format>
  using Layout = typename Family::template Layout<Format, FormulaHasher<typename Format::Key>>;
  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    return Family::template layout<Format, FormulaHasher<typename Format::Key>>(settings);
  }
};

}  // namespace slotscape
