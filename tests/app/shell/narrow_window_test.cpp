// A window as narrow as a telephone.

#include "tests/app/support/at_mouse.hpp"
#include "tests/app/support/program.hpp"

#include <gtest/gtest.h>

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

TEST_F(NarrowWindowTest, MenusWithinTheMenuOpenInPlace)
{
  click(106.0f, 12.0f);
  ASSERT_EQ(app_->screen().gui().input().popups, 1);
  click(130.0f, 46.0f);
  EXPECT_EQ(app_->screen().gui().input().popups, 1) << "another one would cover the first";
}

}  // namespace
}  // namespace slotscape
