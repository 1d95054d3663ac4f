#include "app/serve/messages.hpp"

#include "app/gui/gui.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace slotscape::serve {
namespace {

using ::testing::HasSubstr;

constexpr gl::Size window{800, 600};

template <class Kind>
Kind input(std::string const& text)
{
  return std::get<Kind>(std::get<Input>(parse_message(text, window)));
}

std::string wrong_with(std::string const& text)
{
  try {
    parse_message(text, window);
  } catch (Error const& error) {
    return error.what();
  }
  return "nothing";
}

TEST(ServeMessages, AreReadByTheirType)
{
  EXPECT_EQ(std::get<Seen>(parse_message(R"({"type": "seen", "frame": 4294967295})", window)).frame, 4294967295U);
  EXPECT_TRUE(std::holds_alternative<Alive>(parse_message(R"({"type": "alive"})", window)));
  auto const press = input<PointerButton>(R"({"type": "button", "button": 2, "down": true})");
  EXPECT_EQ(press.button, 2);
  EXPECT_TRUE(press.down);
  auto const key = input<KeyPress>(R"({"type": "key", "key": "KeyQ", "down": true, "modifiers": 3})");
  EXPECT_EQ(key.key, ImGuiKey_Q);
  EXPECT_EQ(key.modifiers, 3U);
  EXPECT_EQ(input<TypedText>(R"({"type": "text", "text": "ä"})").text, "ä");
  EXPECT_FLOAT_EQ(input<Wheel>(R"({"type": "wheel", "x": 0, "y": -1.5})").y, -1.5F);
  EXPECT_NO_THROW(input<PointerLeave>(R"({"type": "leave"})"));
  EXPECT_NO_THROW(input<ReleaseAll>(R"({"type": "release"})"));
}

TEST(ServeMessages, PositionsLieInThePicture)
{
  auto const inside = input<PointerMove>(R"({"type": "move", "x": 12.5, "y": 30})");
  EXPECT_FLOAT_EQ(inside.x, 12.5F);
  EXPECT_FLOAT_EQ(inside.y, 30.0F);
  auto const outside = input<PointerMove>(R"({"type": "move", "x": -5, "y": 10000})");
  EXPECT_FLOAT_EQ(outside.x, 0.0F);
  EXPECT_FLOAT_EQ(outside.y, 599.0F);
}

TEST(ServeMessages, BadOnesAreRefusedInWords)
{
  EXPECT_THAT(wrong_with("{"), HasSubstr("the message"));
  EXPECT_THAT(wrong_with("[]"), HasSubstr("the message"));
  EXPECT_THAT(wrong_with(R"({"type": "run"})"), HasSubstr("it must be seen, alive"));
  EXPECT_THAT(wrong_with(R"({"type": 3})"), HasSubstr("string"));
  EXPECT_THAT(wrong_with(R"({"type": "move", "x": 1})"), HasSubstr("y"));
  EXPECT_THAT(wrong_with(R"({"type": "move", "x": 1e300, "y": 0})"), HasSubstr("x"));
  EXPECT_THAT(wrong_with(R"({"type": "button", "button": 3, "down": true})"), HasSubstr("button"));
  EXPECT_THAT(wrong_with(R"({"type": "wheel", "x": 0, "y": 21})"), HasSubstr("from -20 to 20"));
  EXPECT_THAT(wrong_with(R"({"type": "key", "key": "Power", "down": true, "modifiers": 0})"), HasSubstr("KeyA"));
  EXPECT_THAT(wrong_with(R"({"type": "key", "key": "KeyA", "down": true, "modifiers": 16})"), HasSubstr("modifiers"));
  EXPECT_THAT(wrong_with(R"({"type": "text", "text": "a\nb"})"), HasSubstr("control characters"));
  EXPECT_THAT(wrong_with(fmt::format(R"({{"type": "text", "text": "{:a>257}"}})", "")), HasSubstr("256 bytes"));
  EXPECT_THAT(wrong_with(fmt::format(R"({{"type": "alive"{:1025}}})", "")), HasSubstr("1024 at most"));
  EXPECT_THAT(wrong_with("{\"type\": \"text\", \"text\": \"\xff\"}"), HasSubstr("UTF-8"));
}

TEST(ServeMessages, KeysHaveTheNamesOfBrowsers)
{
  EXPECT_EQ(key_of_name("KeyA"), ImGuiKey_A);
  EXPECT_EQ(key_of_name("KeyZ"), ImGuiKey_Z);
  EXPECT_EQ(key_of_name("Digit0"), ImGuiKey_0);
  EXPECT_EQ(key_of_name("Numpad9"), ImGuiKey_Keypad9);
  EXPECT_EQ(key_of_name("F1"), ImGuiKey_F1);
  EXPECT_EQ(key_of_name("F9"), ImGuiKey_F9);
  EXPECT_EQ(key_of_name("F10"), ImGuiKey_F10);
  EXPECT_EQ(key_of_name("F12"), ImGuiKey_F12);
  EXPECT_EQ(key_of_name("ArrowLeft"), ImGuiKey_LeftArrow);
  EXPECT_EQ(key_of_name("ControlLeft"), ImGuiKey_LeftCtrl);
  for (char const* const name : {"", "F", "F0", "F13", "Keya", "KeyAA", "Key", "Numpad", "Unidentified"}) {
    EXPECT_EQ(key_of_name(name), ImGuiKey_None) << name;
  }
}

/// What ImGui knows after a frame with this input.
class ServeInput : public ::testing::Test {
protected:
  void frame(std::vector<Input> const& inputs)
  {
    for (Input const& each : inputs) { apply(each, ImGui::GetIO()); }
    for (int i = 0; i < 3; ++i) {  // ImGui tells presses and releases one by one
      gui_.begin_frame(0.05);
      for (ImGuiKeyChord const key : gui_.take_events().keys) { chords_.push_back(key); }
      for (ImWchar const character : ImGui::GetIO().InputQueueCharacters) { typed_ += static_cast<char>(character); }
      gui_.end_frame();
    }
  }

  std::unique_ptr<gl::Context> context_ = gl::open_offscreen({320, 240});
  Gui gui_{*context_};
  std::vector<ImGuiKeyChord> chords_;
  std::string typed_;
};

TEST_F(ServeInput, MovesClicksAndTypes)
{
  frame({PointerMove{20.0F, 30.0F}, PointerButton{1, true}, TypedText{"ab"}});
  EXPECT_FLOAT_EQ(ImGui::GetIO().MousePos.x, 20.0F);
  EXPECT_TRUE(ImGui::GetIO().MouseDown[1]);
  EXPECT_EQ(typed_, "ab");
}

TEST_F(ServeInput, KeysComeWithTheirModifiers)
{
  frame({KeyPress{ImGuiKey_LeftCtrl, true, 1}, KeyPress{ImGuiKey_Z, true, 1}, KeyPress{ImGuiKey_Z, false, 1},
         KeyPress{ImGuiKey_LeftCtrl, false, 0}});
  EXPECT_THAT(chords_, ::testing::Contains(ImGuiKey_Z | ImGuiMod_Ctrl));
}

TEST_F(ServeInput, NothingStaysDownWhenThePageLosesTheKeyboard)
{
  frame({PointerMove{20.0F, 30.0F}, PointerButton{0, true}, KeyPress{ImGuiKey_LeftShift, true, 2}});
  EXPECT_TRUE(ImGui::GetIO().MouseDown[0]);
  EXPECT_TRUE(ImGui::GetIO().KeyShift);
  frame({ReleaseAll{}});
  EXPECT_FALSE(ImGui::GetIO().MouseDown[0]);
  EXPECT_FALSE(ImGui::GetIO().KeyShift);
  EXPECT_FALSE(ImGui::IsKeyDown(ImGuiKey_LeftShift));
}

}  // namespace
}  // namespace slotscape::serve
