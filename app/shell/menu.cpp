#include "app/shell/menu.hpp"

#include "app/languages/languages.hpp"
#include "app/simulation/names.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/look.hpp"
#include "app/widgets/touch.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <vector>

namespace slotscape {
namespace {

constexpr std::string_view file_menu = translatable("File");
constexpr std::string_view edit_menu = translatable("Edit");
constexpr std::string_view view_menu = translatable("View");
constexpr std::string_view view_group = translatable("VIEW");

/// The keys that currently trigger the command, as text.
std::string keys_of(Command const& command, MenuContext const& context)
{
  return keys_in_words(context.letters_are_typed ? keys_beside_letters(command.keys) : std::string(command.keys));
}

void menu_entry(Command const& command, MenuContext const& context)
{
  if (command.submenu) { return command.submenu(); }
  std::string const label = command.label_now ? command.label_now() : command.label;
  bool const on = command.checked && command.checked();
  std::string const keys = by_touch() ? std::string() : keys_of(command, context);
  if (ImGui::MenuItem(translated_label(label).c_str(), keys.c_str(), on)) { context.perform(command); }
}

/// Draws the entries of a menu. Returns whether there are any.
bool menu_entries(std::string_view menu, std::span<Command const> commands, MenuContext const& context)
{
  bool any = false;
  for (Command const& command : commands) {
    if (command.menu != menu) { continue; }
    if (command.divides && any) { ImGui::Separator(); }
    menu_entry(command, context);
    any = true;
  }
  return any;
}

/// Dear ImGui closes menus with Esc only if keyboard navigation is enabled. This is called before the bar is drawn, so
/// that a click in the same frame, which happens when frames are slow, can reopen a menu.
void close_menus_on_escape()
{
  auto const& popups = ImGui::GetCurrentContext()->OpenPopupStack;
  bool const open = !popups.empty() && popups.front().Window != nullptr &&
                    (popups.front().Window->Flags & ImGuiWindowFlags_ChildMenu) != 0;
  if (open && ImGui::IsKeyPressed(ImGuiKey_Escape)) { ImGui::ClosePopupToLevel(0, true); }
}

/// Draws a menu. Within another one, as in a narrow window, it opens in place and covers nothing.
template <class Entries>
void draw_menu(std::string_view menu, Entries const& entries)
{
  std::string const label = translated_label(menu);
  bool const in_place = (ImGui::GetCurrentWindow()->Flags & ImGuiWindowFlags_Popup) != 0;
  bool const open =
      in_place ? ImGui::TreeNodeEx(label.c_str(), ImGuiTreeNodeFlags_SpanAvailWidth) : ImGui::BeginMenu(label.c_str());
  if (!open) { return; }
  entries();
  in_place ? ImGui::TreePop() : ImGui::EndMenu();
}

void draw_app_menu(std::string_view menu, MenuContext const& context)
{
  draw_menu(menu, [&] { menu_entries(menu, context.app_commands, context); });
}

/// The entries of a menu, split at its separators.
std::vector<std::vector<Command const*>> sections_of(std::string_view menu, std::span<Command const> commands)
{
  std::vector<std::vector<Command const*>> sections(1);
  for (Command const& command : commands) {
    if (command.menu != menu) { continue; }
    if (command.divides) { sections.emplace_back(); }
    sections.back().push_back(&command);
  }
  return sections;
}

/// In each section, the scene's entries follow the program's: first for opening files, then for saving.
void draw_file_menu(MenuContext const& context)
{
  auto const own = sections_of(file_menu, context.app_commands);
  auto const of_scene = sections_of(file_menu, context.scene_commands);
  auto const entries = [&](auto const& sections, std::size_t section) {
    if (section >= sections.size()) { return; }
    for (Command const* const command : sections[section]) { menu_entry(*command, context); }
  };
  draw_menu(file_menu, [&] {
    for (std::size_t i = 0; i < std::max(own.size(), of_scene.size()); ++i) {
      if (i > 0) { ImGui::Separator(); }
      entries(own, i);
      entries(of_scene, i);
    }
  });
}

/// The scene's own menus, in the order of its commands.
void draw_scene_menus(MenuContext const& context)
{
  std::vector<std::string_view> drawn{"", file_menu, edit_menu, view_menu};
  for (Command const& command : context.scene_commands) {
    if (std::ranges::find(drawn, command.menu) != drawn.end()) { continue; }
    drawn.push_back(command.menu);
    draw_menu(command.menu, [&] { menu_entries(command.menu, context.scene_commands, context); });
  }
}

void panel_entries(PanelNames const& names, Panels& panels)
{
  auto const entry = [](std::string_view name, bool& shown) {
    if (!name.empty()) { ImGui::MenuItem(translated_label(name).c_str(), nullptr, &shown); }
  };
  entry(names.controls, panels.controls);
  entry(names.numbers, panels.numbers);
  entry(names.plots, panels.plots);
  entry(names.slot_card, panels.slot_card);
}

void scale_menu(float& ui_scale)
{
  if (!ImGui::BeginMenu(translated_label("Interface scale").c_str())) { return; }
  constexpr std::array scales{0.0f, 1.0f, 1.25f, 1.5f, 1.75f, 2.0f, 2.5f, 3.0f};
  for (float const scale : scales) {
    std::string const label =
        scale == 0.0f ? translated_label("Follow the monitor") : fmt::format("{:.0f} %", scale * 100.0f);
    if (ImGui::MenuItem(label.c_str(), nullptr, ui_scale == scale)) { ui_scale = scale; }
  }
  ImGui::EndMenu();
}

void theme_menu(Background& theme)
{
  if (!ImGui::BeginMenu(translated_label("Theme").c_str())) { return; }
  for (EnumName<Background> const& name : enum_names<Background>()) {
    if (ImGui::MenuItem(translated_label(name.label).c_str(), nullptr, theme == name.value)) { theme = name.value; }
  }
  ImGui::EndMenu();
}

/// The heading is also in English, so that users who chose a language by mistake find their way back.
void language_menu(std::string& language)
{
  std::string const said = tr("Language");
  std::string const heading = said == "Language" ? said : fmt::format("{} / Language###Language", said);
  if (!ImGui::BeginMenu(heading.c_str())) { return; }
  for (Language const& each : languages()) {
    if (!ImGui::MenuItem(each.name.c_str(), nullptr, language_in_use() == each.code)) { continue; }
    language = each.code;
    use_language(language);
  }
  ImGui::EndMenu();
}

void draw_view_menu(MenuContext const& context)
{
  draw_menu(view_menu, [&] {
    if (menu_entries(view_menu, context.scene_commands, context)) { ImGui::Separator(); }
    panel_entries(context.scene.panels, context.panels);
    menu_entries(view_menu, context.app_commands, context);
    scale_menu(context.ui_scale);
    theme_menu(context.theme);
    language_menu(context.language);
  });
}

/// Device and presenter at the right end of the bar, with reasons on hover. Returns where the text begins.
float device_text(Look const& look, MenuContext const& context)
{
  DeviceFacts const& device = context.device;
  std::string const full =
      fmt::format("{} · {} · {}", to_label(device.backend), device.device, translated(to_label(device.present)));
  std::string const brief = fmt::format("{} · {}", to_label(device.backend), to_text(device.present));
  float const room = ImGui::GetContentRegionAvail().x - look(16.0f);
  bool const fits = ImGui::CalcTextSize(full.c_str()).x < room;
  std::string const& text = fits ? full : brief;
  float const width = ImGui::CalcTextSize(text.c_str()).x + look(14.0f);
  if (width > room) { return ImGui::GetMainViewport()->Size.x; }
  align_right(width);
  float const begin = ImGui::GetCursorScreenPos().x;
  ImGui::TextColored(theme::rgba(theme::text_dim), "%s", text.c_str());
  hint(look, fmt::format("{}\n{}\n\n{}\n{}", device.device, translated(device.backend_reason),
                         tr("Picture: {}.", translated(to_label(device.present))), translated(device.present_reason)));
  return begin;
}

bool is_listed(Command const& command, std::string_view group)
{
  return command.group == group && !command.group.empty();
}

/// At scale 1, narrower windows have a single menu that contains the others.
constexpr float bar_width = 600.0f;
constexpr float key_width = 128.0f;
constexpr float key_list_column = 394.0f;

/// Writes text on one line, in a smaller font if it would be cut off.
void text_in_column(Look const& look, std::string_view text)
{
  float const width = ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
  float const share = ImGui::GetContentRegionAvail().x / std::max(width, 1.0f);
  bool const is_wide = share < 1.0f;
  if (is_wide) { ImGui::PushFont(look.font, std::floor(ImGui::GetFontSize() * share)); }
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  if (is_wide) { ImGui::PopFont(); }
}

void key_rows(Look const& look, MenuContext const& context, std::span<Command const> commands, std::string_view group)
{
  for (Command const& command : commands) {
    std::string const keys = keys_of(command, context);
    if (!is_listed(command, group) || keys.empty()) { continue; }
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(theme::rgba(theme::accent), "%s", keys.c_str());
    ImGui::TableNextColumn();
    text_in_column(look, translated(command.what));
  }
}

/// The headings in the list of keys.
struct KeyGroups {
  std::vector<std::string_view> left;
  std::vector<std::string_view> right;
  std::vector<std::string_view> program;  ///< in a third column, if there is room for one
};

void add_group(std::vector<std::string_view>& groups, std::string_view group)
{
  if (std::ranges::find(groups, group) == groups.end()) { groups.push_back(group); }
}

/// The height of a column, in rows of keys.
std::ptrdiff_t rows_of(MenuContext const& context, std::vector<std::string_view> const& groups)
{
  constexpr std::ptrdiff_t heading_rows = 2;
  auto const in_groups = [&](Command const& command) {
    return !command.group.empty() && std::ranges::find(groups, command.group) != groups.end();
  };
  return heading_rows * static_cast<std::ptrdiff_t>(groups.size()) +
         std::ranges::count_if(context.scene_commands, in_groups) +
         std::ranges::count_if(context.app_commands, in_groups);
}

/// The left column ends before VIEW; VIEW and the following groups of the scene are on the right. The program's groups
/// get their own column or join the shorter one.
KeyGroups key_groups(MenuContext const& context, bool three_columns)
{
  KeyGroups groups;
  auto* side = &groups.left;
  for (Command const& command : context.scene_commands) {
    if (command.group == view_group) { side = &groups.right; }
    if (!command.group.empty()) { add_group(*side, command.group); }
  }
  add_group(groups.right, view_group);
  bool const fits_left = rows_of(context, groups.left) <= rows_of(context, groups.right);
  for (Command const& command : context.app_commands) {
    bool const is_new = !command.group.empty() && command.group != view_group;
    if (!is_new) { continue; }
    add_group(three_columns ? groups.program : fits_left ? groups.left : groups.right, command.group);
  }
  return groups;
}

/// The font size at which the longest column fits the window, but not below a legible size.
float fitting_font(Look const& look, MenuContext const& context, KeyGroups const& groups, float height)
{
  constexpr std::ptrdiff_t mouse_rows = 7;
  std::ptrdiff_t const with_mouse = rows_of(context, groups.right) + (context.scene.mouse.empty() ? 0 : mouse_rows);
  std::ptrdiff_t const rows =
      std::max({rows_of(context, groups.left), with_mouse, rows_of(context, groups.program), std::ptrdiff_t{1}});
  float const between = 2.0f * ImGui::GetStyle().CellPadding.y;
  float const size = (height - look(45.0f)) / static_cast<float>(rows) - between;
  return std::clamp(size / (ImGui::GetTextLineHeight() / look.body), look.small * 0.9f, look.body);
}

void key_column(Look const& look, MenuContext const& context, std::vector<std::string_view> const& groups)
{
  for (std::string_view const group : groups) {
    heading(look, std::string(group).c_str());
    if (!ImGui::BeginTable(std::string(group).c_str(), 2, ImGuiTableFlags_SizingFixedFit)) { continue; }
    float const gaps = 2.0f * ImGui::GetStyle().CellPadding.x;
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, look(key_width));
    ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthFixed, look(key_list_column - key_width) - gaps);
    key_rows(look, context, context.scene_commands, group);
    key_rows(look, context, context.app_commands, group);
    ImGui::EndTable();
  }
}

void draw_menus(MenuContext const& context)
{
  draw_file_menu(context);
  draw_app_menu(edit_menu, context);
  draw_scene_menus(context);
  draw_view_menu(context);
  draw_app_menu(translatable("Scene"), context);
  draw_app_menu(translatable("Lessons"), context);
  draw_app_menu(translatable("Help"), context);
}

}  // namespace

float draw_menu_bar(Look const& look, MenuContext const& context)
{
  close_menus_on_escape();
  if (!ImGui::BeginMainMenuBar()) { return ImGui::GetMainViewport()->Size.x; }
  ImGui::TextColored(theme::rgba(theme::accent), "Slotscape");
  ImGui::SameLine(0.0f, look(14.0f));
  if (ImGui::GetMainViewport()->Size.x >= look(bar_width)) {
    draw_menus(context);
  } else {
    draw_menu(translatable("Menu"), [&] { draw_menus(context); });
  }
  menu_entries(menu_bar, context.app_commands, context);
  float const end = device_text(look, context);
  ImGui::EndMainMenuBar();
  return end;
}

void draw_key_list(Look const& look, MenuContext const& context, bool& open)
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
  int const columns = screen.x >= look(1280.0f) ? 3 : screen.x > look(900.0f) ? 2 : 1;
  if (ImGui::BeginTable("columns", columns, ImGuiTableFlags_SizingFixedFit)) {
    for (int column = 0; column < columns; ++column) {
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, look(key_list_column));
    }
    KeyGroups const groups = key_groups(context, columns == 3);
    ImGui::PushFont(look.font, fitting_font(look, context, groups, screen.y));
    for (auto const* const column : {&groups.left, &groups.right, &groups.program}) {
      if (column->empty()) { continue; }
      ImGui::TableNextColumn();
      key_column(look, context, *column);
      if (column != &groups.right || context.scene.mouse.empty()) { continue; }
      heading(look, "MOUSE");
      remark(look, std::string(context.scene.mouse));
    }
    ImGui::PopFont();
    ImGui::EndTable();
  }
  bool const outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsWindowHovered();
  if (outside && !ImGui::IsWindowAppearing()) { open = false; }
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

}  // namespace slotscape
