#include "app/widgets/text_field.hpp"

#include <imgui_internal.h>

#include <initializer_list>

namespace slotscape {

void ask_for_enter(ImGuiID field)
{
  if (!ImGui::IsItemActivated()) { return; }
  for (ImGuiKey const key : {ImGuiKey_Enter, ImGuiKey_KeypadEnter}) {
    ImGui::SetShortcutRouting(key, ImGuiInputFlags_RouteActive, field);
  }
}

void let_go_of_field()
{
  if (ImGui::GetCurrentContext() == nullptr) { return; }
  ImGui::ClearActiveID();
  ImGui::GetCurrentContext()->InputTextDeactivatedState.ID = 0;
}

bool enter_confirms()
{
  ImGuiContext const& gui = *ImGui::GetCurrentContext();
  bool const is_taken = gui.ActiveId != 0 || gui.ActiveIdPreviousFrame != 0 || gui.NavActivateId != 0;
  bool const is_here = ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && !ImGui::IsWindowAppearing();
  return is_here && !is_taken &&
         (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false));
}

}  // namespace slotscape
