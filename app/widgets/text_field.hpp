#pragma once

#include <imgui.h>

namespace slotscape {

/// Requests the keyboard for the next field if `wanted` says so: Dear ImGui grants it two frames later, unless a dialog
/// has it. `wanted` has the members `focus`, which is set until the keyboard is granted or refused, and
/// `frames_without`.
template <class Wanted>
void ask_for_keyboard(Wanted& wanted, bool active)
{
  constexpr int max_frames = 4;
  if (wanted.focus && !active && wanted.frames_without == 0) { ImGui::SetKeyboardFocusHere(); }
  wanted.focus = wanted.focus && !active && wanted.frames_without < max_frames;
  wanted.frames_without = wanted.focus ? wanted.frames_without + 1 : 0;
}

/// Lets the last field, which has this ID, also receive an Enter of the frame after it gets the keyboard. Dear ImGui
/// routes keys to fields a frame after they ask for them, and a field first asks in that frame.
void ask_for_enter(ImGuiID field);

/// Takes the keyboard from the field that has it. Text assigned to the field in the meantime is kept: Dear ImGui would
/// restore the typed text.
void let_go_of_field();

/// Whether Enter was pressed for the current window, a dialog, and not for one of its controls: a focused one, or an
/// open list of choices.
bool enter_confirms();

}  // namespace slotscape
