#include "app/view3d/orbit_mouse.hpp"

#include <imgui.h>

#include <cmath>

namespace slotscape {
namespace {

constexpr double wheel_zoom_in_space = 1.15;
constexpr float drag_pixels = 4.0f;

}  // namespace

void OrbitMouse::follow(OrbitCamera& camera, Rectangle const& canvas)
{
  ImGuiIO const& io = ImGui::GetIO();
  Point const at{static_cast<double>(io.MousePos.x) - canvas.x, static_cast<double>(io.MousePos.y) - canvas.y};
  bool const hovered = ImGui::IsItemHovered();
  bool const active = ImGui::IsItemActive();
  bool const left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
  if (ImGui::IsItemActivated()) { dragged_ = false; }
  dragged_ = dragged_ || (active && (!left || ImGui::IsMouseDragging(ImGuiMouseButton_Left, drag_pixels)));
  if (active && dragged_ && last_ != at) {
    if (left) {
      camera.orbit(at.x - last_.x, at.y - last_.y);
    } else {
      camera.pan(last_, at);
    }
  }
  if (hovered && io.MouseWheel != 0.0f) {
    camera.zoom_at(at, std::pow(wheel_zoom_in_space, static_cast<double>(io.MouseWheel)));
  }
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    camera.reset();
    dragged_ = true;  // so that releasing the button selects nothing
  }
  if (ImGui::IsItemDeactivated()) {
    if (!dragged_ && ImGui::IsMouseReleased(ImGuiMouseButton_Left)) { click_ = at; }
    dragged_ = false;
  }
  pointed_ = hovered && !dragged_ ? std::optional(at) : std::nullopt;
  last_ = at;
}

}  // namespace slotscape
