#pragma once

#include <imgui.h>

namespace slotscape {

/// Whether the user has a touch screen and no keyboard: texts then need not name keys.
inline bool by_touch()
{
  return (ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_IsTouchScreen) != 0;
}
inline void set_by_touch(bool on)
{
  ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
  flags = on ? flags | ImGuiConfigFlags_IsTouchScreen : flags & ~ImGuiConfigFlags_IsTouchScreen;
}

}  // namespace slotscape
