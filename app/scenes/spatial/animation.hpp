#pragma once

#include "app/scenes/spatial/settings.hpp"

#include <glm/vec3.hpp>

namespace slotscape {

/// A motion's displacement of a model: a rotation about its own origin, and a translation. No motion scales, so the
/// relative size of two models does not change.
struct Displacement {
  glm::dvec3 axis{0.0, 0.0, 1.0};  ///< unit length
  double angle = 0.0;              ///< radians
  spatial::Vector offset{};
};

/// The displacement after `seconds`; deterministic. A motion begins at the model's place and reaches full swing after a
/// second.
Displacement displacement(Motion motion, spatial::Model model, double seconds);

/// The pose of a model placed at `place` under a displacement, and the inverse.
spatial::Pose displaced(spatial::Pose const& place, Displacement const& by);
spatial::Pose place_of(spatial::Pose const& seen, Displacement const& by);

/// The poses of both models at the animation's time.
spatial::PerModel<spatial::Pose> poses_of(SpatialSceneSettings const& settings);

}  // namespace slotscape
