#include "app/scenes/compare/gui.hpp"

#include "app/simulation/families.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"

#include <fmt/format.h>

#include <cmath>

namespace slotscape {
namespace {

constexpr float editor_width = 330.0f;

void change_popup(Look const& look, CompareState& state, std::size_t table)
{
  ImGui::SetNextWindowSize({look(editor_width), 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(14.0f), look(12.0f)});
  bool const open = ImGui::BeginPopup("change");
  ImGui::PopStyleVar();
  if (!open) { return; }
  std::vector<TableSettings> tables = settings_of(state.tables);
  if (edit_table(look, tables[table])) { ask_for_tables(state, tables); }
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) { ImGui::CloseCurrentPopup(); }
  ImGui::EndPopup();
}

void buttons(Look const& look, CompareState& state, std::size_t table)
{
  bool const may_go = state.tables.size() > fewest_compared;
  float const gap = look(4.0f);
  float const side = ImGui::GetFrameHeight();
  float const change = ImGui::CalcTextSize("Change").x + look(16.0f);
  ImGui::SameLine();
  align_right(change + (may_go ? gap + side : 0.0f));
  if (ImGui::Button("Change", {change, 0.0f})) { ImGui::OpenPopup("change"); }
  hint(look, "Change the family, deletion, hash or other settings of this table.");
  change_popup(look, state, table);
  if (!may_go) { return; }
  ImGui::SameLine(0.0f, gap);
  if (icon_button(look, "remove", Icon::close, {side, side})) {
    std::vector<TableSettings> tables = settings_of(state.tables);
    tables.erase(tables.begin() + static_cast<std::ptrdiff_t>(table));
    ask_for_tables(state, tables);
  }
  hint(look, "Remove this table.");
}

/// The title, and below it what distinguishes the table, cut where the buttons begin and shown in full on hover.
void name(Look const& look, CompareState const& state, std::size_t table, float room)
{
  std::vector<TableSettings> const tables = settings_of(state.tables);
  std::string const title = title_of(tables[table]);
  std::string const distinction = distinction_of(table, tables);
  ImVec2 const at = ImGui::GetCursorScreenPos();
  float const height = ImGui::GetFrameHeight();
  ImGui::InvisibleButton("name", {std::max(room, 1.0f), height}, ImGuiButtonFlags_EnableNav);
  float const middle = at.y + height / 2.0f;
  float const above = distinction.empty() ? ImGui::GetTextLineHeight() / 2.0f : ImGui::GetTextLineHeight() + look(1.0f);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({at.x, at.y - height}, {at.x + room, at.y + 2.0f * height}, true);
  list.AddText({at.x, std::floor(middle - above)}, theme::text, title.c_str());
  list.AddText(look.font, look.small, {at.x, std::floor(middle + look(1.0f))}, theme::text_dim, distinction.c_str());
  list.PopClipRect();
  FamilyInfo const& info = family_info(tables[table].family);
  std::string about =
      fmt::format("{}{}{}\n\n{}\n{}\n", title, distinction.empty() ? "" : ": ", distinction, info.idea, info.source);
  for (GuaranteeText const& guarantee : guarantee_texts(info.guarantees(tables[table]))) {
    about += fmt::format("\n{}: {}", guarantee.about, guarantee.text);
  }
  hint(look, about);
}

}  // namespace

void draw_slide_header(Look const& look, Drawing& drawing, CompareState const& state, std::size_t table,
                       Rectangle const& place)
{
  std::vector<TableSettings> const tables = settings_of(state.tables);
  ImVec2 const at{static_cast<float>(place.x) + look(14.0f), static_cast<float>(place.y)};
  ImU32 const color = theme::text_on(look.background);
  drawing.text({at.x, at.y + look(5.0f)}, look.body, color, title_of(tables[table]));
  drawing.text({at.x, at.y + look(7.0f) + look.body}, look.small, theme::with_alpha(color, 0.75f),
               distinction_of(table, tables));
}

void draw_header(Look const& look, CompareState& state, std::size_t table, Rectangle const& place)
{
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(10.0f), look(8.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::Begin(fmt::format("##header{}", table).c_str(), nullptr, strip_flags);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  table_swatch(look, table);
  ImGui::SameLine();
  bool const may_change = !state.shared.steps.on;
  bool const may_go = state.tables.size() > fewest_compared;
  float const controls = ImGui::CalcTextSize("Change").x + look(32.0f) + (may_go ? ImGui::GetFrameHeight() : 0.0f);
  name(look, state, table, ImGui::GetContentRegionAvail().x - (may_change ? controls : 0.0f));
  if (may_change) { buttons(look, state, table); }
  ImGui::End();
}

}  // namespace slotscape
