#pragma once

#include "app/base/enum_names.hpp"
#include "gpu/analysis/homes.hpp"
#include "gpu/tables/family.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotscape::tuning {

/// How evenly a hash spreads keys over the home slots of a table, compared with random homes.
struct HashUniformity : HomeSpread {
  HashChoice hash = {};
  /// homes[k]: home slots that k keys share; the last one counts those of more, too.
  std::vector<std::uint64_t> homes;
  std::vector<double> expected;  ///< the same of random homes: Poisson, with mean keys / slots
  double p_value = 1.0;          ///< that random homes are at least as uneven

  /// Whether lookups, of which this share are misses, read much more than with random homes, in tables that probe
  /// neighbouring slots.
  bool bad(double misses) const;
  bool bad() const { return bad(0.0) || bad(1.0); }
};

/// Of different keys in a table of this size. Throws Error if there are none.
HashUniformity uniformity_of(HashChoice const& hash, std::span<Key const> keys, int key_bits, std::uint64_t slots);
/// Of every hash that is compiled in.
std::vector<HashUniformity> uniformity_of_hashes(std::span<Key const> keys, int key_bits, std::uint64_t slots);

/// In words, whether it is good or bad.
std::string verdict_of(HashUniformity const& found);

/// How many times as many slots lookups, of which this share are misses, read in a table of the family with these homes
/// as with random ones.
double slowdown_of(HomeSpread const& homes, FamilyInfo const& family, double misses);

}  // namespace slotscape::tuning

namespace slotscape {
template <>
std::span<EnumName<Evenness> const> enum_names();
}  // namespace slotscape
