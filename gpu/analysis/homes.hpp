#pragma once

#include "gpu/analysis/hash_losses.hpp"
#include "gpu/tables/settings.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotscape {

/// How keys are spread over the home slots of a table, compared with random homes.
enum class Evenness : std::uint8_t {
  as_random,      ///< no test tells them from random homes, or all that lookups need is nearly the same
  more_even,      ///< lookups need less: keys keep out of each other's way
  less_even,      ///< lookups need more: keys crowd
  runs_of_homes,  ///< keys lie side by side: those that are there are found at once, absent ones after long runs
};

/// Mean slots that a lookup reads.
struct HomeCosts {
  double hit = 1.0;
  double miss = 1.0;
};

/// The home slots of different keys in one table, counted.
struct HomeSpread {
  std::uint64_t slots = 0;
  std::uint64_t keys = 0;
  std::uint64_t fullest = 0;  ///< keys of the fullest home

  /// Chi-square of the keys in groups of neighbouring homes, against equal numbers; and by how many standard deviations
  /// it is above that of random homes.
  double chi_square = 0.0;
  std::uint64_t groups = 0;
  double z = 0.0;

  /// Keys that share their home with another, as a share of all; and by how many standard deviations the homes in use
  /// are fewer than of random homes.
  double shared = 0.0;
  double expected_shared = 0.0;
  double shared_z = 0.0;

  std::uint64_t longest_run = 0;      ///< of home slots that are all in use
  double expected_longest_run = 0.0;  ///< about, of random homes

  /// Under linear probing these keys, in whatever order they came, need exactly this; of misses, where each home is
  /// equally likely. And what random homes need at this load (Knuth 1963).
  HomeCosts probing;
  HomeCosts random_probing;
  /// The same of chains, one for each home.
  HomeCosts chains;
  HomeCosts random_chains;

  std::vector<HashLoss> losses = {};  ///< of the hash, where they were looked for

  double load() const { return static_cast<double>(keys) / static_cast<double>(slots); }
  Evenness evenness() const;
  bool like_random() const;  ///< no test tells them from random homes
};

/// The keys of each home slot, for different keys in a table of so many slots.
std::vector<std::uint32_t> count_homes(HashChoice const& hash, std::span<Key const> keys, int key_bits,
                                       std::uint64_t slots);
/// Looks for what the hash loses of these keys, if they crowd.
void explain(HomeSpread& spread, HashChoice const& hash, std::span<Key const> keys, int key_bits);
/// `counts`: the keys of each home slot, at least one in all. `key_bits`: of the keys, which differ, so that a hash
/// that is a bijection gives each home only so many.
HomeSpread spread_of(std::vector<std::uint32_t> const& counts, int key_bits);

}  // namespace slotscape
