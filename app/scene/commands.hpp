#pragma once

#include "app/base/enum_names.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/look.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// What a command's keys do to an open question. A menu entry is chosen on purpose, a key may be pressed by mistake.
enum class OnQuestion : std::uint8_t {
  leaves,      ///< nothing
  answers,     ///< the table changes or is stepped through: that shows the answer, or makes it another one
  drops_keys,  ///< what the table holds goes, which is missed after the answer, too
};

/// Something the user can do, by key, from a menu, or both. Menus and the list of keys are built from these.
struct Command {
  /// As displayed: "Space", "2, U", "Backspace, Ctrl+R"; see `presses_of`.
  std::string_view keys = {};
  std::string_view group = {};                  ///< heading in the list of keys; empty: not listed
  std::string_view what = {};                   ///< description in that list
  std::string_view menu = {};                   ///< "File", "View" or one of the scene's own; empty: in no menu
  std::string label = {};                       ///< its entry in that menu
  bool divides = false;                         ///< a separator precedes the entry
  bool in_popups = false;                       ///< its keys also work while a popup is open
  bool not_in_page = false;                     ///< a browser has its own, or none
  bool while_typing = true;                     ///< its keys that type no character also work in a text field
  bool in_fields = false;                       ///< even those that move in fields, such as Page Down
  OnQuestion on_question = OnQuestion::leaves;  ///< may its keys be pressed while one is open
  std::function<void()> run = {};               ///< empty: only a row in the list of keys
  std::function<std::string()> label_now = {};  ///< instead of `label`, if the text varies
  std::function<bool()> checked = {};           ///< for a switch: whether it is on
  std::function<void()> submenu = {};           ///< draws a submenu instead of an entry
};

/// What triggers a command: a character, whatever the keyboard layout, or a key that types none.
struct Press {
  char character = 0;
  ImGuiKeyChord chord = ImGuiKey_None;
  friend bool operator==(Press const&, Press const&) = default;
};
/// Parses a comma-separated list of presses: characters in capitals, "Comma", "Period", "Space", "Tab", "Backspace",
/// "Esc", "Home", "End", "Page Up", "Page Down", "Left", "Right", "Up", "Down", "F1" to "F12", "Enter", "Ctrl+S",
/// "Ctrl+1", "Ctrl+Shift+S", "Ctrl+Left". Also accepts the other character of the same key on common layouts ("=" for
/// "+"). Throws std::logic_error for any other name.
std::vector<Press> presses_of(std::string_view keys);
/// The same list in the language in use: "Leertaste", "Strg+Umschalt+Z".
std::string keys_in_words(std::string_view keys);
/// Those of the list that are no letters alone.
std::string keys_beside_letters(std::string_view keys);

/// The first command that the press triggers, or null. While the user types text, only keys that type no character
/// trigger commands.
Command const* command_of(ImGuiKeyChord press, std::span<Command const> commands, bool typing);
Command const* command_of(char typed, std::span<Command const> commands);

/// A menu entry that toggles a flag.
Command toggle(std::string_view menu, std::string label, bool& value);

/// A submenu with all values of an enum.
template <class Enum>
Command choice_menu(std::string_view menu, std::string const& label, Enum& value)
{
  auto const draw = [label, &value] {
    if (!ImGui::BeginMenu(translated_label(label).c_str())) { return; }
    for (EnumName<Enum> const& name : enum_names<Enum>()) {
      bool const chosen = ImGui::MenuItem(translated_label(name.label).c_str(), nullptr, value == name.value);
      if (chosen) { value = name.value; }
    }
    ImGui::EndMenu();
  };
  return {.menu = menu, .label = label, .submenu = draw};
}

}  // namespace slotscape
