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
  /// homes[k]: home slots shared by k keys; the last entry includes those shared by more.
  std::vector<std::uint64_t> homes;
  std::vector<double> expected;  ///< homes[k] if homes are random: Poisson, with mean keys / slots
  double p_value = 1.0;          ///< probability that random homes are at least as uneven

  /// Whether lookups with this share of misses read many more slots than with random homes, in tables that probe
  /// neighbouring slots.
  bool bad(double misses) const;
  bool bad() const { return bad(0.0) || bad(1.0); }
};

/// The uniformity for distinct keys in a table of this size. Throws Error if there are no keys.
HashUniformity uniformity_of(HashChoice const& hash, std::span<Key const> keys, int key_bits, std::uint64_t slots);
/// The uniformity of every hash that is compiled in.
std::vector<HashUniformity> uniformity_of_hashes(std::span<Key const> keys, int key_bits, std::uint64_t slots);

/// A sentence on whether the hash is good or bad.
std::string verdict_of(HashUniformity const& found);

/// The ratio of slots read by lookups in a table of the family with these homes to those with random homes; `misses`:
/// the share of misses.
double slowdown_of(HomeSpread const& homes, FamilyInfo const& family, double misses);

}  // namespace slotscape::tuning

namespace slotscape {
template <>
std::span<EnumName<Evenness> const> enum_names();
}  // namespace slotscape
