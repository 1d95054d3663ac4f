#include "app/base/scenario_files.hpp"
#include "tests/app/support/at_mouse.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

namespace slotscape {
namespace {

using test::TemporaryFolder;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr gl::Size gallery_window{1280, 720};

/// The program with its gallery, offscreen.
class GalleryTest : public testing::Test {
protected:
  void SetUp() override
  {
    app_ = test::offscreen_app(gallery_window, test::slots_scenario({.slots = 64}), {.desktop_file_dialog = false});
    app_->gallery().show();
    for (int i = 0; i < 3; ++i) { app_->frame(0.05); }
  }

  void press(ImGuiKey key)
  {
    for (bool const down : {true, false}) {
      ImGui::GetIO().AddKeyEvent(key, down);
      app_->frame(0.05);
    }
  }
  void type(char character)
  {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(character));
    app_->frame(0.05);
  }
  void click(float x, float y) { test::click(*app_, x, y); }

  TemporaryFolder folder_;
  std::unique_ptr<App> app_;
};

TEST_F(GalleryTest, ATableToFillByHandIsFirst)
{
  click(200.0f, 120.0f);
  EXPECT_FALSE(app_->gallery().shown());
  EXPECT_EQ(app_->lessons().session(), nullptr);
  auto const table = [&] { return app_->measurements().statistics().json["table"]; };
  EXPECT_EQ(table()["slots"], 16);
  EXPECT_EQ(table()["live"], 0);
  for (char const each : {'2', '1'}) { type(each); }
  press(ImGuiKey_Enter);
  for (int i = 0; i < 3; ++i) { app_->frame(0.05); }
  EXPECT_EQ(table()["live"], 1);
  EXPECT_THAT(app_->user_settings().recent, IsEmpty()) << "it is no file of the user's";
}

TEST_F(GalleryTest, ACardOpensItsLesson)
{
  ASSERT_TRUE(app_->gallery().shown());
  click(200.0f, 280.0f);
  EXPECT_FALSE(app_->gallery().shown());
  ASSERT_NE(app_->lessons().session(), nullptr) << app_->toasts().latest();
  EXPECT_EQ(app_->lessons().session()->lesson().name, "1-what-a-hash-table-is");
}

TEST_F(GalleryTest, MeasuringIsBesideLearning)
{
  click(780.0f, 110.0f);
  EXPECT_FALSE(app_->gallery().shown());
  EXPECT_EQ(app_->current_entry().name, "compare");
}

TEST_F(GalleryTest, LookingAtDataOfOnesOwnBeginsWithAFile)
{
  click(1080.0f, 110.0f);
  EXPECT_FALSE(app_->gallery().shown());
  EXPECT_NE(ImGui::GetTopMostPopupModal(), nullptr) << "asks for the file";
}

TEST_F(GalleryTest, AClickBesideItClosesIt)
{
  click(1275.0f, 400.0f);
  EXPECT_FALSE(app_->gallery().shown());
  EXPECT_EQ(app_->lessons().session(), nullptr);
}

TEST_F(GalleryTest, EveryCommandClosesIt)
{
  press(ImGuiKey_Escape);
  EXPECT_FALSE(app_->gallery().shown());
  press(ImGuiKey_F5);
  EXPECT_TRUE(app_->gallery().shown());
  press(ImGuiKey_F5);
  EXPECT_FALSE(app_->gallery().shown());
  press(ImGuiKey_F5);
  type('h');
  EXPECT_FALSE(app_->gallery().shown());
}

TEST_F(GalleryTest, KeysThatChooseACardDoNotCloseIt)
{
  for (ImGuiKey const key : {ImGuiKey_DownArrow, ImGuiKey_RightArrow, ImGuiKey_Tab}) {
    press(key);
    EXPECT_TRUE(app_->gallery().shown()) << ImGui::GetKeyName(key);
  }
}

TEST_F(GalleryTest, LessonsTellHowManyPointsTheyGive)
{
  auto const lessons = lessons::Library(scenario_folders(this_executable())).lessons();
  ASSERT_THAT(lessons, Not(IsEmpty()));
  for (lessons::Listed const& each : lessons) { EXPECT_GT(each.max_points, 0) << each.name; }
}

TEST(RecentFiles, AreThoseOpenedAndSavedTheLatestFirst)
{
  TemporaryFolder const folder;
  auto const app = test::offscreen_app({640, 480}, test::slots_scenario({.slots = 64}));
  auto const recent = [&] { return app->user_settings().recent; };
  auto const written = [&](std::string const& name) {
    std::filesystem::path const file = folder / name;
    app->documents().save_set_up(file);
    return std::filesystem::canonical(file).string();
  };
  std::string const one = written("one.slotscape.json");
  std::string const two = written("two.slotscape.json");
  EXPECT_THAT(recent(), ElementsAre(two, one));
  app->open(one);
  EXPECT_THAT(recent(), ElementsAre(one, two));
  app->open(folder / "missing.slotscape.json");
  EXPECT_THAT(recent(), ElementsAre(one, two));
  for (int i = 0; i < 9; ++i) { written(std::to_string(i) + ".slotscape.json"); }
  EXPECT_EQ(recent().size(), 8u);
  EXPECT_THAT(recent(), Not(Contains(one)));
}

}  // namespace
}  // namespace slotscape
