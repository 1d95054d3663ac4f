#pragma once

#include "gpu/tables/hash_choice.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

/// A defect of a hash by which different keys share homes.
struct HashLoss {
  enum class Kind : std::uint8_t {
    few_values,     ///< the hash has at most `number` different values, fewer than there are slots
    constant_bits,  ///< the low `number` bits of a home never change
    period,         ///< keys that differ by a multiple of `number` share a home
    unused_bits,    ///< the hash ignores the bits of the key from `number` to `last`
    symmetric,      ///< swapping the coordinates `number` and `last` of a cell does not change the hash
    lattice         ///< the keys differ by multiples of `last`, so that they have only `number` possible homes
  };
  Kind kind;
  std::uint64_t number = 0;
  std::uint64_t last = 0;
  friend bool operator==(HashLoss const&, HashLoss const&) = default;
};

/// Finds losses by calling the function for random keys and for the given keys, at least one. `slots`: of the table.
/// Losses are not reported by chance: each holds for more than a thousand calls.
std::vector<HashLoss> losses_of(HashChoice const& hash, std::span<std::uint64_t const> keys, int key_bits,
                                std::uint64_t slots);

/// "The hash has only 1,048,576 (2^20) different values." Empty if there are no losses.
std::string losses_in_words(std::span<HashLoss const> losses);

}  // namespace slotscape
