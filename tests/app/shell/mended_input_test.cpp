// What the window says of a wrong input goes as soon as the input is mended, wherever it was typed.

#include "app/scenes/races/scene.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <imgui_internal.h>

namespace slotscape {
namespace {

using test::scene_of;
using ::testing::HasSubstr;

constexpr gl::Size size_of_window{1280, 720};

/// A place in the window, in pixels.
struct At {
  float x;
  float y;
};
constexpr At slots_field{150.0f, 106.0f};
constexpr At seed_field{150.0f, 330.0f};

class MendedInput : public testing::Test {
protected:
  void show(Scenario const& scenario)
  {
    app_ = test::offscreen_app(size_of_window, scenario);
    frames(3);
  }
  void show_table() { show(test::slots_scenario({.slots = 32})); }
  void show_races() { show({&test::entry("races"), settings_of(*races::find_case("two-inserts"))}); }

  void frames(int count)
  {
    for (int i = 0; i < count; ++i) { app_->frame(0.05); }
  }
  void press(ImGuiKey key)
  {
    for (bool const down : {true, false}) {
      ImGui::GetIO().AddKeyEvent(key, down);
      frames(1);
    }
  }
  void press_with_ctrl(ImGuiKey key)
  {
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_LeftCtrl, true);
    press(key);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_LeftCtrl, false);
    frames(1);
  }
  void click(At at)
  {
    ImGui::GetIO().AddMousePosEvent(at.x, at.y);
    for (bool const down : {true, false}) {
      ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, down);
      frames(1);
    }
  }
  /// Into the field there, instead of what it holds.
  void type_at(At at, std::string const& text)
  {
    click(at);
    frames(2);
    ASSERT_TRUE(ImGui::GetIO().WantTextInput) << "no field there";
    press_with_ctrl(ImGuiKey_A);
    type(text);
  }
  void type(std::string const& text)
  {
    for (char const character : text) {
      ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(character));
      frames(1);
    }
    frames(1);
  }
  void enter()
  {
    press(ImGuiKey_Enter);
    frames(2);
  }
  void expect_error(std::string_view words)
  {
    EXPECT_EQ(app_->toasts().errors(), 1u);
    EXPECT_THAT(app_->toasts().latest(), HasSubstr(words));
  }
  void expect_none() { EXPECT_EQ(app_->toasts().errors(), 0u) << app_->toasts().latest(); }
  TableState& state() { return scene_of<SlotsScene>(*app_).state(); }

  test::TemporaryFolder folder_;
  std::unique_ptr<App> app_;
};

TEST_F(MendedInput, ANumberIsNotComplainedOfWhileItIsTypedAgain)
{
  show_table();
  for (At const field : {slots_field, seed_field}) {
    type_at(field, "x7");
    enter();
    frames(20);
    expect_error("'x7' is invalid");
    type_at(field, "4");
    expect_none();
  }
}

/// Nothing is done then: the table has them already.
TEST_F(MendedInput, TheNumberThatWasThereBeforeIsRight)
{
  show_table();
  state().edits.slots_entry = "x7";
  ask_for_typed_slots(state());
  frames(1);
  expect_error("'x7' is invalid");
  type_at(slots_field, "32");
  enter();
  expect_none();
  EXPECT_EQ(state().settings.table.slots, 32u);
}

TEST_F(MendedInput, AKeyThatNoThreadCanHave)
{
  show_races();
  auto& races = scene_of<RacesScene>(*app_);
  races.state().ask(RefuseTyped{"A thread takes one key, such as 13=10."});
  frames(20);
  expect_error("one key");
  races.state().ask(GoForward{});
  frames(1);
  expect_none();
}

TEST_F(MendedInput, ACommandThatFailedIsForgottenWithTheNextOne)
{
  show_table();
  ImGui::SetClipboardText("Dear reader");
  press_with_ctrl(ImGuiKey_V);
  frames(20);
  expect_error("Could not paste");
  press(ImGuiKey_Tab);
  expect_none();
}

TEST_F(MendedInput, AFileThatCouldNotBeOpenedIsForgottenWithTheNextOne)
{
  show_table();
  app_->open(folder_.write("wrong.json", R"({ "version": 1, "table": { "family": "none" } })"));
  frames(20);
  expect_error("Could not open");
  app_->open(folder_.write("right.json", R"({ "version": 1, "table": { "slots": 16 } })"));
  frames(2);
  expect_none();
  EXPECT_EQ(state().settings.table.slots, 16u);
}

/// What nobody has asked for stays until it is read.
TEST_F(MendedInput, OtherErrorsStay)
{
  show_table();
  app_->toasts().error("The recording ended.");
  type_at(slots_field, "16");
  enter();
  press(ImGuiKey_Tab);
  expect_error("The recording ended.");
  app_->toasts().dismiss("The recording ended.");
  expect_none();
}

}  // namespace
}  // namespace slotscape
