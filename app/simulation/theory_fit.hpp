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

/// The number of slots with a key or a tombstone. Lookups pass both, so theory uses it as the number of keys.
inline double taken_slots(Statistics const& statistics)
{
  return static_cast<double>(statistics.slots - statistics.empty());
}

/// The predictions of gpu/analysis/theory for a table in its current state. What is not covered is left empty.
struct TheoryFit {
  std::optional<double> measure_mean;  ///< over live keys, in the family's measure
  std::optional<double> measure_deviation;
  std::optional<double> measure_bound;  ///< upper bound for every key
  std::optional<double> hit_accesses;   ///< mean memory accesses of a lookup
  std::optional<double> miss_accesses;
  std::optional<double> load_threshold;  ///< beyond it, no large table can be filled
  bool clusters = false;                 ///< expects clusters as in linear probing, formed by taken slots
  std::optional<double> longest_cluster;
  std::optional<double> largest_measure;  ///< expected maximum of the measure over live keys
  std::optional<double> fullest_group;
  std::vector<double> groups_of_size;   ///< shares of groups with 0, 1, ... keys, if no simpler law applies
  std::vector<double> keys_of_measure;  ///< shares of keys with measure 0, 1, ..., if no simpler law applies
  double without_replacement = 1.0;     ///< correction for drawing without replacement, included in `measure_mean`
  std::string by;                       ///< the source of the formulas
  std::string reason;                   ///< why some or all formulas do not apply; empty if they do
};

/// The origin of a table's keys: how most of them were drawn, and how many were given instead (`GivenKeys`). If there
/// are enough for a test, the distribution of their homes decides, whatever their origin.
struct KeyOrigin {
  KeyDistribution drawn = KeyDistribution::uniform;
  std::uint64_t given = 0;
  std::optional<Evenness> homes = {};
  std::vector<HashLoss> losses = {};  ///< of the hash, if these keys are unevenly spread
};

/// The distribution of the live keys' home slots. Nothing if there are too few keys for a test, or if the homes do not
/// follow from a hash.
std::optional<HomeSpread> spread_of_homes(FamilyInfo const& family, TableSettings const& table,
                                          std::span<Key const> keys);

/// Covers only `FamilyInfo::theory`, and only while its assumptions hold.
TheoryFit theory_fit(FamilyInfo const& family, TableSettings const& table, KeyOrigin const& keys,
                     Statistics const& statistics);

/// Expected number of live keys per measure, up to `longest`; empty if theory predicts at most the mean.
std::function<double(double)> keys_by_measure(FamilyInfo const& family, TheoryFit const& fit,
                                              Statistics const& statistics, std::uint64_t longest);

/// Expected number of buckets per number of keys; empty if theory does not cover it.
std::function<double(double)> buckets_by_size(FamilyInfo const& family, TheoryFit const& fit,
                                              Statistics const& statistics);

/// The deviation of a measured number from a predicted one as text: "1.2 % above theory".
std::string distance_from_theory(double measured, double predicted);

/// Standard deviation; nullopt if the histogram was cut short.
std::optional<double> deviation(Distribution const& distribution);

}  // namespace slotscape
