#include "app/scenes/compare/panels/panels.hpp"
#include "app/scenes/slots/panels/panels.hpp"
#include "app/simulation/tables.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/format.hpp"
#include "app/widgets/theme.hpp"

#include <fmt/format.h>

#include <bit>

namespace slotscape {
namespace {

std::string slots_text(std::uint64_t slots)
{
  bool const power = std::has_single_bit(slots);
  return power ? fmt::format("2^{} = {}", std::bit_width(slots) - 1, grouped(slots)) : grouped(slots);
}

void slots_row(Look const& look, CompareState& state)
{
  row_label(look, "Slots");
  std::vector<TableSettings> tables = settings_of(state.tables);
  std::uint64_t const slots = tables.front().slots;
  bool const open = ImGui::BeginCombo("##slots", slots_text(slots).c_str(), ImGuiComboFlags_HeightLarge);
  if (!open) {
    hint(look,
         "Of each table, or the nearest number that its family takes. Changing it makes new tables, filled to "
         "the same load.");
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

bool parameter_row(Look const& look, TableSettings& table, Parameter const& parameter)
{
  std::uint32_t const value = parameter_of(family_info(table.family), table, parameter.name);
  auto const text = [&](std::size_t choice) {
    bool const named = choice < parameter.choice_names.size();
    return named ? std::string(parameter.choice_names[choice]) : grouped(parameter.choices[choice]);
  };
  std::string shown = grouped(value);
  for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
    if (parameter.choices[i] == value) { shown = text(i); }
  }
  row_label(look, std::string(parameter.title).c_str());
  bool const open = ImGui::BeginCombo(fmt::format("##{}", parameter.name).c_str(), shown.c_str());
  if (!open) {
    hint(look, std::string(parameter.help));
    return false;
  }
  bool changed = false;
  for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
    if (ImGui::Selectable(text(i).c_str(), parameter.choices[i] == value)) {
      table.parameters[std::string(parameter.name)] = parameter.choices[i];
      changed = parameter.choices[i] != value;
    }
  }
  ImGui::EndCombo();
  return changed;
}

bool family_row(Look const& look, TableSettings& table)
{
  row_label(look, "Family");
  if (!ImGui::BeginCombo("##family", title_of(table).c_str(), ImGuiComboFlags_HeightLarge)) { return false; }
  bool changed = false;
  for (std::string const& family : family_names()) {
    FamilyInfo const& info = family_info(family);
    if (ImGui::Selectable(std::string(info.title).c_str(), family == table.family) && family != table.family) {
      table.family = family;
      table.parameters.clear();
      table.slots = allowed_slots(info, table.slots);
      if (!info.wide) { table.key_bits = 32; }
      changed = true;
    }
    hint(look, fmt::format("{}\n\n{}", info.source, info.idea));
  }
  ImGui::EndCombo();
  return changed;
}

}  // namespace

bool edit_table(Look const& look, TableSettings& table)
{
  bool changed = family_row(look, table);
  FamilyInfo const& info = family_info(table.family);
  if (info.deletes_two_ways) {
    row_label(look, "Deletion");
    changed = choose("##deletion", table.deletion) || changed;
  }
  if (info.uses_hash) {
    row_label(look, "Hash");
    changed = choose("##hash", table.hash) || changed;
  }
  for (Parameter const& parameter : info.parameters) { changed = parameter_row(look, table, parameter) || changed; }
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
  hint(look, tables.size() == most_compared ? "Four are the most that can be compared."
                                            : "One more beside the others. Choose its family and settings above its "
                                              "map; all are filled to the same load.");
}

}  // namespace slotscape
