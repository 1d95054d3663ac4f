#include "app/scenes/compare/gui.hpp"
#include "app/simulation/families.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/setup.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

namespace slotscape {
namespace {

void ask_for_slots_of_all(CompareState& state, std::uint64_t slots)
{
  std::vector<TableSettings> tables = asked_of(state.tables);
  for (TableSettings& table : tables) { table.slots = slots; }
  ask_for_tables(state, tables);
}

void take_typed_slots(CompareState& state)
{
  try {
    ask_for_slots_of_all(state, typed_slots(state.shared, state.shared.edits.slots_entry));
  } catch (Error const& error) {
    state.shared.ask(ErrorMessage{error.what()});
  }
}

/// Lists the guarantees of the tables, each under its colour.
void guarantees_of_all(Look const& look, std::vector<TableSettings> const& tables)
{
  if (!disclosure(look, "Guarantees")) { return; }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    table_swatch(look, i);
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(title_of(tables[i]).c_str());
    std::string const distinction = distinction_of(i, tables);
    if (!distinction.empty()) { remark(look, distinction); }
    guarantee_rows(look, tables[i]);
  }
}

}  // namespace

bool edit_table(Look const& look, TableState& shared, TableSettings& table)
{
  bool changed = asked_family_row(look, table);
  FamilyInfo const& info = family_info(table.family);
  if (info.keys_alone) { changed = setting_row(look, "values", table, {.by = ChoiceBy::line}) || changed; }
  changed = deletion_row(look, table) || changed;
  if (info.uses_hash) { changed = hash_row(look, table, shared.edits.hash_field) || changed; }
  if (!table.keys_only && shows_setting(shared, table, "combine")) {
    changed = setting_row(look, "combine", table) || changed;
  }
  for (Parameter const& parameter : info.parameters) { changed = parameter_row(look, parameter, table) || changed; }
  if (shows_setting(shared, table, "shards")) { changed = shards_row(look, table) || changed; }
  remark(look, fmt::format("{} ({})", info.idea, info.source));
  return changed;
}

void ask_for_tables(CompareState& state, std::vector<TableSettings> tables)
{
  TableSettings const first = tables.front();
  ask_for_table(state.shared, first, std::move(tables));
}

void compared_tables_panel(Look const& look, CompareState& state)
{
  heading(look, "TABLES");
  slots_row(
      look, state.shared, [&] { take_typed_slots(state); },
      [&](std::uint64_t slots) { ask_for_slots_of_all(state, slots); });
  seed_row(look, state.shared);
  std::vector<TableSettings> tables = asked_of(state.tables);
  ImGui::BeginDisabled(tables.size() == max_compared);
  if (text_button("Add a table", {-FLT_MIN, 0.0f})) {
    tables.push_back(another_table(tables.back(), tables));
    ask_for_tables(state, tables);
  }
  ImGui::EndDisabled();
  hint(look, tables.size() == max_compared ? "At most four tables can be compared."
                                           : translatable("Compare one more table. Choose its family and settings "
                                                          "above its map; all hold the same keys."));
  if (!state.shared.few_settings) { guarantees_of_all(look, settings_of(state.tables)); }
}

}  // namespace slotscape
