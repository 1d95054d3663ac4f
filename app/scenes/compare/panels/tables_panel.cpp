#include "app/scenes/compare/gui.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/tables.hpp"
#include "app/table_scene/gui.hpp"
#include "app/widgets/controls.hpp"

#include <fmt/format.h>

namespace slotscape {
namespace {

void slots_row(Look const& look, CompareState& state)
{
  row_label(look, "Slots");
  std::vector<TableSettings> tables = settings_of(state.tables);
  std::uint64_t const slots = tables.front().slots;
  bool const open = ImGui::BeginCombo("##slots", slots_text(slots).c_str(), ImGuiComboFlags_HeightLarge);
  if (!open) {
    hint(
        look,
        "Slots of each table, or the nearest number its family takes. Changing it makes new tables, filled to the same "
        "load.");
    return;
  }
  for (std::uint64_t choice = min_slots; choice <= max_slots; choice *= 2) {
    if (ImGui::Selectable(slots_text(choice).c_str(), choice == slots)) {
      for (TableSettings& table : tables) { table.slots = allowed_slots(family_info(table.family), choice); }
      ask_for_tables(state, tables);
    }
    if (choice == slots && ImGui::IsWindowAppearing()) { ImGui::SetScrollHereY(); }
  }
  ImGui::EndCombo();
}

}  // namespace

bool edit_table(Look const& look, TableSettings& table)
{
  std::uint64_t const slots = table.slots;
  bool changed = family_row(look, table);
  FamilyInfo const& info = family_info(table.family);
  if (changed) { table.slots = allowed_slots(info, slots); }
  if (info.deletes_two_ways) { changed = deletion_row(look, table) || changed; }
  if (info.uses_hash) { changed = hash_row(look, table) || changed; }
  for (Parameter const& parameter : info.parameters) { changed = parameter_row(look, parameter, table) || changed; }
  remark(look, fmt::format("{} ({})", info.idea, info.source));
  return changed;
}

void ask_for_tables(CompareState& state, std::vector<TableSettings> tables)
{
  state.wanted_tables = std::move(tables);
  ask_for_refilled(state.shared, state.wanted_tables->front(), state.shared.settings.seed);
}

void compared_tables_panel(Look const& look, CompareState& state)
{
  heading(look, "TABLES");
  slots_row(look, state);
  seed_row(look, state.shared);
  std::vector<TableSettings> tables = settings_of(state.tables);
  ImGui::BeginDisabled(tables.size() == most_compared);
  if (ImGui::Button("Add a table", {-FLT_MIN, 0.0f})) {
    tables.push_back(another_table(tables.back(), tables));
    ask_for_tables(state, tables);
  }
  ImGui::EndDisabled();
  hint(look, tables.size() == most_compared ? "At most four tables can be compared."
                                            : "Compare one more table. Choose its family and settings above its "
                                              "map; all are filled to the same load.");
}

}  // namespace slotscape
