#include "app/scenes/spatial/animation.hpp"

#include "app/scenes/spatial/settings.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace slotscape {
namespace {

using spatial::Model;
using spatial::Vector;

constexpr double many_seconds = 1000.0;

void expect_near(Vector const& a, Vector const& b, float tolerance)
{
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(SpatialAnimation, IsTheSameEachTime)
{
  SpatialSceneSettings settings;
  for (EnumName<Motion> const& motion : enum_names<Motion>()) {
    settings.animation = {.motion = motion.value, .running = true, .speed = 1.0, .time = 12.5};
    EXPECT_EQ(poses_of(settings), poses_of(settings)) << motion.text;
  }
}

TEST(SpatialAnimation, MovesBothModelsUnlessItIsStill)
{
  for (EnumName<Motion> const& motion : enum_names<Motion>()) {
    for (Model const model : {Model::a, Model::b}) {
      auto const seen_at = [&](double seconds) { return displaced({}, displacement(motion.value, model, seconds)); };
      EXPECT_EQ(seen_at(1.0) == seen_at(2.0), motion.value == Motion::still) << motion.text;
    }
  }
}

TEST(SpatialAnimation, BeginsWhereModelsStandAndNeverScales)
{
  spatial::Pose const place{{}, {0.3f, -0.2f, 0.1f}, 0.7f};
  for (EnumName<Motion> const& motion : enum_names<Motion>()) {
    for (Model const model : {Model::a, Model::b}) {
      auto const seen_at = [&](double seconds) { return displaced(place, displacement(motion.value, model, seconds)); };
      expect_near(seen_at(0.0).translation, place.translation, 0.0f);
      for (std::size_t row = 0; row < 3; ++row) {
        expect_near(seen_at(0.0).rotation.rows[row], place.rotation.rows[row], 1e-6f);
      }
      EXPECT_LT(length(seen_at(1.0 / 60.0).translation - place.translation), 0.01f)
          << motion.text << ": without a jump";
      for (double seconds = 0.0; seconds < 20.0; seconds += 0.7) { EXPECT_EQ(seen_at(seconds).scale, place.scale); }
    }
  }
}

TEST(SpatialAnimation, KeepsModelsOfItsOwnSizeWithinTheGrid)
{
  SpatialSceneSettings settings;
  float const half = 0.5f * settings.hashing.grid.extent;
  for (EnumName<Motion> const& motion : enum_names<Motion>()) {
    for (settings.animation.time = 0.0; settings.animation.time < 60.0; settings.animation.time += 0.25) {
      settings.animation.motion = motion.value;
      auto const poses = poses_of(settings);
      for (Model const model : {Model::a, Model::b}) {
        EXPECT_LT(length(poses[model].translation) + poses[model].scale, half) << motion.text;
      }
    }
  }
}

TEST(SpatialAnimation, BringsModelsThroughEachOther)
{
  double nearest = 10.0;
  double farthest = 0.0;
  for (double seconds = 1.0; seconds < 30.0; seconds += 0.1) {
    Vector const a = displacement(Motion::orbit, Model::a, seconds).offset;
    Vector const b = displacement(Motion::orbit, Model::b, seconds).offset;
    nearest = std::min(nearest, static_cast<double>(length(a - b)));
    farthest = std::max(farthest, static_cast<double>(length(a - b)));
  }
  EXPECT_LT(nearest, 0.35);
  EXPECT_GT(farthest, 0.55);
}

TEST(SpatialAnimation, APoseThatIsSeenGivesThePlaceItCameFrom)
{
  spatial::Pose place;
  place.translation = {0.3f, -0.2f, 0.1f};
  place.scale = 0.7f;
  for (EnumName<Motion> const& motion : enum_names<Motion>()) {
    for (double seconds = 0.0; seconds < many_seconds; seconds += many_seconds / 7.0) {
      Displacement const by = displacement(motion.value, Model::b, seconds);
      spatial::Pose const back = place_of(displaced(place, by), by);
      expect_near(back.translation, place.translation, 1e-5f);
      EXPECT_NEAR(back.scale, place.scale, 1e-5f);
      for (std::size_t row = 0; row < 3; ++row) {
        expect_near(back.rotation.rows[row], place.rotation.rows[row], 1e-5f);
      }
    }
  }
}

}  // namespace
}  // namespace slotscape
