#include "app/scene/commands.hpp"

#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <stdexcept>
#include <utility>

namespace slotscape {
namespace {

struct NamedKey {
  std::string_view name;
  ImGuiKey key;
};
constexpr std::array named_keys{NamedKey{"Space", ImGuiKey_Space},         NamedKey{"Tab", ImGuiKey_Tab},
                                NamedKey{"Backspace", ImGuiKey_Backspace}, NamedKey{"Esc", ImGuiKey_Escape},
                                NamedKey{"Home", ImGuiKey_Home},           NamedKey{"End", ImGuiKey_End},
                                NamedKey{"Enter", ImGuiKey_Enter},         NamedKey{"Left", ImGuiKey_LeftArrow},
                                NamedKey{"Right", ImGuiKey_RightArrow},    NamedKey{"Up", ImGuiKey_UpArrow},
                                NamedKey{"Down", ImGuiKey_DownArrow},      NamedKey{"Page Up", ImGuiKey_PageUp},
                                NamedKey{"Page Down", ImGuiKey_PageDown}};

/// Named characters, each with the other character on the same key, with or without Shift.
struct NamedCharacter {
  std::string_view name;
  char character;
  char twin;
};
constexpr std::array named_characters{NamedCharacter{"Comma", ',', '<'}, NamedCharacter{"Period", '.', '>'},
                                      NamedCharacter{"+", '+', '='}};

constexpr std::array<std::pair<std::string_view, ImGuiKeyChord>, 2> modified{
    {{"Ctrl+Shift+", ImGuiMod_Ctrl | ImGuiMod_Shift}, {"Ctrl+", ImGuiMod_Ctrl}}};

/// Parses F1 to F12.
std::optional<int> function_key(std::string_view name)
{
  if (!name.starts_with('F') || name.size() < 2 || name.size() > 3) { return std::nullopt; }
  int number = 0;
  for (char const digit : name.substr(1)) {
    if (std::isdigit(static_cast<unsigned char>(digit)) == 0) { return std::nullopt; }
    number = number * 10 + (digit - '0');
  }
  return number >= 1 && number <= 12 ? std::optional(ImGuiKey_F1 + number - 1) : std::nullopt;
}

/// Adds a named key with Ctrl or Ctrl+Shift.
bool add_modified_key(std::string_view name, std::vector<Press>& presses)
{
  for (auto const& [prefix, modifiers] : modified) {
    if (!name.starts_with(prefix)) { continue; }
    auto const key = std::ranges::find(named_keys, name.substr(prefix.size()), &NamedKey::name);
    if (key == named_keys.end()) { continue; }
    presses.push_back({.chord = modifiers | key->key});
    return true;
  }
  return false;
}

void add_presses(std::string_view name, std::vector<Press>& presses)
{
  if (add_modified_key(name, presses)) { return; }
  for (auto const& [prefix, modifiers] : modified) {
    if (name.size() != prefix.size() + 1 || !name.starts_with(prefix)) { continue; }
    bool const is_digit = name.back() >= '0' && name.back() <= '9';
    if (!is_digit && (name.back() < 'A' || name.back() > 'Z')) { break; }
    int const key = is_digit ? ImGuiKey_0 + name.back() - '0' : ImGuiKey_A + name.back() - 'A';
    presses.push_back({.chord = modifiers | key});
    return;
  }
  auto const key = std::ranges::find(named_keys, name, &NamedKey::name);
  auto const character = std::ranges::find(named_characters, name, &NamedCharacter::name);
  if (key != named_keys.end()) {
    presses.push_back({.chord = key->key});
  } else if (character != named_characters.end()) {
    presses.push_back({.character = character->character});
    presses.push_back({.character = character->twin});
  } else if (auto const function = function_key(name)) {
    presses.push_back({.chord = *function});
  } else if (name.size() == 1) {
    presses.push_back({.character = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())))});
  } else {
    throw std::logic_error(fmt::format("there is no key '{}'", name));
  }
}

/// The name printed on keyboards, translated; a character is its own name.
std::string name_in_words(std::string_view name)
{
  std::array const names{
      std::pair("Space", tr_in("key", "Space")),         std::pair("Tab", tr_in("key", "Tab")),
      std::pair("Backspace", tr_in("key", "Backspace")), std::pair("Esc", tr_in("key", "Esc")),
      std::pair("Home", tr_in("key", "Home")),           std::pair("End", tr_in("key", "End")),
      std::pair("Enter", tr_in("key", "Enter")),         std::pair("Left", tr_in("key", "Left")),
      std::pair("Right", tr_in("key", "Right")),         std::pair("Up", tr_in("key", "Up")),
      std::pair("Down", tr_in("key", "Down")),           std::pair("Page Up", tr_in("key", "Page Up")),
      std::pair("Page Down", tr_in("key", "Page Down")), std::pair("Arrows", tr_in("key", "Arrows")),
      std::pair("Comma", tr_in("key", "Comma")),         std::pair("Period", tr_in("key", "Period")),
      std::pair("0 to 9", tr_in("key", "0 to 9"))};
  for (auto const& [english, words] : names) {
    if (name == english) { return words; }
  }
  return std::string(name);
}

std::string press_in_words(std::string_view press)
{
  std::array const modifiers{std::pair("Ctrl+", tr_in("key", "Ctrl")), std::pair("Shift+", tr_in("key", "Shift"))};
  for (auto const& [prefix, words] : modifiers) {
    if (press.starts_with(prefix)) {
      return fmt::format("{}+{}", words, press_in_words(press.substr(std::string_view(prefix).size())));
    }
  }
  return name_in_words(press);
}

template <class Matches>
Command const* first_with(std::span<Command const> commands, Matches const& matches)
{
  auto const found = std::ranges::find_if(commands, [&](Command const& command) {
    return command.run && std::ranges::any_of(presses_of(command.keys), matches);
  });
  return found == commands.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Press> presses_of(std::string_view keys)
{
  std::vector<Press> presses;
  while (!keys.empty()) {
    std::size_t const comma = std::min(keys.find(", "), keys.size());
    add_presses(keys.substr(0, comma), presses);
    keys.remove_prefix(std::min(comma + 2, keys.size()));
  }
  return presses;
}

std::string keys_in_words(std::string_view keys)
{
  std::string words;
  while (!keys.empty()) {
    std::size_t const comma = std::min(keys.find(", "), keys.size());
    words += (words.empty() ? "" : ", ") + press_in_words(keys.substr(0, comma));
    keys.remove_prefix(std::min(comma + 2, keys.size()));
  }
  return words;
}

std::string keys_beside_letters(std::string_view keys)
{
  std::string others;
  while (!keys.empty()) {
    std::string_view const key = keys.substr(0, keys.find(", "));
    bool const is_letter = key.size() == 1 && std::isalpha(static_cast<unsigned char>(key.front())) != 0;
    if (!is_letter) { others.append(others.empty() ? "" : ", ").append(key); }
    keys.remove_prefix(std::min(key.size() + 2, keys.size()));
  }
  return others;
}

Command const* command_of(ImGuiKeyChord press, std::span<Command const> commands, bool typing)
{
  bool const edits_text = (press & ImGuiMod_Ctrl) == 0 && (press < ImGuiKey_F1 || press > ImGuiKey_F24);
  Command const* const found = first_with(commands, [&](Press const& each) { return each.chord == press; });
  if (found == nullptr || !typing) { return found; }
  return (edits_text ? found->in_fields : found->while_typing) ? found : nullptr;
}

Command const* command_of(char typed, std::span<Command const> commands)
{
  auto const character = static_cast<char>(std::tolower(static_cast<unsigned char>(typed)));
  return first_with(commands, [&](Press const& each) { return each.character == character; });
}

Command toggle(std::string_view menu, std::string label, bool& value)
{
  return {.menu = menu,
          .label = std::move(label),
          .run = [&value] { value = !value; },
          .checked = [&value] { return value; }};
}

}  // namespace slotscape
