#include "app/widgets/sides.hpp"

#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <imgui_internal.h>

#include <algorithm>

namespace slotscape {
namespace {

constexpr float grip_width = 5.0f;
/// The touch handle of a sheet, which is all that is visible when the sheet is closed.
constexpr float handle_height = 28.0f;
constexpr float upright_width = 600.0f;  ///< windows below this width are upright
constexpr float most_of_sheet = 0.85f;

void begin_side(Look const& look, char const* id, Rectangle const& place)
{
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(14.0f), look(4.0f)});
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
}

void end_side()
{
  ImGui::End();
  ImGui::PopStyleVar(2);
}

/// The draggable inner edge of a panel: a strip inside the panel. `is_left`: whether it is the left panel.
void edge(Look const& look, char const* id, Rectangle const& place, bool is_left, float& width, float first_width,
          ImVec2 limits)
{
  float const grip = look(grip_width);
  auto const left = static_cast<float>(place.x);
  float const right = left + static_cast<float>(place.width);
  ImGui::SetNextWindowPos({is_left ? right - grip : left, static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({grip, static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0f, 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBackground);
  ImGui::InvisibleButton("edge", {grip, static_cast<float>(place.height)});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), theme::accent_dim);
  }
  ImGuiIO const& io = ImGui::GetIO();
  bool const moved = io.MousePos.x != io.MouseClickedPos[ImGuiMouseButton_Left].x;
  if (moved && (ImGui::IsItemActive() || ImGui::IsItemDeactivated())) {  // in a slow frame, both can be true
    float const wanted = is_left ? io.MousePos.x - left : right - io.MousePos.x;
    width = std::clamp(wanted / look.scale, limits.x, limits.y);
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) { width = first_width; }
  ImGui::End();
  ImGui::PopStyleVar(2);
}

/// The upper edge of a sheet: it can be dragged, and a click closes or opens the sheet.
void handle(Look const& look, Rectangle const& place, float& share)
{
  float const height = look(handle_height);
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0f, 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
  ImGui::Begin("##handle", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::InvisibleButton("handle", {static_cast<float>(place.width), height});
  ImVec2 const middle{static_cast<float>(place.x) + static_cast<float>(place.width) / 2.0f,
                      static_cast<float>(place.y) + height / 2.0f};
  bool const lit = ImGui::IsItemHovered() || ImGui::IsItemActive();
  ImGui::GetWindowDrawList()->AddRectFilled({middle.x - look(24.0f), middle.y - look(2.0f)},
                                            {middle.x + look(24.0f), middle.y + look(2.0f)},
                                            lit ? theme::accent : theme::accent_dim, look(2.0f));
  bool const moved = ImGui::IsMouseDragging(ImGuiMouseButton_Left);
  if (ImGui::IsItemActive() && moved) {
    share = std::clamp(share - ImGui::GetIO().MouseDelta.y / ImGui::GetMainViewport()->WorkSize.y, 0.0f, most_of_sheet);
  } else if (ImGui::IsItemDeactivated() && !ImGui::IsMouseDragPastThreshold(ImGuiMouseButton_Left)) {
    share = share > 0.0f ? 0.0f : SideWidths{}.sheet;
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
}

/// Reduces a width towards its first value by up to `excess` pixels; returns the rest of `excess`.
float narrow(Look const& look, float& width, float first_width, float excess)
{
  float const taken = std::clamp(excess / look.scale, 0.0f, std::max(width - first_width, 0.0f));
  width -= taken;
  return excess - look(taken);
}

}  // namespace

bool is_upright(Look const& look, Rectangle const& window)
{
  return static_cast<float>(window.width) < look(upright_width) && window.height > window.width;
}

SideLayout lay_out_sides(Look const& look, SideWidths const& widths, Rectangle const& window, bool controls,
                         bool measures, float min_canvas)
{
  if (is_upright(look, window) && (controls || measures)) {
    int const wanted = static_cast<int>(widths.sheet * static_cast<float>(window.height));
    int const height = std::min(std::max(wanted, static_cast<int>(look(handle_height))), window.height - 1);
    SideLayout sheet;
    sheet.tabs = controls && measures;
    sheet.sheet = true;
    Rectangle const below{window.x, window.y + window.height - height, window.width, height};
    (controls ? sheet.left : sheet.right) = below;
    sheet.middle = {window.x, window.y, window.width, window.height - height};
    return sheet;
  }
  SideWidths const first;
  SideWidths fitting = widths;
  float const shown = look((controls ? widths.left : 0.0f) + (measures ? widths.right : 0.0f));
  float excess = std::max(shown + look(min_canvas) - static_cast<float>(window.width), 0.0f);
  if (measures) { excess = narrow(look, fitting.right, first.right, excess); }
  if (controls) { narrow(look, fitting.left, first.left, excess); }
  int const side_left = static_cast<int>(look(fitting.left));
  int const side_right = static_cast<int>(look(fitting.right));
  int const rest = window.width - side_left - side_right;
  SideLayout sides;
  sides.tabs = controls && measures && rest < static_cast<int>(look(min_canvas));
  int const left = controls ? side_left : 0;
  int const right = measures && !sides.tabs ? side_right : 0;
  sides.left = {window.x, window.y, left, window.height};
  sides.right = {window.x + window.width - right, window.y, right, window.height};
  sides.middle = {window.x + left, window.y, std::max(window.width - left - right, 1), window.height};
  return sides;
}

void draw_sides(Look const& look, SideWidths& widths, SideLayout const& sides, std::function<void()> const& controls,
                std::function<void()> const& measures)
{
  SideWidths const first;
  int const above = sides.sheet ? static_cast<int>(look(handle_height)) : 0;
  auto const begin = [&](char const* id, Rectangle const& place) {
    begin_side(look, id, {place.x, place.y + above, place.width, place.height - above});
  };
  bool const is_closed = sides.sheet && std::max(sides.left.height, sides.right.height) <= above;
  if (sides.left.width > 0 && !is_closed) {
    begin("##left", sides.left);
    if (!sides.tabs) {
      controls();
    } else if (ImGui::BeginTabBar("tabs")) {
      if (ImGui::BeginTabItem(translated_label("Controls").c_str())) {
        controls();
        ImGui::EndTabItem();
      }
      if (ImGui::BeginTabItem(translated_label("Numbers").c_str())) {
        measures();
        ImGui::EndTabItem();
      }
      ImGui::EndTabBar();
    }
    end_side();
  }
  if (sides.right.width > 0 && !is_closed) {
    begin("##right", sides.right);
    measures();
    end_side();
  }
  if (sides.sheet) { return handle(look, sides.left.width > 0 ? sides.left : sides.right, widths.sheet); }
  if (sides.left.width > 0) {
    edge(look, "##left edge", sides.left, true, widths.left, first.left, {min_side_widths.left, max_side_widths.left});
  }
  if (sides.below.height > 0) {
    begin_side(look, "##below", sides.below);
    measures();
    end_side();
  }
  if (sides.right.width > 0) {
    edge(look, "##right edge", sides.right, false, widths.right, first.right,
         {min_side_widths.right, max_side_widths.right});
  }
}

void scroll_sides_to_top()
{
  for (char const* id : {"##left", "##right"}) {
    if (ImGuiWindow* const window = ImGui::FindWindowByName(id)) { ImGui::SetScrollY(window, 0.0f); }
  }
}

}  // namespace slotscape
