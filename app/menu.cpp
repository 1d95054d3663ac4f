#include "app/menu.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/format.hpp"
#include "app/widgets/theme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

void file_menu(MenuContext const& context)
{
  MenuActions const& actions = context.actions;
  if (!ImGui::BeginMenu("File")) { return; }
  context.scene.draw_file_entries(actions);
  ImGui::Separator();
  menu_item(actions, "Save picture…", UserCommand::save_picture);
  menu_path_item(actions, "Save picture without panels…", PathPurpose::picture_of_map);
  menu_item(actions, "Save statistics…", UserCommand::save_statistics);
  menu_path_item(actions, "Save statistics as CSV…", PathPurpose::statistics_csv);
  menu_item(actions, "Save set-up as scenario…", UserCommand::save_scenario);
  ImGui::Separator();
  menu_item(actions, "Quit", UserCommand::quit);
  ImGui::EndMenu();
}

void scale_menu(MenuContext const& context)
{
  if (!ImGui::BeginMenu("Interface scale")) { return; }
  constexpr std::array scales{0.0f, 1.0f, 1.25f, 1.5f, 1.75f, 2.0f, 2.5f, 3.0f};
  for (float const scale : scales) {
    std::string const label = scale == 0.0f ? std::string("As the monitor") : fmt::format("{:.0f} %", scale * 100.0f);
    if (ImGui::MenuItem(label.c_str(), nullptr, context.ui_scale == scale)) { context.ui_scale = scale; }
  }
  ImGui::EndMenu();
}

void view_menu(MenuContext const& context)
{
  if (!ImGui::BeginMenu("View")) { return; }
  context.scene.draw_view_entries(context.actions);
  menu_item(context.actions, "Hide or show the panels", UserCommand::toggle_panels);
  ImGui::Separator();
  scale_menu(context);
  menu_item(context.actions, "Full screen", UserCommand::full_screen);
  ImGui::EndMenu();
}

void scene_menu(MenuContext const& context)
{
  if (!ImGui::BeginMenu("Scene")) { return; }
  auto const entry = [&](char const* label, UserCommand command, SceneKind kind) {
    bool const current = context.scene.kind() == kind;
    if (ImGui::MenuItem(label, std::string(keys_of(command)).c_str(), current)) { context.actions.perform(command); }
  };
  entry("Slots of one table", UserCommand::slots_scene, SceneKind::slots);
  entry("Compare tables", UserCommand::compare_scene, SceneKind::compare);
  entry("Spatial hashing", UserCommand::spatial_scene, SceneKind::spatial);
  ImGui::EndMenu();
}

/// Device and way of presenting, at the right end of the bar; why, on hover.
void device_text(Look const& look, MenuContext const& context)
{
  DeviceFacts const& device = context.scene.device();
  std::string const full =
      fmt::format("{} · {} · {}", to_label(device.backend), device.device, to_label(device.present));
  std::string const brief = fmt::format("{} · {}", to_label(device.backend), to_text(device.present));
  float const room = ImGui::GetContentRegionAvail().x - look(16.0f);
  bool const fits = ImGui::CalcTextSize(full.c_str()).x < room;
  std::string const& text = fits ? full : brief;
  float const width = ImGui::CalcTextSize(text.c_str()).x + look(14.0f);
  if (width > room) { return; }
  align_right(width);
  ImGui::TextColored(theme::rgba(theme::text_dim), "%s", text.c_str());
  hint(look, fmt::format("{}\n{}\n\nPicture: {}.\n{}", device.device, device.backend_reason, to_label(device.present),
                         device.present_reason));
}

bool is_of(Shortcut const& shortcut, SceneKind scene, std::string_view group)
{
  return shortcut.group == group && !shortcut.keys.empty() && is_in(shortcut.scenes, scene);
}

void key_rows(SceneKind scene, std::string_view group)
{
  for (Shortcut const& shortcut : shortcuts()) {
    if (!is_of(shortcut, scene, group)) { continue; }
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(theme::rgba(theme::accent), "%s", std::string(shortcut.keys).c_str());
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(shortcut.what.data(), shortcut.what.data() + shortcut.what.size());
  }
}

void key_column(Look const& look, SceneKind scene, std::initializer_list<char const*> groups)
{
  for (char const* group : groups) {
    bool const any = std::ranges::any_of(shortcuts(), [&](auto const& each) { return is_of(each, scene, group); });
    if (!any) { continue; }
    heading(look, group);
    if (!ImGui::BeginTable(group, 2, ImGuiTableFlags_SizingFixedFit)) { continue; }
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, look(128.0f));
    key_rows(scene, group);
    ImGui::EndTable();
  }
}

}  // namespace

void menu_item(MenuActions const& actions, char const* label, UserCommand command)
{
  if (ImGui::MenuItem(label, std::string(keys_of(command)).c_str())) { actions.perform(command); }
}

void menu_path_item(MenuActions const& actions, char const* label, PathPurpose purpose)
{
  if (ImGui::MenuItem(label)) { actions.ask_for_path(purpose); }
}

void draw_menu_bar(Look const& look, MenuContext const& context)
{
  if (!ImGui::BeginMainMenuBar()) { return; }
  ImGui::TextColored(theme::rgba(theme::accent), "Slotscape");
  ImGui::SameLine(0.0f, look(14.0f));
  file_menu(context);
  context.scene.draw_own_menus(context.actions);
  view_menu(context);
  scene_menu(context);
  if (ImGui::BeginMenu("Help")) {
    menu_item(context.actions, "Keys", UserCommand::help);
    ImGui::EndMenu();
  }
  device_text(look, context);
  ImGui::EndMainMenuBar();
}

void draw_key_list(Look const& look, Scene const& scene, bool& open)
{
  if (!open) { return; }
  ImVec2 const screen = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowSizeConstraints({0.0f, 0.0f}, {screen.x - look(20.0f), screen.y - look(20.0f)});
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::with_alpha(theme::raised, 0.98f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(22.0f), look(14.0f)});
  ImGui::Begin("##keys", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
  bool const side_by_side = screen.x > look(900.0f);
  if (ImGui::BeginTable("columns", side_by_side ? 3 : 1, ImGuiTableFlags_SizingFixedFit)) {
    ImGui::TableSetupColumn("left", ImGuiTableColumnFlags_WidthFixed, look(400.0f));
    if (side_by_side) {
      ImGui::TableSetupColumn("gap", ImGuiTableColumnFlags_WidthFixed, look(24.0f));
      ImGui::TableSetupColumn("right", ImGuiTableColumnFlags_WidthFixed, look(390.0f));
    }
    ImGui::TableNextColumn();
    key_column(look, scene.kind(), {"DRIVE", "TABLE", "MODELS", "BOOLEAN", "HASHING", "PROGRAM"});
    ImGui::TableNextColumn();
    if (side_by_side) { ImGui::TableNextColumn(); }
    key_column(look, scene.kind(), {"VIEW", "STEP MODE"});
    heading(look, "MOUSE");
    remark(look, scene.mouse_help());
    ImGui::EndTable();
  }
  bool const outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsWindowHovered();
  if (outside && !ImGui::IsWindowAppearing()) { open = false; }
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

}  // namespace slotscape
