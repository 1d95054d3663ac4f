#pragma once

#include "app/scene/entry.hpp"
#include "app/scene/scene.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace slotscape {

inline constexpr std::string_view program_group = "PROGRAM";  ///< in the list of keys: the program's own commands

/// A command with this menu appears in the bar itself, after the menus.
inline constexpr std::string_view menu_bar = "bar";

/// Data that the menus show and change.
struct MenuContext {
  SceneEntry const& scene;                  ///< the current scene
  std::span<Command const> scene_commands;  ///< of the current scene
  std::span<Command const> app_commands;    ///< the program's
  DeviceFacts const& device;
  Panels& panels;
  float& ui_scale;  ///< 0: follows the monitor
  Background& theme;
  std::string& language;   ///< saved for later runs; empty: from the environment
  bool letters_are_typed;  ///< letters are typed, and so trigger no commands
  std::function<void(Command const&)> perform;
};

/// Returns where the space for menus ends: at the device's name, or at the end of the bar.
float draw_menu_bar(Look const& look, MenuContext const& context);
/// The list of keys and mouse actions; sets `open` to false when closed.
void draw_key_list(Look const& look, MenuContext const& context, bool& open);

}  // namespace slotscape
