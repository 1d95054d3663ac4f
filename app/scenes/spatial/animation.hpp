#pragma once

#include "app/scenes/spatial/settings.hpp"

#include <glm/vec3.hpp>

namespace slotscape {

/// How far a motion has brought a model from its place: turned about its own origin, moved, scaled.
struct Displacement {
  glm::dvec3 axis{0.0, 0.0, 1.0};  ///< of length 1
  double angle = 0.0;              ///< radians
  spatial::Vector offset{};
  float scale = 1.0f;
};

/// After so many seconds; the same each time it is asked.
Displacement displacement(Motion motion, spatial::Model model, double seconds);

/// Where a model is seen that stands at `place`, and the other way round.
spatial::Pose displaced(spatial::Pose const& place, Displacement const& by);
spatial::Pose place_of(spatial::Pose const& seen, Displacement const& by);

/// Where the models are at the animation's time.
spatial::PerModel<spatial::Pose> poses_of(SpatialSceneSettings const& settings);

}  // namespace slotscape
