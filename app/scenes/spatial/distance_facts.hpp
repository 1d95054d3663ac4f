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

/// The unit in which a length of the scene is shown.
struct LengthUnit {
  double in_scene = 1.0;  ///< length of one unit in the scene
  std::string name;       ///< "m"; "file" if the file does not name its unit, "scene" for a length of the scene
};

/// The unit as written after a number: "m", or "in the scene"; empty if the file does not name its unit.
std::string unit_text(LengthUnit const& unit);

/// Statistics of the distances from one model's points to the other model.
struct DistanceSummary {
  std::uint64_t points = 0;
  double mean = 0.0;    ///< mean; signed distances partly cancel each other out
  double rms = 0.0;     ///< root mean square
  double median = 0.0;  ///< of absolute distances, as are the next two
  double percentile_95 = 0.0;
  double max = 0.0;
};

/// The distances between the models, as shown to the user.
struct DistanceFacts {
  LengthUnit unit;
  bool is_signed = false;
  spatial::PerModel<DistanceSummary> of;
  spatial::PerModel<std::vector<float>> ascending;
  std::uint64_t version = 0;  ///< changes whenever the values change

  /// The share of a model's points whose distance from the other model exceeds `threshold`, on either side.
  double share_beyond(spatial::Model model, double threshold) const;
};

/// Summarises distances. `values`: finite, in any order.
DistanceSummary summary_of(std::span<float const> values);

/// The share of the values in each of `bins` bins of equal width from `low` to `high`. Values outside count in the
/// first or the last bin.
std::vector<double> histogram_of(std::span<float const> ascending, double low, double high, std::size_t bins);

}  // namespace slotscape
