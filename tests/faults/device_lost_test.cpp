// A GPU that fails while the window runs: the program goes on on the CPU.

#include "gpu/base/device_lost.hpp"
#include "tests/app/support/program.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <vector>

namespace slotscape {
namespace {

using ::testing::HasSubstr;

/// What becomes of a scene on a device that fails.
struct LostScene {
  bool fails_to_advance = false;
  bool fails_to_draw = false;
  bool knows_set_up = true;
  bool has_room = true;              ///< for its set-up, on the CPU
  std::vector<int> made = {};        ///< the set-ups
  std::vector<DeviceFacts> on = {};  ///< where
};

constexpr int lost_full = 3;
constexpr int lost_remembered = 2;
constexpr int lost_first = 1;

class SceneOnDevice final : public Scene {
public:
  explicit SceneOnDevice(LostScene& known) : known_(known) {}
  SceneSetup set_up() const override
  {
    if (!known_.knows_set_up) { throw DeviceLost("its keys are gone"); }
    return lost_full;
  }
  SceneSetup to_remember() const override { return lost_remembered; }
  void advance(double) override
  {
    if (known_.fails_to_advance && is_on_device()) { throw DeviceLost("CUDA: an illegal memory access"); }
  }
  void draw_pictures(Presenters&, int) override
  {
    if (known_.fails_to_draw && is_on_device()) { throw DeviceLost("CUDA: an illegal memory access"); }
  }
  void draw_gui(Frame const&) override {}

private:
  bool is_on_device() const { return known_.made.size() == 1; }
  LostScene& known_;
};

class DeviceLostTest : public testing::Test {
protected:
  void start()
  {
    entry_.name = "on-device";
    entry_.title = "On a device";
    entry_.first = [] { return SceneSetup(lost_first); };
    entry_.make = [this](SceneSetup const& set_up, DeviceFacts const& device, Progress const&) {
      auto const number = std::any_cast<int>(set_up);
      if (number == lost_full && !known_.made.empty() && !known_.has_room) { throw Error("too large"); }
      known_.made.push_back(number);
      known_.on.push_back(device);
      return std::make_unique<SceneOnDevice>(known_);
    };
    app_ = test::offscreen_app({320, 200}, Scenario{&entry_, lost_full});
  }
  /// The set-up of the scene that goes on.
  int fail()
  {
    app_->frame(0.02);
    EXPECT_EQ(known_.made.size(), 2u);
    EXPECT_EQ(known_.on.back().backend, Backend::cpu);
    EXPECT_EQ(known_.on.back().backend_reason, "the GPU has failed");
    EXPECT_THAT(app_->toasts().latest(), HasSubstr("illegal memory access"));
    EXPECT_THAT(app_->toasts().latest(), HasSubstr("the CPU continues"));
    for (int frame = 0; frame < 3; ++frame) { app_->frame(0.02); }
    EXPECT_EQ(known_.made.size(), 2u) << "once";
    EXPECT_EQ(app_->toasts().errors(), 1u);
    return known_.made.back();
  }

  LostScene known_;
  SceneEntry entry_;
  std::unique_ptr<App> app_;
};

TEST_F(DeviceLostTest, TheCpuGoesOnFromTheSameSetUp)
{
  start();
  app_->frame(0.02);
  EXPECT_EQ(known_.made.size(), 1u);
  known_.fails_to_advance = true;
  EXPECT_EQ(fail(), lost_full);
}

TEST_F(DeviceLostTest, ItMayFailAsPicturesAreHandedToOpenGL)
{
  known_.fails_to_draw = true;
  start();
  EXPECT_EQ(fail(), lost_full);
}

TEST_F(DeviceLostTest, KeysThatTheDeviceAloneKnewAreGone)
{
  known_.fails_to_advance = true;
  known_.knows_set_up = false;
  start();
  EXPECT_EQ(fail(), lost_remembered);
}

TEST_F(DeviceLostTest, WhatHasNoRoomOnTheCpuIsLeftOut)
{
  known_.fails_to_advance = true;
  known_.has_room = false;
  start();
  EXPECT_EQ(fail(), lost_remembered);
}

/// Work beside the frames fails as itself, and not as what could not be done.
TEST(DeviceLostBesideFrames, IsPassedOn)
{
  auto const lost = std::make_exception_ptr(DeviceLost("CUDA: an illegal memory access"));
  EXPECT_THROW(notice_of_failure(lost, "convolve a.ply", true), DeviceLost);
}

}  // namespace
}  // namespace slotscape
