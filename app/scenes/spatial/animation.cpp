#include "app/scenes/spatial/animation.hpp"

#include "app/view3d/pose_drag.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <cmath>

namespace slotscape {
namespace {

using spatial::Model;

/// The axes differ, so that two models of the same shape move differently.
Displacement spin(Model model, double seconds)
{
  glm::dvec3 const axis = model == Model::a ? glm::dvec3(0.25, 0.1, 1.0) : glm::dvec3(0.9, 0.35, 0.4);
  double const speed = model == Model::a ? 0.45 : -0.32;
  return {.axis = glm::normalize(axis), .angle = speed * seconds};
}

/// Rises from 0 to 1 in the first second, so that models start moving from rest.
double swing(double seconds)
{
  return glm::smoothstep(0.0, 1.0, seconds);
}

/// Moves back and forth through the other model, on long tilted ellipses.
Displacement orbit(Model model, double seconds)
{
  constexpr double speed = 0.5;
  constexpr double start = 0.9;  // initial phase, chosen so that the models soon meet
  double const phase = speed * seconds + start;
  double const side = model == Model::a ? 1.0 : -1.0;
  Displacement by = spin(model, seconds);
  by.offset = from_glm(side * swing(seconds) *
                       glm::dvec3(0.30 * std::cos(phase), 0.14 * std::sin(phase), 0.08 * std::sin(2.0 * phase)));
  return by;
}

/// Rocks and sways.
Displacement wobble(Model model, double seconds)
{
  double const phase = 1.3 * seconds + (model == Model::a ? 0.0 : 2.1);
  glm::dvec3 const axis = model == Model::a ? glm::dvec3(1.0, 0.3, 0.2) : glm::dvec3(0.1, 1.0, 0.4);
  return {.axis = glm::normalize(axis),
          .angle = 0.5 * swing(seconds) * std::sin(phase),
          .offset = from_glm(0.14 * swing(seconds) *
                             glm::dvec3(std::sin(0.7 * phase), std::cos(0.9 * phase), std::sin(1.1 * phase)))};
}

}  // namespace

Displacement displacement(Motion motion, Model model, double seconds)
{
  switch (motion) {
    case Motion::still: break;
    case Motion::spin: return spin(model, seconds);
    case Motion::orbit: return orbit(model, seconds);
    case Motion::wobble: return wobble(model, seconds);
  }
  return {};
}

spatial::Pose displaced(spatial::Pose const& place, Displacement const& by)
{
  spatial::Pose seen = turned(place, by.axis, by.angle);
  seen.translation = place.translation + by.offset;
  return seen;
}

spatial::Pose place_of(spatial::Pose const& seen, Displacement const& by)
{
  spatial::Pose place = turned(seen, by.axis, -by.angle);
  place.translation = seen.translation - by.offset;
  return place;
}

spatial::PerModel<spatial::Pose> poses_of(SpatialSceneSettings const& settings)
{
  AnimationSettings const& animation = settings.animation;
  spatial::PerModel<spatial::Pose> poses;
  for (Model const model : {Model::a, Model::b}) {
    poses[model] = displaced(settings.models[model].place, displacement(animation.motion, model, animation.time));
  }
  return poses;
}

}  // namespace slotscape
