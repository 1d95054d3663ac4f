// The models that the scene begins with are made beside the frames, if there are frames already.

#include "app/scene/scene.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"
#include "tests/support/one_thread.hpp"

#include <gmock/gmock.h>

#include <any>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace slotscape {
namespace {

using spatial::Model;
using test::OneThread;
using ::testing::HasSubstr;

constexpr double frame_limit = 0.25;  ///< seconds of processor time
constexpr double between_frames = 0.02;

SpatialSetup knots(std::uint64_t points, bool run = false)
{
  SpatialSetup set_up;
  for (ModelSettings& model : set_up.settings.models.of) { model = {"torus_knot", points, {{}, {}, 0.8f}}; }
  set_up.settings.hashing.grid.side = 32;
  set_up.settings.animation.running = run;
  return set_up;
}

/// A window that shows a small table, and has had these models.
struct WindowBefore {
  explicit WindowBefore(SpatialSetup const& models)
      : app(test::offscreen_app({320, 240}, test::slots_scenario({.slots = 16}), settings_with(models)))
  {
    app->let_errors_out();
  }
  static UserSettings settings_with(SpatialSetup const& models)
  {
    UserSettings settings;
    settings.set_ups["spatial"] = models;
    return settings;
  }
  void show(std::string_view name) { app->show(test::entry(name)); }
  SpatialScene& scene() { return test::scene_of<SpatialScene>(*app); }

  std::unique_ptr<App> app;
};

double seconds_of(std::function<void()> const& act)
{
  double const start = OneThread::seconds();
  act();
  return OneThread::seconds() - start;
}

TEST(FirstModels, FramesGoOnWhileTheyAreMade)
{
  OneThread const one_thread;
  WindowBefore window(knots(spatial::max_points, true));
  window.app->scene_host().set_max_wait(0.0);
  EXPECT_LT(seconds_of([&] { window.show("spatial"); }), frame_limit);
  for (int frame = 0; frame < 5; ++frame) {
    EXPECT_LT(seconds_of([&] { window.app->frame(between_frames); }), frame_limit);
    ASSERT_TRUE(window.scene().state().progress) << "there is nothing to wait for: take more points";
    EXPECT_THAT(window.scene().state().progress->what, HasSubstr("Torus knot"));
    EXPECT_FALSE(window.scene().ready());
    EXPECT_NO_THROW(window.scene().statistics({}));
  }
  EXPECT_EQ(window.scene().state().settings.animation.time, 0.0) << "what nobody can see yet does not move";
}

TEST(FirstModels, EscMakesDoWithFewerPoints)
{
  WindowBefore window(knots(spatial::max_points));
  window.app->scene_host().set_max_wait(0.0);
  window.show("spatial");
  ASSERT_TRUE(window.scene().cancellable());
  window.scene().cancel();
  do {
    window.app->frame(between_frames);
  } while (window.scene().state().progress);
  for (Model const model : both_models) {
    EXPECT_EQ(window.scene().state().clouds[model].positions.size(), default_points);
  }
  EXPECT_THAT(window.scene().notice(), HasSubstr("160,000"));
}

TEST(FirstModels, WhoLeavesDoesNotWaitForThem)
{
  using Clock = std::chrono::steady_clock;
  WindowBefore window(knots(spatial::max_points));
  window.app->scene_host().set_max_wait(0.0);
  window.show("spatial");
  ASSERT_FALSE(window.scene().ready());
  Clock::time_point const start = Clock::now();
  window.show("slots");
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count(), 1.0);
  auto const left = std::any_cast<SpatialSetup>(window.app->user_settings().set_ups.at("spatial"));
  EXPECT_EQ(left.settings.models[Model::a].points, spatial::max_points) << "and finds them as they were";
}

/// Headless runs and recordings draw no frame without them.
TEST(FirstModels, AFrameThatMayWaitHasThem)
{
  constexpr std::uint64_t points = 1u << 20;
  WindowBefore window(knots(points));
  window.show("spatial");
  window.app->frame(between_frames);
  ASSERT_TRUE(window.scene().ready());
  SpatialState const& later = window.scene().state();
  auto const voxels = later.snapshot.models;
  auto const settings = later.settings;
  window.app.reset();  // there can be one at a time
  auto const begun = test::offscreen_app({320, 240}, test::spatial_scenario(knots(points)));
  begun->frame(between_frames);
  SpatialState const& first = test::scene_of<SpatialScene>(*begun).state();
  EXPECT_EQ(settings, first.settings);
  for (Model const model : both_models) {
    EXPECT_EQ(voxels[model].points, points);
    EXPECT_EQ(voxels[model].voxels, first.snapshot.models[model].voxels);
    EXPECT_EQ(voxels[model].status, first.snapshot.models[model].status);
  }
}

/// Whoever asks for the engine waits for it, with or without frames.
TEST(FirstModels, TheEngineHasThem)
{
  WindowBefore window(knots(1u << 20));
  window.app->scene_host().set_max_wait(0.0);
  window.show("spatial");
  EXPECT_GT(window.scene().engine().voxels(Model::a).size(), 100u);
}

}  // namespace
}  // namespace slotscape
