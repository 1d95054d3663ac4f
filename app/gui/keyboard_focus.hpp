#pragma once

#include <imgui.h>

struct ImGuiWindow;

namespace slotscape {

/// Whether a panel or the map has the keyboard. In a panel, Dear ImGui moves from control to control; on the map,
/// arrows, Space, Enter, Home, End and Tab are commands of the program. Mouse clicks return the keyboard to the map.
class KeyboardFocus {
public:
  /// Call before Dear ImGui begins its frame. `wanted`: something that uses keyboard navigation is open.
  void begin(bool wanted);
  /// Call after Dear ImGui has begun its frame: handles Alt, Escape and the mouse.
  void follow();

  /// Whether the interface uses a key of this frame, so that it is not a command.
  bool takes(ImGuiKeyChord key) const;

  /// Moves to the next panel in reading order, or to the previous one if `forwards` is false; after the last, to the
  /// map.
  void go_on(bool forwards);
  void go_to_menus();
  void go_to_map();

private:
  void enter(ImGuiWindow& window);
  void follow_alt();
  void follow_menus();
  bool in_menus() const;

  bool in_panels_ = false;
  bool visits_menus_ = false;  ///< returns to the map when the menus have closed
  int frames_closed_ = 0;      ///< frames since a menu was open
  bool sideways_ = false;      ///< the menu was left for its neighbour
  // State at the beginning of the frame:
  bool had_popup_ = false;
  bool busy_ = false;  ///< Escape ends an action in the panel
  bool takes_escape_ = false;
  bool alt_alone_ = false;  ///< Alt is down, and no other key has been pressed
};

}  // namespace slotscape
