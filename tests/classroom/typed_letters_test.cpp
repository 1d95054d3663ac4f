// Letters typed outside of any field: part of a key where keys are words, else commands.

#include "tests/app/support/program.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <string>

namespace slotscape {
namespace {

using test::scene_of;

constexpr gl::Size window_size{1280, 720};

/// Where keys are words, their letters go to the field as digits do, and trigger no command: E would erase, C clear the
/// table and H open the list of keys.
TEST(TypedWithoutAClick, LettersGoToTheFieldWhereKeysAreWords)
{
  TableSetup set_up;
  set_up.settings.table = {.slots = 32};
  set_up.settings.view.keys_as = KeyStyle::names;
  set_up.steps = {OnKey{Operation::insert, 1, 0}};
  for (std::string const name : {"Eva", "Chloe", "Hana", "Ida", "Karl", "\u00c9mile"}) {
    auto const app = test::offscreen_app(window_size, test::slots_scenario(set_up));
    auto& scene = scene_of<SlotsScene>(*app);
    scene.finish_steps({});
    app->frame(0.3);
    ImGui::GetIO().AddInputCharactersUTF8(name.c_str());
    for (int frame = 0; frame < 5; ++frame) { app->frame(0.3); }
    EXPECT_EQ(scene.state().typed.text, name);
    scene.finish_steps({});
    EXPECT_EQ(scene.simulation().live(), 1u) << name;
    ImGuiWindow const* const keys = ImGui::FindWindowByName("##keys");
    EXPECT_TRUE(keys == nullptr || !keys->Active) << name;
  }
}

TEST(TypedWithoutAClick, LettersTriggerCommandsWhereKeysAreNumbers)
{
  for (KeyStyle const style : {KeyStyle::numbers, KeyStyle::with_sign}) {
    TableSetup set_up;
    set_up.settings.table = {.slots = 32, .key_bits = 64};
    set_up.settings.view.keys_as = style;
    auto const app = test::offscreen_app(window_size, test::slots_scenario(set_up));
    auto& scene = scene_of<SlotsScene>(*app);
    app->frame(0.3);
    ImGui::GetIO().AddInputCharacter('t');
    for (int frame = 0; frame < 5; ++frame) { app->frame(0.3); }
    EXPECT_TRUE(scene.state().steps.on);
    EXPECT_EQ(scene.state().typed.text, "");
    ImGui::GetIO().AddInputCharactersUTF8("-5");
    for (int frame = 0; frame < 5; ++frame) { app->frame(0.3); }
    EXPECT_EQ(scene.state().typed.text, "-5") << "the field has the keyboard";
  }
}

TEST(TypedWithoutAClick, AMinusBeginsAKeyWhereKeysHaveASign)
{
  TableSetup set_up;
  set_up.settings.table = {.slots = 32, .key_bits = 64};
  set_up.settings.view.keys_as = KeyStyle::with_sign;
  auto const app = test::offscreen_app(window_size, test::slots_scenario(set_up));
  app->frame(0.3);
  ImGui::GetIO().AddInputCharactersUTF8("-5");
  for (int frame = 0; frame < 5; ++frame) { app->frame(0.3); }
  EXPECT_EQ(scene_of<SlotsScene>(*app).state().typed.text, "-5");
}

/// A menu names no key that would be typed.
TEST(Keys, ThatAreLettersAreLeftOut)
{
  EXPECT_EQ(keys_beside_letters("K, Ctrl+F"), "Ctrl+F");
  EXPECT_EQ(keys_beside_letters("H, ?, F1"), "?, F1");
  EXPECT_EQ(keys_beside_letters("E"), "");
  EXPECT_EQ(keys_beside_letters("0 to 9"), "0 to 9");
  EXPECT_EQ(keys_beside_letters("Backspace, Ctrl+R"), "Backspace, Ctrl+R");
}

}  // namespace
}  // namespace slotscape
