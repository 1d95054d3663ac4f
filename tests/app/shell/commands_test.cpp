#include "app/languages/languages.hpp"
#include "gpu/base/translation.hpp"
#include "tests/app/support/program.hpp"

#include <gmock/gmock.h>

#include <map>

namespace slotscape {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Presses, AreReadFromWhatPeopleRead)
{
  EXPECT_THAT(presses_of(""), IsEmpty());
  EXPECT_THAT(presses_of("R"), ElementsAre(Press{.character = 'r'}));
  EXPECT_THAT(presses_of("2, U"), ElementsAre(Press{.character = '2'}, Press{.character = 'u'}));
  EXPECT_THAT(presses_of("Backspace, Ctrl+R"),
              ElementsAre(Press{.chord = ImGuiKey_Backspace}, Press{.chord = ImGuiMod_Ctrl | ImGuiKey_R}));
  EXPECT_THAT(presses_of("F1"), ElementsAre(Press{.chord = ImGuiKey_F1}));
  EXPECT_THAT(presses_of("F12"), ElementsAre(Press{.chord = ImGuiKey_F12}));
  EXPECT_THAT(presses_of("Ctrl+Left, Ctrl+Shift+Tab"),
              ElementsAre(Press{.chord = ImGuiMod_Ctrl | ImGuiKey_LeftArrow},
                          Press{.chord = ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Tab}));
  EXPECT_THAT(presses_of("Comma"), ElementsAre(Press{.character = ','}, Press{.character = '<'}));
  EXPECT_THAT(presses_of("+"), ElementsAre(Press{.character = '+'}, Press{.character = '='}));
  for (char const* unknown : {"Banana", "F13", "F0", "Ctrl+", "Ctrl+Banana", "Arrows"}) {
    EXPECT_THROW(presses_of(unknown), std::logic_error) << unknown;
  }
}

TEST(Presses, AreNamedAsKeyboardsNameThem)
{
  EXPECT_EQ(keys_in_words("Backspace, Ctrl+R"), "Backspace, Ctrl+R");
  InLanguage const german("de");
  EXPECT_EQ(keys_in_words("Comma"), "Komma");
  EXPECT_EQ(keys_in_words("0, Home"), "0, Pos1");
  EXPECT_EQ(keys_in_words("Ctrl+Shift+Z, Ctrl+Y"), "Strg+Umschalt+Z, Strg+Y");
  EXPECT_EQ(keys_in_words("Ctrl+Arrows"), "Strg+Pfeiltasten");
  EXPECT_EQ(keys_in_words("+"), "+");
  for (SceneEntry const& scene : scenes()) {
    if (!scene.mouse.empty()) { EXPECT_NE(translated(scene.mouse), scene.mouse) << scene.name; }
  }
}

TEST(Commands, AreFoundByTheirKeys)
{
  int done = 0;
  std::vector<Command> const commands{{.keys = "R", .run = [&] { done = 1; }},
                                      {.keys = "Home, Ctrl+R", .run = [&] { done = 2; }},
                                      {.keys = "Arrows", .what = "a row of the list alone"}};
  command_of('R', commands)->run();
  EXPECT_EQ(done, 1);
  command_of(ImGuiMod_Ctrl | ImGuiKey_R, commands, true)->run();
  EXPECT_EQ(done, 2);
  EXPECT_EQ(command_of(ImGuiKey_Home, commands, true), nullptr) << "which moves in a text that is typed";
  EXPECT_NE(command_of(ImGuiKey_Home, commands, false), nullptr);
  EXPECT_EQ(command_of('x', commands), nullptr);
  EXPECT_EQ(command_of(ImGuiKey_R, commands, false), nullptr);
}

TEST(Commands, OfEveryScene)
{
  for (SceneEntry const& entry : scenes()) {
    SceneSetup set_up = entry.first();
    if (entry.name == "spatial") {
      for (ModelSettings& model : std::any_cast<SpatialSetup&>(set_up).settings.models.of) { model.points = 500; }
    }
    auto const app = test::offscreen_app({640, 480}, Scenario{&entry, set_up});
    std::map<std::string, std::string> by_press;
    for (Command const& command : app->current_scene().commands()) {
      if (!command.run) {
        EXPECT_TRUE(command.submenu || !command.group.empty()) << entry.name << ": a command that does nothing";
        continue;
      }
      EXPECT_EQ(command.group.empty(), command.what.empty()) << entry.name << ' ' << command.keys;
      EXPECT_EQ(command.menu.empty(), command.label.empty() && !command.label_now) << entry.name << ' ' << command.keys;
      EXPECT_FALSE(command.keys.empty() && command.menu.empty()) << "nobody can give it";
      EXPECT_LE(command.what.size(), 50u) << command.what << ": too small in the list of keys, at 1280 x 720";
      for (Press const& press : presses_of(command.keys)) {
        std::string const name = std::to_string(press.chord) + press.character;
        EXPECT_TRUE(by_press.emplace(name, command.keys).second)
            << entry.name << ": " << command.keys << " and " << by_press[name];
      }
    }
    EXPECT_GT(by_press.size(), 10u);
  }
}

}  // namespace
}  // namespace slotscape
