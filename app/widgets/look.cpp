#include "app/widgets/look.hpp"

#include <implot.h>

#include <array>
#include <cmath>
#include <utility>

namespace slotscape {

template <>
std::span<EnumName<Background> const> enum_names()
{
  static constexpr std::array<EnumName<Background>, 2> names{
      {{Background::dark, "dark", "Dark"}, {Background::light, "light", "Light"}}};
  return names;
}

}  // namespace slotscape

namespace slotscape::theme {
namespace {

void set_sizes(ImGuiStyle& style)
{
  style.WindowPadding = {14.0f, 12.0f};
  style.FramePadding = {8.0f, 5.0f};
  style.ItemSpacing = {8.0f, 7.0f};
  style.ItemInnerSpacing = {6.0f, 5.0f};
  style.CellPadding = {4.0f, 3.0f};
  style.IndentSpacing = 14.0f;
  style.ScrollbarSize = 11.0f;
  style.GrabMinSize = 12.0f;
  style.WindowRounding = 8.0f;
  style.ChildRounding = 6.0f;
  style.FrameRounding = 5.0f;
  style.PopupRounding = 7.0f;
  style.ScrollbarRounding = 6.0f;
  style.GrabRounding = 4.0f;
  style.TabRounding = 5.0f;
  style.WindowBorderSize = 0.0f;
  style.PopupBorderSize = 1.0f;
  style.FrameBorderSize = 0.0f;
  style.WindowTitleAlign = {0.0f, 0.5f};
  style.DisabledAlpha = 0.42f;
}

void set_colors(ImGuiStyle& style)
{
  std::pair<ImGuiCol, ImU32> const colors[] = {
      {ImGuiCol_Text, text},
      {ImGuiCol_TextDisabled, text_dim},
      {ImGuiCol_WindowBg, panel},
      {ImGuiCol_ChildBg, IM_COL32(0, 0, 0, 0)},
      {ImGuiCol_PopupBg, raised},
      {ImGuiCol_Border, line},
      {ImGuiCol_FrameBg, frame},
      {ImGuiCol_FrameBgHovered, frame_hovered},
      {ImGuiCol_FrameBgActive, frame_active},
      {ImGuiCol_TitleBg, raised},
      {ImGuiCol_TitleBgActive, raised},
      {ImGuiCol_MenuBarBg, panel},
      {ImGuiCol_ScrollbarBg, IM_COL32(0, 0, 0, 0)},
      {ImGuiCol_ScrollbarGrab, frame},
      {ImGuiCol_ScrollbarGrabHovered, frame_hovered},
      {ImGuiCol_ScrollbarGrabActive, frame_active},
      {ImGuiCol_CheckMark, accent},
      {ImGuiCol_SliderGrab, accent},
      {ImGuiCol_SliderGrabActive, text},
      {ImGuiCol_Button, frame},
      {ImGuiCol_ButtonHovered, frame_hovered},
      {ImGuiCol_ButtonActive, frame_active},
      {ImGuiCol_Header, frame},
      {ImGuiCol_HeaderHovered, frame_hovered},
      {ImGuiCol_HeaderActive, frame_active},
      {ImGuiCol_Separator, line},
      {ImGuiCol_Tab, panel},
      {ImGuiCol_TabHovered, frame_hovered},
      {ImGuiCol_TabSelected, frame},
      {ImGuiCol_PlotHistogram, accent},
      {ImGuiCol_TextSelectedBg, accent_dim},
      {ImGuiCol_NavCursor, accent},
      {ImGuiCol_ModalWindowDimBg, with_alpha(behind_dialogs, 0.56f)},
      {ImGuiCol_TableHeaderBg, raised},
      {ImGuiCol_TableBorderLight, line},
      {ImGuiCol_TableBorderStrong, line},
  };
  for (auto const& [slot, color] : colors) { style.Colors[slot] = rgba(color); }
}

void apply_to_plots(Look const& look)
{
  ImPlotStyle& style = ImPlot::GetStyle();
  style.PlotPadding = {look(2.0f), look(3.0f)};
  style.LabelPadding = {look(4.0f), look(3.0f)};
  style.PlotMinSize = {look(60.0f), look(40.0f)};
  style.PlotBorderSize = 0.0f;
  style.MinorAlpha = 0.4f;
  style.Colors[ImPlotCol_PlotBg] = rgba(with_alpha(raised, 0.7f));
  style.Colors[ImPlotCol_AxisText] = rgba(text_dim);
  style.Colors[ImPlotCol_AxisGrid] = rgba(line);
  style.Colors[ImPlotCol_AxisBgHovered] = {};
  style.Colors[ImPlotCol_AxisBgActive] = {};
}

}  // namespace

Background current()
{
  bool const known = ImGui::GetCurrentContext() != nullptr && ImGui::GetIO().UserData != nullptr;
  return known ? *static_cast<Background const*>(ImGui::GetIO().UserData) : Background::dark;
}

ImU32 with_alpha(ImU32 color, float alpha)
{
  return (color & ~IM_COL32_A_MASK) | (static_cast<ImU32>(std::lround(alpha * 255.0f)) << IM_COL32_A_SHIFT);
}

ImVec4 rgba(ImU32 color)
{
  return ImGui::ColorConvertU32ToFloat4(color);
}

void apply(Look const& look)
{
  static constexpr std::array<Background, 2> backgrounds{Background::dark, Background::light};
  void const* const shown = &backgrounds[static_cast<std::size_t>(look.background)];
  ImGui::GetIO().UserData = const_cast<void*>(shown);  // ImGui only stores the pointer
  ImGuiStyle style;
  set_sizes(style);
  set_colors(style);
  style.ScaleAllSizes(look.scale);
  style.FontSizeBase = look.body;
  ImGui::GetStyle() = style;
  apply_to_plots(look);
}

}  // namespace slotscape::theme
