#pragma once

#include "gpu/spatial/engine.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// The attribute that both models have while distances are shown.
inline constexpr std::string_view distance_attribute = "distance to other";

/// The unit of a length that is measured in the scene.
struct LengthUnit {
  double in_scene = 1.0;  ///< how long it is there
  std::string name;       ///< "m"; "file" if the file does not name its unit, "scene" for a length of the scene
};

/// As it is written after a number: "m"; empty if the file does not name it, "in the scene".
std::string unit_text(LengthUnit const& unit);

/// How far the points of one model are from the other.
struct DistanceSummary {
  std::uint64_t points = 0;
  double mean = 0.0;    ///< signed distances cancel each other out here
  double rms = 0.0;     ///< the root of the mean square
  double median = 0.0;  ///< of the distances without their signs, as the next two
  double percentile_95 = 0.0;
  double max = 0.0;
};

/// The distances that are shown.
struct DistanceFacts {
  LengthUnit unit;
  bool is_signed = false;
  spatial::PerModel<DistanceSummary> of;
  spatial::PerModel<std::vector<float>> ascending;
  std::uint64_t version = 0;  ///< another one for other values

  /// The share of a model's points that are farther from the other model than `threshold`, on either side.
  double share_beyond(spatial::Model model, double threshold) const;
};

/// values: in any order, finite.
DistanceSummary summary_of(std::span<float const> values);

/// The share of the values in each of so many bins of equal width from low to high; the ends also take what lies
/// outside.
std::vector<double> histogram_of(std::span<float const> ascending, double low, double high, std::size_t bins);

}  // namespace slotscape
