#include "app/scenes/shared/sides.hpp"

namespace slotscape {
namespace {

void begin_side(Look const& look, char const* id, Rectangle const& place)
{
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(14.0f), look(4.0f)});
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
}

void end_side()
{
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace

void draw_sides(Look const& look, SideLayout const& sides, std::function<void()> const& controls,
                std::function<void()> const& measures)
{
  if (sides.left.width > 0) {
    begin_side(look, "##left", sides.left);
    if (!sides.tabs) {
      controls();
    } else if (ImGui::BeginTabBar("tabs")) {
      if (ImGui::BeginTabItem("Controls")) {
        controls();
        ImGui::EndTabItem();
      }
      if (ImGui::BeginTabItem("Numbers")) {
        measures();
        ImGui::EndTabItem();
      }
      ImGui::EndTabBar();
    }
    end_side();
  }
  if (sides.right.width > 0) {
    begin_side(look, "##right", sides.right);
    measures();
    end_side();
  }
}

}  // namespace slotscape
