#pragma once

#include "app/clouds/point_cloud.hpp"
#include "app/scenes/spatial/distance_facts.hpp"
#include "gpu/spatial/engine.hpp"

#include <cstddef>
#include <vector>

namespace slotscape {

struct SpatialState;

/// The points beside a line, seen from its side as they were when it was drawn.
struct HeightProfile {
  struct Point {
    double along = 0.0;      ///< horizontal distance from the start of the line
    double height = 0.0;     ///< height above the start of the line
    std::size_t number = 0;  ///< index of the point in its cloud
    clouds::Position at;     ///< position in the coordinates of the model's file
  };
  spatial::PerModel<std::vector<Point>> points;  ///< points in the order of `along`
  double length = 0.0;                           ///< horizontal length of the line
  double width = 0.0;                            ///< width of the strip of points beside the line
  LengthUnit unit;                               ///< the unit of these lengths
};

/// The profile along a line between two places in the scene. It shows the points of both models in a strip as wide as a
/// voxel and within the section; of very many points, only every nth. `unit`: of its lengths.
HeightProfile height_profile(SpatialState const& state, clouds::Position const& from, clouds::Position const& to,
                             LengthUnit const& unit);

}  // namespace slotscape
