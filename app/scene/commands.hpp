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

/// The effect of a command's keys on an open question. Menu entries are chosen deliberately, but keys may be pressed by
/// mistake.
enum class OnQuestion : std::uint8_t {
  leaves,      ///< nothing
  answers,     ///< the table changes or is stepped through, which shows the answer or changes it
  drops_keys,  ///< the table's keys are lost, and would be missed even after the answer
};

/// A user command, triggered by a key, from a menu, or both. Menus and the list of keys are built from commands.
struct Command {
  /// As displayed: "Space", "2, U", "Backspace, Ctrl+R"; see `presses_of`.
  std::string_view keys = {};
  std::string_view group = {};                  ///< heading in the list of keys; empty: not listed
  std::string_view what = {};                   ///< description in that list
  std::string_view menu = {};                   ///< "File", "View" or a menu of the scene; empty: not in a menu
  std::string label = {};                       ///< text of its entry in that menu
  bool divides = false;                         ///< a separator precedes the entry
  bool in_popups = false;                       ///< its keys also work while a popup is open
  bool not_in_page = false;                     ///< not in browsers, which have their own version or none
  bool while_typing = true;                     ///< keys that type no character also work in text fields
  bool in_fields = false;                       ///< keys that move within fields, such as Page Down, also work there
  OnQuestion on_question = OnQuestion::leaves;  ///< whether its keys work while a question is open
  std::function<void()> run = {};               ///< the action; empty: the command is only a row in the list of keys
  std::function<std::string()> label_now = {};  ///< instead of `label`, if the text varies
  std::function<bool()> checked = {};           ///< whether a switch is on; empty: not a switch
  std::function<void()> submenu = {};           ///< draws a submenu instead of an entry
};

/// A trigger of a command: a character, whatever the keyboard layout, or a key that types none.
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
/// The list of presses in the current language: "Leertaste", "Strg+Umschalt+Z".
std::string keys_in_words(std::string_view keys);
/// The keys in the list other than plain letters.
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
