#include "app/widgets/sides.hpp"

namespace slotscape {
namespace {

constexpr float left_width = 306.0f;
constexpr float right_width = 338.0f;

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

SideLayout lay_out_sides(Look const& look, Rectangle const& window, bool controls, bool measures, float least_canvas)
{
  int const side_left = static_cast<int>(look(left_width));
  int const side_right = static_cast<int>(look(right_width));
  int const rest = window.width - side_left - side_right;
  SideLayout sides;
  sides.tabs = controls && measures && rest < static_cast<int>(look(least_canvas));
  int const left = controls ? side_left : 0;
  int const right = measures && !sides.tabs ? side_right : 0;
  sides.left = {window.x, window.y, left, window.height};
  sides.right = {window.x + window.width - right, window.y, right, window.height};
  return sides;
}

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
