#include "app/lessons/answer.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/text_field.hpp"
#include "gpu/base/translation.hpp"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <utility>

namespace slotscape::lessons {
namespace {

constexpr float field_width = 130.0f;

/// For a text that was set from outside.
int put_cursor_at_end(ImGuiInputTextCallbackData* data)
{
  auto& state = *static_cast<PanelState*>(data->UserData);
  if (std::exchange(state.replaced, false)) {
    data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
  }
  return 0;
}

}  // namespace

void draw_answer_field(Look const& look, Session const& session, char const* what, PanelState& state,
                       std::vector<Wish>& wishes)
{
  constexpr ImGuiInputTextFlags flags =
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackAlways;
  ImGuiID const field = ImGui::GetID("##number");
  bool const was_active = ImGui::GetActiveID() == field;
  bool const given = state.given && session.begun();
  if (!given) { ask_for_keyboard(state, was_active); }
  if (was_active && state.replaced) { ImGui::GetInputTextState(field)->ReloadUserBufAndMoveToEnd(); }
  if (was_active) { state.typed = false; }
  ImGui::SetNextItemWidth(look(field_width));
  bool entered = ImGui::InputTextWithHint("##number", what, &state.number, flags, put_cursor_at_end, &state);
  ask_for_enter(field);
  state.active = ImGui::IsItemActive();
  if (ImGui::IsItemEdited()) { state.complaint.clear(); }
  ImGui::SameLine();
  entered |= primary_button("Answer", {-FLT_MIN, 0.0f});
  entered |= given;
  if (entered) { give_answer(session, state, wishes); }
}

}  // namespace slotscape::lessons
