#pragma once

#include <imgui.h>

struct ImGuiWindow;

namespace slotscape {

/// Whether the keyboard is with a panel or with the map. With a panel, Dear ImGui moves from control to control; with
/// the map, arrows, Space, Enter, Home, End and Tab are the program's. Mouse clicks bring it back to the map.
class KeyboardFocus {
public:
  /// Before Dear ImGui begins its frame. `wanted`: something is open that is moved through by keys.
  void begin(bool wanted);
  /// After it has begun: Alt, Escape and the mouse.
  void follow();

  /// Whether a key of this frame is none of the program's commands.
  bool takes(ImGuiKeyChord key) const;

  /// To the next panel in reading order, to the one before if `forwards` is false; after the last, to the map.
  void go_on(bool forwards);
  void go_to_menus();
  void go_to_map();

private:
  void enter(ImGuiWindow& window);
  void follow_alt();
  void follow_menus();
  bool in_menus() const;

  bool in_panels_ = false;
  bool visits_menus_ = false;  ///< and goes back to the map when they have closed
  int frames_closed_ = 0;      ///< since a menu was open
  bool sideways_ = false;      ///< it was left for the one beside it
  // When the frame began:
  bool had_popup_ = false;
  bool busy_ = false;  ///< Escape ends something in the panel
  bool takes_escape_ = false;
  bool alt_alone_ = false;  ///< Alt is down, and nothing else was pressed
};

}  // namespace slotscape
