#include "app/menu.hpp"

#include "app/scenario/names.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/format.hpp"
#include "app/widgets/theme.hpp"

#include <fmt/format.h>

#include <array>

namespace slotscape {
namespace {

void item(MenuContext const& context, char const* label, UserCommand command)
{
  if (ImGui::MenuItem(label, std::string(keys_of(command)).c_str())) { context.perform(command); }
}

void path_item(MenuContext const& context, char const* label, char const* keys, PathPurpose purpose)
{
  if (ImGui::MenuItem(label, keys)) { context.paths.ask(purpose); }
}

void file_menu(MenuContext const& context)
{
  if (!ImGui::BeginMenu("File")) { return; }
  item(context, "Open scenario or key file…", UserCommand::open);
  ImGui::Separator();
  item(context, "Save picture…", UserCommand::save_picture);
  path_item(context, "Save picture without panels…", nullptr, PathPurpose::picture_of_map);
  item(context, "Save statistics…", UserCommand::save_statistics);
  path_item(context, "Save statistics as CSV…", nullptr, PathPurpose::statistics_csv);
  item(context, "Save set-up as scenario…", UserCommand::save_scenario);
  ImGui::Separator();
  item(context, "Quit", UserCommand::quit);
  ImGui::EndMenu();
}

void table_menu(MenuContext const& context)
{
  if (!ImGui::BeginMenu("Table")) { return; }
  item(context, "Insert a batch", UserCommand::insert);
  item(context, "Find a batch", UserCommand::find);
  item(context, "Erase a batch", UserCommand::erase);
  item(context, "Single batch of the mix", UserCommand::single_batch);
  item(context, "Step through one operation…", UserCommand::step_mode);
  item(context, context.state.settings.drive.running ? "Pause the mix" : "Run the mix", UserCommand::pause);
  ImGui::Separator();
  item(context, "Rehash into twice the slots", UserCommand::rehash_double);
  item(context, "Rehash into half the slots", UserCommand::rehash_half);
  item(context, "Purge tombstones", UserCommand::purge);
  item(context, "Clear", UserCommand::clear);
  item(context, "Restart from the same seed", UserCommand::restart);
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
  item(context, "Show the whole table", UserCommand::fit);
  item(context, "Find a key", UserCommand::find_key);
  ImGui::Separator();
  item(context, "Colour by state", UserCommand::color_state);
  item(context, "Colour by probe length", UserCommand::color_probe);
  item(context, "Colour by cluster length", UserCommand::color_cluster);
  item(context, "Colour by recent change", UserCommand::color_recent);
  if (ImGui::BeginMenu("Palette")) {
    Palette& palette = context.state.settings.view.palette;
    for (EnumName<Palette> const& name : enum_names<Palette>()) {
      if (ImGui::MenuItem(std::string(name.label).c_str(), nullptr, palette == name.value)) { palette = name.value; }
    }
    ImGui::EndMenu();
  }
  ImGui::Separator();
  ImGui::MenuItem("Controls", nullptr, &context.panels.controls);
  ImGui::MenuItem("Numbers", nullptr, &context.panels.numbers);
  ImGui::MenuItem("Plots", nullptr, &context.panels.plots);
  ImGui::MenuItem("Slot card", nullptr, &context.panels.slot_card);
  ImGui::MenuItem("Minimap", nullptr, &context.state.settings.view.show_minimap);
  item(context, "Hide or show the panels", UserCommand::toggle_panels);
  ImGui::Separator();
  scale_menu(context);
  item(context, "Full screen", UserCommand::full_screen);
  ImGui::EndMenu();
}

void scene_menu(MenuContext const& context)
{
  if (!ImGui::BeginMenu("Scene")) { return; }
  auto const entry = [&](char const* label, UserCommand command, SceneKind kind) {
    bool const current = context.scene == kind;
    if (ImGui::MenuItem(label, std::string(keys_of(command)).c_str(), current)) { context.perform(command); }
  };
  entry("Slots of one table", UserCommand::slots_scene, SceneKind::slots);
  entry("Compare tables", UserCommand::compare_scene, SceneKind::compare);
  ImGui::EndMenu();
}

/// Device and way of presenting, at the right end of the bar; why, on hover.
void device_text(Look const& look, MenuContext const& context)
{
  DeviceFacts const& device = context.state.device;
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

void key_rows(std::string_view group)
{
  for (Shortcut const& shortcut : shortcuts()) {
    if (shortcut.group != group || shortcut.keys.empty()) { continue; }
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(theme::rgba(theme::accent), "%s", std::string(shortcut.keys).c_str());
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(shortcut.what.data(), shortcut.what.data() + shortcut.what.size());
  }
}

void key_column(Look const& look, std::initializer_list<char const*> groups)
{
  for (char const* group : groups) {
    heading(look, group);
    if (!ImGui::BeginTable(group, 2, ImGuiTableFlags_SizingFixedFit)) { continue; }
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, look(128.0f));
    key_rows(group);
    ImGui::EndTable();
  }
}

void mouse_notes(Look const& look)
{
  heading(look, "MOUSE");
  remark(look,
         "The wheel zooms towards the cursor, a drag pans, a double click shows the whole table. A click pins a "
         "slot. Drop a scenario or a key file on the window to open it.");
}

}  // namespace

void draw_menu_bar(Look const& look, MenuContext const& context)
{
  if (!ImGui::BeginMainMenuBar()) { return; }
  ImGui::TextColored(theme::rgba(theme::accent), "Slotscape");
  ImGui::SameLine(0.0f, look(14.0f));
  file_menu(context);
  table_menu(context);
  view_menu(context);
  scene_menu(context);
  if (ImGui::BeginMenu("Help")) {
    item(context, "Keys", UserCommand::help);
    ImGui::EndMenu();
  }
  device_text(look, context);
  ImGui::EndMainMenuBar();
}

void draw_key_list(Look const& look, bool& open)
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
    key_column(look, {"DRIVE", "TABLE", "PROGRAM"});
    ImGui::TableNextColumn();
    if (side_by_side) { ImGui::TableNextColumn(); }
    key_column(look, {"VIEW", "STEP MODE"});
    mouse_notes(look);
    ImGui::EndTable();
  }
  bool const outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsWindowHovered();
  if (outside && !ImGui::IsWindowAppearing()) { open = false; }
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

}  // namespace slotscape
