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
    double along = 0.0;      ///< horizontally from the start of the line
    double height = 0.0;     ///< above its start
    std::size_t number = 0;  ///< in the cloud
    clouds::Position at;     ///< in the coordinates of the model's file
  };
  spatial::PerModel<std::vector<Point>> points;  ///< by `along`
  double length = 0.0;                           ///< of the line, horizontally
  double width = 0.0;                            ///< of the strip of points around it
  LengthUnit unit;                               ///< of all these lengths
};

/// The profile from one place in the scene to another. It takes the points of both models in a strip as wide as a voxel
/// that are inside the section; if a model has very many there, every nth of them. unit: of its lengths.
HeightProfile height_profile(SpatialState const& state, clouds::Position const& from, clouds::Position const& to,
                             LengthUnit const& unit);

}  // namespace slotscape
