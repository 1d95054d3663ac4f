#pragma once

#include "gpu/tables/settings.hpp"
#include "gpu/workloads/settings.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotscape::tuning {

/// How evenly a hash spreads keys over the home slots of a table, compared with random homes.
struct HashUniformity {
  HashKind hash = HashKind::murmur3;
  std::uint64_t slots = 0;
  std::uint64_t keys = 0;  ///< different ones
  /// homes[k]: home slots that k keys share; the last one counts those of more, too.
  std::vector<std::uint64_t> homes;
  std::vector<double> expected;  ///< the same of random homes: Poisson, with mean keys / slots
  double chi_square = 0.0;       ///< of the keys in groups of neighbouring homes, against equal numbers
  std::uint64_t groups = 0;
  double z = 0.0;                     ///< how many standard deviations chi_square is above that of random homes
  double p_value = 1.0;               ///< that random homes are at least as uneven
  std::uint64_t fullest = 0;          ///< keys of the fullest home
  std::uint64_t longest_run = 0;      ///< of home slots that are all in use
  double expected_longest_run = 0.0;  ///< about, of random homes
  double shared = 0.0;                ///< keys that share their home with another, as a share of all
  double expected_shared = 0.0;

  bool bad() const { return !warning.empty(); }
  std::string warning;  ///< in words; empty if the hash suits the keys
};

/// Of different keys in a table of this size. Throws Error if there are none.
HashUniformity uniformity_of(HashKind hash, std::span<Key const> keys, int key_bits, std::uint64_t slots);
/// Of every hash.
std::vector<HashUniformity> uniformity_of_hashes(std::span<Key const> keys, int key_bits, std::uint64_t slots);

}  // namespace slotscape::tuning
