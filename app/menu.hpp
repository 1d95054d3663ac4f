#pragma once

#include "app/scenario/names.hpp"
#include "app/scenes/scene.hpp"

#include <imgui.h>

#include <string>

namespace slotscape {

/// What the menus read and change.
struct MenuContext {
  Scene& scene;
  MenuActions const& actions;
  float& ui_scale;  ///< 0: the monitor's
};

void draw_menu_bar(Look const& look, MenuContext const& context);
/// The list of the scene's keys; `open` becomes false when it is closed.
void draw_key_list(Look const& look, Scene const& scene, bool& open);

/// An entry that gives a command, with its keys.
void menu_item(MenuActions const& actions, char const* label, UserCommand command);
/// An entry that asks for a path.
void menu_path_item(MenuActions const& actions, char const* label, PathPurpose purpose);
/// A menu of all values of an enum, of which one is chosen.
template <class Enum>
void choice_menu(char const* label, Enum& value)
{
  if (!ImGui::BeginMenu(label)) { return; }
  for (EnumName<Enum> const& name : enum_names<Enum>()) {
    if (ImGui::MenuItem(std::string(name.label).c_str(), nullptr, value == name.value)) { value = name.value; }
  }
  ImGui::EndMenu();
}

}  // namespace slotscape
