// docs/adding-a-worker-scene.md says the truth: its code is the code here, which is built and run as it says.

#include "app/registry/scenes.hpp"
#include "app/shell/app.hpp"
#include "app/shell/run.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/support/page_code.hpp"
#include "tests/support/paths.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <functional>

namespace slotscape {
namespace {

using test::code_in;
using test::content_of;
using test::message_of;
using test::TemporaryFolder;
using test::without_blank_lines;
using ::testing::HasSubstr;

std::filesystem::path const project = test::in_project();
std::filesystem::path const folder = project / "tests/adding_a_worker_scene";

std::optional<Options> parse(std::vector<char const*> words)
{
  words.insert(words.begin(), "slotscape");
  return parse_command_line(static_cast<int>(words.size()), words.data(), scenes());
}

/// The scene in the program, with a context of its own.
class CurveSceneTest : public ::testing::Test {
protected:
  CurveSceneTest() : app_(gl::open_offscreen({640, 480}), on_cpu(), {}) { app_.show(*find_scene(scenes(), "curve")); }

  static Options on_cpu()
  {
    Options options;
    options.backend = BackendChoice::cpu;
    return options;
  }
  void open(std::string const& fields)
  {
    app_.open(files_.write("curve.json", R"({ "version": 1, "curve": )" + fields + " }"));
  }
  Scene& scene() { return app_.current_scene(); }
  /// Draws frames, with a limit only so that a fault ends the test.
  bool frames_until(std::function<bool()> const& condition)
  {
    for (int frame = 0; frame < 20'000 && !condition(); ++frame) { app_.frame(1.0 / 60.0); }
    return condition();
  }
  Json shown() { return scene().statistics({}).json; }
  std::string setting(std::string const& name)
  {
    Json const saved = parse_json(format_scenario({&app_.current_entry(), scene().set_up()}), "");
    return saved["curve"][name].dump();
  }

  App app_;
  TemporaryFolder files_;
};

TEST(AddingAWorkerScene, ThePageIsTheCode)
{
  std::string const page = content_of(project / "docs/adding-a-worker-scene.md");
  EXPECT_EQ(code_in(page, "cpp"), without_blank_lines(content_of(folder / "curve.cpp")));
  EXPECT_EQ(code_in(page, "cmake"), content_of(folder / "scenes.cmake"));
}

TEST(AddingAWorkerScene, TakesAtMostEightFilesAndOneLineOfRegistration)
{
  auto const files = std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
  EXPECT_LE(files, 8);
  EXPECT_LE(std::ranges::count(content_of(folder / "curve.cpp"), '\n'), 220);
  EXPECT_EQ(std::ranges::count(content_of(folder / "scenes.cmake"), '\n'), 1);
}

TEST(AddingAWorkerScene, RunsHeadlessByItsSubcommand)
{
  TemporaryFolder const outputs;
  std::string const picture = (outputs / "curve.png").string();
  std::string const tables = (outputs / "csv").string();
  run_headless(parse({"curve", "--slots", "4096", "--max-load", "0.8", "--backend", "cpu", "--headless", "--size",
                      "640x480", "--screenshot", picture.c_str(), "--csv", tables.c_str()})
                   .value());
  EXPECT_GT(std::filesystem::file_size(picture), 1000u);
  std::string const curve = content_of(outputs / "csv/curve.csv");
  EXPECT_EQ(std::ranges::count(curve, '\n'), 61) << "the head and 60 points";
  EXPECT_THAT(curve, HasSubstr("\n0.7998,"));
  EXPECT_THAT(message_of<Error>([&] {
                parse({"curve", "--slots", "5"}).value().subcommand->set_up();
              }),
              HasSubstr("--slots"));
}

TEST_F(CurveSceneTest, FramesGoOnUntilThereIsAnAnswer)
{
  app_.scene_host().set_max_wait(0.0);
  open(R"({ "slots": 4194304 })");
  app_.frame(1.0 / 60.0);
  EXPECT_TRUE(scene().cancellable());
  EXPECT_FALSE(scene().quiet());
  EXPECT_EQ(shown()["points"], 0);
  EXPECT_TRUE(frames_until([&] { return scene().quiet(); }));
  EXPECT_EQ(shown()["points"], 60);
  EXPECT_FALSE(scene().cancellable());
}

TEST_F(CurveSceneTest, EscBringsBackWhatWasShown)
{
  EXPECT_TRUE(frames_until([&] { return scene().quiet() && shown()["points"] == 60; }));
  app_.scene_host().set_max_wait(0.0);
  std::string const before = setting("slots");
  for (int i = 0; i < 8; ++i) { scene().commands().back().run(); }  // twice the slots
  ASSERT_NE(setting("slots"), before);
  app_.frame(1.0 / 60.0);
  ASSERT_TRUE(scene().cancellable());
  scene().cancel();
  EXPECT_TRUE(frames_until([&] { return scene().quiet(); }));
  EXPECT_EQ(setting("slots"), before);
  EXPECT_THAT(scene().notice(), HasSubstr("Cancelled"));
}

TEST_F(CurveSceneTest, TheNewestSettingsWin)
{
  app_.scene_host().set_max_wait(0.0);
  open(R"({ "slots": 16777216 })");
  app_.frame(1.0 / 60.0);
  ASSERT_TRUE(scene().cancellable());
  for (int i = 0; i < 14; ++i) { scene().commands().front().run(); }  // half the slots
  EXPECT_TRUE(frames_until([&] { return scene().quiet(); }));
  EXPECT_EQ(shown()["slots"], 1024);
  EXPECT_EQ(shown()["points"], 60);
  EXPECT_EQ(scene().notice(), "") << "what was not wanted any more is no error";
}

}  // namespace
}  // namespace slotscape
