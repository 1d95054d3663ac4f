#pragma once

#include "gpu/analysis/statistics.hpp"
#include "gpu/tables/family.hpp"

#include <functional>
#include <optional>
#include <string>

namespace slotscape {

/// What gpu/analysis/theory says of a table as it is now. What it does not describe is left out.
struct TheoryFit {
  std::optional<double> measure_mean;  ///< of the live keys, by the family's measure
  std::optional<double> measure_deviation;
  std::optional<double> measure_bound;  ///< which no key exceeds
  std::optional<double> hit_accesses;   ///< mean memory accesses of a lookup
  std::optional<double> miss_accesses;
  std::optional<double> load_threshold;  ///< beyond which no large table can be filled
  bool clusters = false;                 ///< Borel's law, at the effective load
  std::string by;                        ///< who found the formulas, and where
  std::string reason;                    ///< why some or all do not apply, in words for people; empty where they do
};

/// Only what `FamilyInfo::theory` says describes the family, and only where its assumptions hold.
TheoryFit theory_fit(FamilyInfo const& family, TableSettings const& table, KeyDistribution keys,
                     Statistics const& statistics);

/// Expected live keys of each measure up to `longest`; empty where theory gives only the mean, or nothing.
std::function<double(double)> keys_by_measure(FamilyInfo const& family, TheoryFit const& fit,
                                              Statistics const& statistics, std::uint64_t longest);

/// Expected buckets by their keys; empty where theory says nothing of them.
std::function<double(double)> buckets_by_size(FamilyInfo const& family, TheoryFit const& fit,
                                              Statistics const& statistics);

/// Standard deviation; nothing where the histogram was cut short.
std::optional<double> deviation(Distribution const& distribution);

}  // namespace slotscape
