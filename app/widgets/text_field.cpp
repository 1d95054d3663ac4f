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

}  // namespace slotscape
