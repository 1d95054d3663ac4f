#pragma once

#include "gpu/tables/hash_choice.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

/// What a hash loses of keys, so that they share homes.
struct HashLoss {
  enum class Kind : std::uint8_t {
    few_values,     ///< the hash of a key has `number` different values at most, fewer than there are slots
    constant_bits,  ///< the low `number` bits of a home never change
    period,         ///< keys that differ by a multiple of `number` share a home
    unused_bits,    ///< the bits of the key from `number` to `last` do not matter
    symmetric,      ///< the coordinates number `number` and `last` of a cell may be swapped
    lattice         ///< the keys differ by multiples of `last`, so that only `number` homes are left for them
  };
  Kind kind;
  std::uint64_t number = 0;
  std::uint64_t last = 0;
  friend bool operator==(HashLoss const&, HashLoss const&) = default;
};

/// Found by calling the function: for random keys, and for these ones, of which there is at least one. `slots`: of the
/// table. Chance finds nothing that is not there: what is said holds of more than a thousand calls.
std::vector<HashLoss> losses_of(HashChoice const& hash, std::span<std::uint64_t const> keys, int key_bits,
                                std::uint64_t slots);

/// "The hash can only give 1,048,576 (2^20) different values." Empty if nothing is lost.
std::string losses_in_words(std::span<HashLoss const> losses);

}  // namespace slotscape
