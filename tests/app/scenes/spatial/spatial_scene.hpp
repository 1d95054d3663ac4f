#pragma once

#include "tests/app/support/program.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>

namespace slotscape::test {

/// Few points in a coarse grid: two spheres that overlap, at rest.
inline SpatialSceneSettings small_settings()
{
  SpatialSceneSettings settings;
  for (ModelSettings& model : settings.models.of) { model = {"sphere", 4000, {{}, {}, 0.7f}}; }
  settings.models[spatial::Model::b].place.translation = {0.5f, 0.0f, 0.0f};
  settings.hashing.grid.side = 32;
  settings.animation.running = false;
  settings.animation.motion = Motion::still;
  return settings;
}

/// The program on the spatial scene, drawn offscreen.
class SpatialSceneTest : public testing::Test {
protected:
  void SetUp() override { open(small_settings()); }

  void open(SpatialSceneSettings const& settings)
  {
    app_.reset();  // there can be one at a time
    app_ = offscreen_app({1280, 720}, spatial_scenario({settings}));
    frames(2);
  }
  void frames(int count)
  {
    for (int frame = 0; frame < count; ++frame) { app_->frame(0.1); }
  }
  void wait_for_models()
  {
    for (int i = 0; i < 600 && state().progress; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      frames(1);
    }
    frames(2);
  }
  void press(std::string_view key)
  {
    test::press(scene(), key);
    frames(1);
  }
  SpatialScene& scene() { return scene_of<SpatialScene>(*app_); }
  SpatialState& state() { return scene().state(); }
  std::uint64_t count(spatial::Model model, spatial::VoxelStatus status)
  {
    return state().snapshot.models[model].status[static_cast<std::size_t>(status)];
  }

  std::unique_ptr<App> app_;
};

}  // namespace slotscape::test
