// Keys are typed, and T steps through what is done with them.

#include "app/table_map/step/words.hpp"
#include "tests/classroom/at_keyboard.hpp"

#include <string>

namespace slotscape {
namespace {

using test::scene_of;

class TypedSteps : public test::AtKeyboard {
protected:
  void show(KeyStyle style)
  {
    TableSetup set_up;
    set_up.settings.table = {.slots = 32, .hash = HashKind::identity};
    set_up.settings.view.keys_as = style;
    open(test::slots_scenario(set_up));
  }
  TableState& state() { return scene_of<SlotsScene>(*app_).state(); }
  StepState const& steps() { return state().steps; }
  std::string title() { return steps().player ? title_of(*steps().player) : std::string(); }
};

TEST_F(TypedSteps, TTakesTheKeysInTheField)
{
  show(KeyStyle::numbers);
  type("17, 42");
  type("t");
  EXPECT_EQ(title(), "Insert 17");
  EXPECT_EQ(state().typed.text, "17") << "as after Enter in step mode";
  ASSERT_EQ(steps().next.size(), 1u);
  EXPECT_EQ(steps().next.front().key, 42u);
  press(ImGuiKey_RightArrow);
  EXPECT_EQ(steps().player->position(), 1u) << "the arrows are for the steps";
  type("8");
  type("t");
  EXPECT_EQ(title(), "Insert 8") << "another one, in step mode";
}

TEST_F(TypedSteps, TTakesWhatIsTypedInOneGo)
{
  show(KeyStyle::numbers);
  type("42t");
  EXPECT_EQ(title(), "Insert 42");
}

/// Their operation is done: what is typed next is another key.
TEST_F(TypedSteps, TAsksForKeysWhereTheLastOnesAreEntered)
{
  show(KeyStyle::numbers);
  type("7");
  press(ImGuiKey_Enter);
  type("t");
  EXPECT_TRUE(steps().on);
  EXPECT_FALSE(steps().player);
  EXPECT_EQ(state().typed.text, "");
}

TEST_F(TypedSteps, TLeavesAWrongTextToBeMended)
{
  show(KeyStyle::numbers);
  type("5-");
  type("t");
  EXPECT_FALSE(steps().on);
  EXPECT_EQ(state().typed.text, "5-");
}

/// So that what is wrong is seen whole, and not "ca".
TEST_F(TypedSteps, TIsALetterOfWordsThatAreNoKeys)
{
  show(KeyStyle::numbers);
  type("5, ");
  ASSERT_TRUE(state().typed.active);
  type("cat");
  EXPECT_EQ(state().typed.text, "5, cat");
  for (char const letter : {'T', 'e', 'n'}) { type(std::string(1, letter)); }
  EXPECT_EQ(state().typed.text, "5, catTen");
  EXPECT_FALSE(steps().on);
  type(" 0x2a");
  type("t");
  EXPECT_FALSE(steps().on) << "what is wrong is to be mended first";
  EXPECT_EQ(state().typed.text, "5, catTen 0x2a") << "a number ends before T";
}

/// T is a letter of names.
TEST_F(TypedSteps, CtrlTTakesNames)
{
  show(KeyStyle::names);
  type("Berta");
  EXPECT_FALSE(steps().on);
  press(ImGuiMod_Ctrl | ImGuiKey_T);
  frames(2);
  EXPECT_EQ(title(), "Insert Berta");
}

}  // namespace
}  // namespace slotscape
