#pragma once

#include "app/commands.hpp"
#include "app/gui.hpp"
#include "app/path_dialog.hpp"
#include "app/scenes/scene.hpp"

#include <functional>

namespace slotscape {

/// What the menus read and change.
struct MenuContext {
  SlotsState& state;
  SceneKind scene;
  Panels& panels;
  float& ui_scale;  ///< 0: the monitor's
  PathDialog& paths;
  std::function<void(UserCommand)> perform;
};

void draw_menu_bar(Look const& look, MenuContext const& context);
/// The list of keys; `open` becomes false when it is closed.
void draw_key_list(Look const& look, bool& open);

}  // namespace slotscape
