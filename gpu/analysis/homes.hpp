#pragma once

#include "gpu/analysis/hash_losses.hpp"
#include "gpu/tables/settings.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotscape {

/// How evenly keys are spread over the home slots of a table, compared with random homes.
enum class Evenness : std::uint8_t {
  as_random,      ///< no test distinguishes them from random homes, or lookups cost nearly the same
  more_even,      ///< lookups cost less: keys avoid each other
  less_even,      ///< lookups cost more: keys crowd
  runs_of_homes,  ///< keys have adjacent homes: hits are found at once, misses only after long runs
};

/// The mean number of slots that a lookup reads.
struct HomeCosts {
  double hit = 1.0;
  double miss = 1.0;
};

/// Statistics of the home slots of distinct keys in one table.
struct HomeSpread {
  std::uint64_t slots = 0;
  std::uint64_t keys = 0;
  std::uint64_t fullest = 0;  ///< keys in the fullest home

  /// Chi-square of the number of keys in groups of neighbouring homes, against equal numbers; and its excess over that
  /// of random homes, in standard deviations.
  double chi_square = 0.0;
  std::uint64_t groups = 0;
  double z = 0.0;

  /// The share of keys that share their home with another key; and by how many standard deviations the number of homes
  /// in use is below that of random homes.
  double shared = 0.0;
  double expected_shared = 0.0;
  double shared_z = 0.0;

  std::uint64_t longest_run = 0;      ///< of home slots that are all in use
  double expected_longest_run = 0.0;  ///< approximate, for random homes

  /// The exact cost of these keys under linear probing, whatever their order; misses assume that each home is equally
  /// likely. Also the cost with random homes at this load (Knuth 1963).
  HomeCosts probing;
  HomeCosts random_probing;
  /// The costs with chaining, one chain per home.
  HomeCosts chains;
  HomeCosts random_chains;

  std::vector<HashLoss> losses = {};  ///< of the hash, if searched for

  double load() const { return static_cast<double>(keys) / static_cast<double>(slots); }
  Evenness evenness() const;
  bool like_random() const;  ///< no test distinguishes them from random homes
};

/// The number of keys in each home slot, for distinct keys in a table with this many slots.
std::vector<std::uint32_t> count_homes(HashChoice const& hash, std::span<Key const> keys, int key_bits,
                                       std::uint64_t slots);
/// Searches for losses of the hash for these keys, if the keys crowd.
void explain(HomeSpread& spread, HashChoice const& hash, std::span<Key const> keys, int key_bits);
/// `counts`: the number of keys in each home slot, at least one in total. `key_bits`: the width of the keys, which are
/// distinct: a bijective hash then gives each home a limited number of keys.
HomeSpread spread_of(std::vector<std::uint32_t> const& counts, int key_bits);

}  // namespace slotscape
