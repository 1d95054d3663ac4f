#pragma once

#include <imgui.h>

namespace slotscape {

/// Asks for the keyboard for the field that is drawn next, if `wanted` says so: Dear ImGui gives it two frames later,
/// unless a dialog has it. `wanted` has `focus`, until it came or will not come, and `frames_without`.
template <class Wanted>
void ask_for_keyboard(Wanted& wanted, bool active)
{
  constexpr int max_frames = 4;
  if (wanted.focus && !active && wanted.frames_without == 0) { ImGui::SetKeyboardFocusHere(); }
  wanted.focus = wanted.focus && !active && wanted.frames_without < max_frames;
  wanted.frames_without = wanted.focus ? wanted.frames_without + 1 : 0;
}

/// Of the field that was drawn last, which has this ID: it also gets an Enter of the next frame after it has got the
/// keyboard. Dear ImGui gives keys to fields a frame after they ask for them, and a field first asks in that frame.
void ask_for_enter(ImGuiID field);

/// Takes the keyboard from whatever field has it. What is put into the field meanwhile stays: Dear ImGui would put the
/// text back that was typed.
void let_go_of_field();

/// Whether Enter was pressed for the window that is being drawn, a dialog, and not for one of its controls: one that
/// the keyboard is at, or an open list of choices.
bool enter_confirms();

}  // namespace slotscape
