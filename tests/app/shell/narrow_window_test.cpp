// A window as narrow as a telephone.

#include "tests/app/support/at_mouse.hpp"
#include "tests/app/support/program.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <string>

namespace slotscape {
namespace {

class NarrowWindowTest : public testing::Test {
protected:
  void SetUp() override
  {
    app_ = test::offscreen_app({360, 640}, test::slots_scenario({.slots = 64}));
    app_->frame(0.05);
  }

  void click(float x, float y) { test::click(*app_, x, y); }

  std::unique_ptr<App> app_;
};

TEST_F(NarrowWindowTest, CardsOfTheGalleryTakeItsWidth)
{
  for (float const x : {40.0f, 300.0f}) {
    app_->gallery().show();
    for (int i = 0; i < 3; ++i) { app_->frame(0.05); }
    click(x, 110.0f);
    EXPECT_FALSE(app_->gallery().shown()) << x;
    EXPECT_EQ(app_->lessons().session(), nullptr) << x;
    EXPECT_EQ(app_->measurements().statistics().json["table"]["slots"], 16) << x;
  }
}

TEST_F(NarrowWindowTest, TheWaysToStartAreTabsOfTheGallery)
{
  app_->gallery().show();
  for (int i = 0; i < 3; ++i) { app_->frame(0.05); }
  click(120.0f, 60.0f);
  ASSERT_TRUE(app_->gallery().shown());
  click(180.0f, 110.0f);
  EXPECT_FALSE(app_->gallery().shown());
  EXPECT_EQ(app_->current_entry().name, "compare") << "the first way to measure";
}

TEST_F(NarrowWindowTest, MenusWithinTheMenuOpenInPlace)
{
  click(106.0f, 12.0f);
  ASSERT_EQ(app_->screen().gui().input().popups, 1);
  click(130.0f, 46.0f);
  EXPECT_EQ(app_->screen().gui().input().popups, 1) << "another one would cover the first";
}

TEST_F(NarrowWindowTest, WordsOfAScenarioTakeTheRoomOfThePanels)
{
  Scenario scenario = test::slots_scenario({.slots = 16});
  std::string words;
  for (int i = 0; i < 20; ++i) { words += "A sentence about the table. "; }
  scenario.words = {"By hand", words, {}};
  app_.reset();  // there can be one at a time
  app_ = test::offscreen_app({360, 740}, scenario);
  auto const height_of_map = [&] {
    for (int i = 0; i < 3; ++i) { app_->frame(0.05); }
    return app_->current_scene().canvas().height;
  };
  int const beside_words = height_of_map();
  EXPECT_GT(beside_words, 740 / 3);
  app_->lessons().close();
  EXPECT_LT(height_of_map(), beside_words) << "the panels are there again";
}

TEST_F(NarrowWindowTest, TheCardOfASlotDoesNotCoverIt)
{
  for (float const share : {0.3f, 0.5f, 0.7f}) {
    app_.reset();  // the card of another slot may lie over this one
    SetUp();
    Rectangle const canvas = app_->current_scene().canvas();
    float const x = static_cast<float>(canvas.x) + share * static_cast<float>(canvas.width);
    float const y = static_cast<float>(canvas.y) + share * static_cast<float>(canvas.height);
    click(x, y);
    ImGuiWindow const* const card = ImGui::FindWindowByName("##selection");
    ASSERT_TRUE(card != nullptr && card->Active) << share;
    EXPECT_FALSE(card->Rect().Contains({x, y})) << share;
  }
}

}  // namespace
}  // namespace slotscape
