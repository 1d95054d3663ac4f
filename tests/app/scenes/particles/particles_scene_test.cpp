#include "app/scenes/particles/gui.hpp"
#include "app/scenes/particles/scene.hpp"
#include "app/shell/run.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/app/support/typed_words.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <vector>

namespace slotscape {
namespace {

using particles::Quantity;
using test::TemporaryFolder;
using ::testing::HasSubstr;

class ParticlesSceneTest : public testing::Test {
protected:
  ParticlesSceneTest()
      : app_(test::offscreen_app({1280, 720},
                                 Scenario{&test::entry("particles"), ParticleSceneSettings{.particles = 1000}}))
  {
    frames(3);
  }
  void frames(int count)
  {
    for (int i = 0; i < count; ++i) { app_->frame(1.0 / 60.0); }
  }
  ParticleScene& scene() { return test::scene_of<ParticleScene>(*app_); }
  ParticleState& state() { return scene().state(); }
  void pause()
  {
    if (state().settings.runs) { test::press(scene(), "Space"); }
    frames(3);
  }

  std::unique_ptr<App> app_;
};

TEST_F(ParticlesSceneTest, EachFrameMakesAStepUntilItIsPaused)
{
  EXPECT_EQ(app_->toasts().errors(), 0u);
  std::uint64_t const before = state().shown->steps;
  frames(4);
  EXPECT_EQ(state().shown->steps, before + 4);
  EXPECT_FALSE(scene().quiet());
  EXPECT_EQ(state().table.statistics.live, state().result.step.cells) << "the map is of the last step's table";
  pause();
  EXPECT_TRUE(scene().quiet());
  std::uint64_t const paused = state().shown->steps;
  test::press(scene(), "N");
  frames(3);
  EXPECT_EQ(state().shown->steps, paused + 1);
  EXPECT_THAT(text_of_step(state()), HasSubstr("1,000 particles"));
}

TEST_F(ParticlesSceneTest, RestartPutsTheDamBack)
{
  pause();
  test::press(scene(), "R");
  frames(2);
  EXPECT_EQ(state().shown->steps, 1u);
  std::vector<particles::Body> const first = *state().result.bodies;
  for (int i = 0; i < 5; ++i) {
    test::press(scene(), "N");
    frames(2);
  }
  test::press(scene(), "R");
  frames(2);
  ASSERT_EQ(state().result.bodies->size(), first.size());
  for (std::size_t i = 0; i < first.size(); ++i) { ASSERT_EQ((*state().result.bodies)[i].at, first[i].at) << i; }
}

TEST_F(ParticlesSceneTest, AnotherHashLooksCellsUpAgainWhileNothingMoves)
{
  pause();
  test::press(scene(), "R");
  frames(2);
  std::vector<particles::Body> const before = *state().result.bodies;
  state().settings.hash = with_formula({}, "k & 1");
  state().settings.color_by = Quantity::probe_length;
  frames(3);
  EXPECT_EQ(state().shown->steps, 1u);
  EXPECT_GT(state().result.largest, 20.0f) << "all cells but two are far from home";
  for (std::size_t i = 0; i < before.size(); ++i) { ASSERT_EQ((*state().result.bodies)[i].at, before[i].at) << i; }
}

TEST_F(ParticlesSceneTest, TheRightButtonStirs)
{
  pause();
  Rectangle const& box = scene().box_place();
  ImGui::GetIO().AddMousePosEvent(static_cast<float>(box.x) + 0.5f * static_cast<float>(box.width),
                                  static_cast<float>(box.y) + 0.6f * static_cast<float>(box.height));
  frames(2);
  EXPECT_EQ(state().stirrer.radius, 0.0f);
  ImGui::GetIO().AddMouseButtonEvent(1, true);
  frames(2);
  particles::Stirrer const ball = state().stirrer;
  EXPECT_GT(ball.radius, 0.0f);
  for (float const along : {ball.center.x, ball.center.y, ball.center.z}) {
    EXPECT_GT(along, 0.0f);
    EXPECT_LT(along, particles::box_side);
  }
  ImGui::GetIO().AddMouseButtonEvent(1, false);
  frames(2);
  EXPECT_EQ(state().stirrer.radius, 0.0f);
}

TEST_F(ParticlesSceneTest, PouringAddsParticles)
{
  test::press(scene(), "P");
  frames(40);
  EXPECT_GT(state().result.step.particles, 1000u);
  EXPECT_LE(state().result.step.particles, 2000u);
}

TEST_F(ParticlesSceneTest, ATableThatIsTooSmallIsSaidAndTheOneBeforeStays)
{
  state().settings.slots = 32;
  frames(4);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("choose more slots"));
  EXPECT_EQ(state().settings.slots, 0u);
  EXPECT_FALSE(state().settings.runs);
  EXPECT_EQ(scene().undoes(), "") << "it was never shown";
  std::uint64_t const before = state().shown->steps;
  test::press(scene(), "N");
  frames(3);
  EXPECT_EQ(state().shown->steps, before + 1);
}

TEST_F(ParticlesSceneTest, AStartThatDoesNotFitIsSaidAndTheFluidStaysAsItWas)
{
  pause();
  std::uint64_t const steps = state().shown->steps;
  std::vector<particles::Body> const before = *state().result.bodies;
  state().settings.particles = 100'000;
  state().settings.radius = 1.0;
  frames(4);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("do not fit"));
  EXPECT_EQ(state().settings.particles, 1000u);
  EXPECT_EQ(state().settings.radius, 0.0);
  EXPECT_EQ(state().shown->steps, steps);
  for (std::size_t i = 0; i < before.size(); ++i) { ASSERT_EQ((*state().result.bodies)[i].at, before[i].at) << i; }
}

TEST_F(ParticlesSceneTest, EverySettingIsUndoneAndRedone)
{
  pause();
  auto& [particles, radius, seed, gravity, viscosity, iterations, substeps, hash, slots, pours, runs, steps, color_by,
         show_map, map] = state().settings;
  std::vector<std::function<void()>> const changes{[&] { particles = 500; },
                                                   [&] { radius = 0.3; },
                                                   [&] { seed = 2; },
                                                   [&] { gravity = 1.0; },
                                                   [&] { viscosity = 0.5; },
                                                   [&] { iterations = 4; },
                                                   [&] { substeps = 2; },
                                                   [&] { slots = 4096; },
                                                   [&] { hash = with_formula({}, "k & 1"); },
                                                   [&] { pours = true; },
                                                   [&] { show_map = false; },
                                                   [&] { color_by = Quantity::slot; },
                                                   [&] { map.palette = Palette::turbo; }};
  for (std::function<void()> const& change : changes) {
    ParticleSceneSettings const before = state().settings;
    change();
    frames(4);
    ParticleSceneSettings const after = state().settings;
    ASSERT_NE(scene().undoes(), "");
    scene().undo();
    frames(4);
    EXPECT_EQ(state().settings, before);
    scene().redo();
    frames(4);
    EXPECT_EQ(state().settings, after);
    scene().undo();
    frames(4);
    EXPECT_EQ(scene().undoes(), "");
  }
  EXPECT_EQ(app_->toasts().errors(), 0u) << app_->toasts().latest();
  test::press(scene(), "Space");
  frames(4);
  EXPECT_EQ(scene().undoes(), "") << "running is not undone";
  iterations = 5;
  frames(4);
  EXPECT_EQ(scene().undoes(), "the setting 'Iterations'");
  scene().undo();
  EXPECT_TRUE(state().settings.runs) << "it goes on";
}

TEST(ParticlesSettings, SurviveSaving)
{
  TemporaryFolder folder;
  ParticleSceneSettings const settings{.particles = 777,
                                       .radius = 0.125,
                                       .seed = 5,
                                       .gravity = 1.5,
                                       .viscosity = 0.25,
                                       .iterations = 3,
                                       .substeps = 2,
                                       .hash = HashKind::identity,
                                       .slots = 5000,
                                       .pours = true,
                                       .runs = false,
                                       .steps = 9,
                                       .color_by = Quantity::slot,
                                       .show_map = false};
  for (ParticleSceneSettings const& saved : {settings, ParticleSceneSettings{}}) {
    std::string const text = format_scenario({&test::entry("particles"), saved}, folder.path());
    EXPECT_EQ(test::parse_setup<ParticleSceneSettings>(text, "s.json", folder.path()), saved) << text;
  }
}

TEST(ParticlesCommandLine, MakesItsStepsAndTellsOfThem)
{
  TemporaryFolder folder;
  std::string const statistics = (folder / "stats.json").string();
  testing::internal::CaptureStdout();
  run_headless(test::parse({"particles", "--particles", "2000", "--steps", "30", "--hash", "formula: teschner",
                            "--backend", "cpu", "--headless", "--frames", "1", "--stats", statistics.c_str()})
                   .value());
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("2,000 particles"));
  Json const json = parse_json(test::content_of(statistics), statistics);
  EXPECT_EQ(json["particles"], 2000);
  EXPECT_GE(json["steps"], 30);
  EXPECT_GT(json["neighbours_per_particle"], 10.0);
  EXPECT_GT(json["mean_ms"]["step"], 0.0);
  EXPECT_EQ(json["table"]["hash"]["formula"], "teschner");
}

}  // namespace
}  // namespace slotscape
