#pragma once

#include "gpu/analysis/homes.hpp"
#include "gpu/analysis/statistics.hpp"
#include "gpu/tables/family.hpp"
#include "gpu/workloads/settings.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

/// Slots that hold a key or a tombstone: what lookups go past, and so what theory has for the number of keys.
inline double taken_slots(Statistics const& statistics)
{
  return static_cast<double>(statistics.slots - statistics.empty());
}

/// What gpu/analysis/theory predicts for a table in its present state. What it does not cover is left empty.
struct TheoryFit {
  std::optional<double> measure_mean;  ///< over the live keys, in the family's measure
  std::optional<double> measure_deviation;
  std::optional<double> measure_bound;  ///< no key exceeds it
  std::optional<double> hit_accesses;   ///< mean memory accesses of a lookup
  std::optional<double> miss_accesses;
  std::optional<double> load_threshold;  ///< no large table can be filled beyond it
  bool clusters = false;                 ///< those of linear probing are expected, of the taken slots
  std::optional<double> longest_cluster;
  std::optional<double> largest_measure;  ///< of any live key
  std::optional<double> fullest_group;
  std::vector<double> groups_of_size;   ///< as shares of all, from size 0 on, where no simpler law says so
  std::vector<double> keys_of_measure;  ///< likewise, from measure 0 on
  double without_replacement = 1.0;     ///< what is in `measure_mean` of the correction of this name
  std::string by;                       ///< who found the formulas, and where
  std::string reason;                   ///< why some or all do not apply, in words; empty if they do
};

/// The keys of a table: how most of them were drawn, and how many were not (`GivenKeys`). Where enough of them are
/// there for a test, how their homes lie decides, wherever they came from.
struct KeyOrigin {
  KeyDistribution drawn = KeyDistribution::uniform;
  std::uint64_t given = 0;
  std::optional<Evenness> homes = {};
  std::vector<HashLoss> losses = {};  ///< of the hash, if these keys crowd
};

/// Of the live keys of a table, by their homes: nothing if they are too few for a test, or their homes do not follow
/// from a hash of their own.
std::optional<HomeSpread> spread_of_homes(FamilyInfo const& family, TableSettings const& table,
                                          std::span<Key const> keys);

/// Only what `FamilyInfo::theory` covers, and only while its assumptions hold.
TheoryFit theory_fit(FamilyInfo const& family, TableSettings const& table, KeyOrigin keys,
                     Statistics const& statistics);

/// Expected live keys per measure, up to `longest`; empty if theory gives at most the mean.
std::function<double(double)> keys_by_measure(FamilyInfo const& family, TheoryFit const& fit,
                                              Statistics const& statistics, std::uint64_t longest);

/// Expected buckets per number of keys; empty if theory does not cover them.
std::function<double(double)> buckets_by_size(FamilyInfo const& family, TheoryFit const& fit,
                                              Statistics const& statistics);

/// How far a measured number is from a predicted one, in words: "1.2 % above theory".
std::string distance_from_theory(double measured, double predicted);

/// Standard deviation; nullopt if the histogram was cut short.
std::optional<double> deviation(Distribution const& distribution);

}  // namespace slotscape
