#include "app/table_scene/gui.hpp"

#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "app/table_scene/setup.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/hash_row.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/probe_sequence.hpp"
#include "gpu/tables/shards.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <bit>

namespace slotscape {
namespace {

std::string_view hint_of(Deletion deletion)
{
  switch (deletion) {
    case Deletion::empty_value:
      return translatable(
          "An erased key stays in its slot with an empty value: a tombstone that only the same key can reuse.");
    case Deletion::tombstone_reuse:
      return translatable("An erased key becomes a tombstone that a later insert of any key may take.");
    case Deletion::shift: break;
  }
  return translatable(
      "Keys behind an erased one move back, each no farther than its home, so that no tombstone is left (Knuth's "
      "Algorithm R; backward shift deletion under Robin Hood hashing). Keys are erased one after another.");
}

std::string about(FamilyInfo const& family)
{
  return fmt::format("{}\n\n{}", translated(family.idea), family.source);
}

std::vector<std::string> choice_labels(Parameter const& parameter)
{
  std::vector<std::string> labels(parameter.choice_names.begin(), parameter.choice_names.end());
  if (labels.empty()) {
    for (std::uint32_t const choice : parameter.choices) { labels.push_back(std::to_string(choice)); }
  }
  return labels;
}

void slots_list(TableState const& state, std::function<void(std::uint64_t)> const& choose)
{
  constexpr ImGuiComboFlags flags =
      ImGuiComboFlags_NoPreview | ImGuiComboFlags_PopupAlignLeft | ImGuiComboFlags_HeightLarge;
  if (!ImGui::BeginCombo("##slots", "", flags)) { return; }
  TableSettings const& table = state.settings.table;
  for (std::uint64_t of_shard = min_slots; of_shard <= max_slots / table.shards; of_shard *= 2) {
    std::uint64_t const choice = of_shard * table.shards;
    std::uint64_t const places = choice * places_per_slot(family_of(state), table);
    std::string const text = fmt::format("{}   ({})", slots_text(choice), bytes_text(bytes_of_pairs(table, places)));
    if (ImGui::Selectable(text.c_str(), choice == table.slots)) { choose(choice); }
    bool const nearest = of_shard == std::bit_floor(slots_of_shard(table));
    if (nearest && ImGui::IsWindowAppearing()) { ImGui::SetScrollHereY(); }
  }
  ImGui::EndCombo();
}

}  // namespace

void slots_row(Look const& look, TableState& state, std::function<void()> const& take_typed,
               std::function<void(std::uint64_t)> const& choose)
{
  setting_label(look, setting_named<TableSettings>("slots").text);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight());
  bool const typing = ImGui::GetActiveID() == ImGui::GetID("##exact_slots");
  if (!typing) { state.edits.slots_entry = slots_text(state.settings.table.slots); }
  ImGui::InputText("##exact_slots", &state.edits.slots_entry, ImGuiInputTextFlags_AutoSelectAll);
  if (ImGui::IsItemDeactivatedAfterEdit()) { take_typed(); }
  hint(look, tr("Number of slots: {}. Type it, as 65536 or 2^16, or choose from the list. Or type a goal: 50000 keys, "
                "or 12 bytes a key.",
                translated(kind_of(slot_counts_of(family_of(state), state.settings.table)))));
  ImGui::SameLine(0.0f, 0.0f);
  slots_list(state, choose);
}

bool family_row(Look const& look, TableSettings& table)
{
  FamilyInfo const& family = family_info(table.family);
  bool changed = false;
  setting_label(look, setting_named<TableSettings>("family").text);
  if (!ImGui::BeginCombo("##family", translated(family.title).c_str(), ImGuiComboFlags_HeightLargest)) {
    hint(look, about(family));
    return false;
  }
  for (std::string const& name : family_names()) {
    FamilyInfo const& choice = family_info(name);
    if (ImGui::Selectable(translated_label(choice.title).c_str(), name == table.family) && name != table.family) {
      table = with_family(table, choice);
      changed = true;
    }
    hint(look, about(choice));
  }
  ImGui::EndCombo();
  return changed;
}

bool asked_family_row(Look const& look, TableSettings& asked)
{
  TableSettings const before = asked;
  if (!family_row(look, asked)) { return false; }
  asked.slots = before.slots;
  asked.key_bits = before.key_bits;
  asked.keys_only = before.keys_only;
  return true;
}

bool parameter_row(Look const& look, Parameter const& parameter, TableSettings& table, std::string_view consequence)
{
  bool const matters = !parameter.is_by_hand || table.hash == HashKind::identity;
  if (!matters) { return false; }
  std::vector<std::string> const labels = choice_labels(parameter);
  std::uint32_t const value = parameter_of(family_info(table.family), table, parameter.name);
  auto const place = std::ranges::find(parameter.choices, value);
  int chosen = static_cast<int>(place - parameter.choices.begin());
  row_label(look, std::string(parameter.title).c_str());
  bool const changed = pick(look, std::string(parameter.name).c_str(), labels, chosen);
  hint(look, fmt::format("{}\n\n{}", translated(parameter.help), translated(consequence)));
  if (changed) { set_parameter(table, parameter, parameter.choices[static_cast<std::size_t>(chosen)]); }
  return changed;
}

bool deletion_row(Look const& look, TableSettings& table)
{
  std::vector<Deletion> const ways = ways_to_erase(family_info(table.family), table);
  if (ways.empty()) { return false; }
  std::span<EnumName<Deletion> const> const all = enum_names<Deletion>();
  return setting_row(look, "deletion", table,
                     {.offers = [&](std::size_t way) { return std::ranges::count(ways, all[way].value) != 0; },
                      .more_hint = std::string(hint_of(table.deletion))});
}

bool hash_row(Look const& look, TableSettings& table, HashField& field, std::string_view consequence)
{
  return hash_setting_row(look, &TableSettings::hash, table, field,
                          {.more_hint = fmt::format(" {}", translated(consequence))});
}

bool shards_row(Look const& look, TableSettings& table, std::string_view consequence)
{
  std::vector<std::uint32_t> counts{1, 2, 3, 4, 8, 16};
  if (std::ranges::find(counts, table.shards) == counts.end()) {
    counts.insert(std::ranges::upper_bound(counts, table.shards), table.shards);
  }
  std::vector<std::string> labels;
  labels.reserve(counts.size());
  for (std::uint32_t const count : counts) {
    labels.push_back(count == 1 ? translatable("none") : std::to_string(count));
  }
  int chosen = static_cast<int>(std::ranges::find(counts, table.shards) - counts.begin());
  SettingText const& text = setting_named<TableSettings>("shards").text;
  setting_label(look, text);
  bool const changed = pick(look, "shards", labels, chosen);
  hint(look, fmt::format("{} {}", text.hint, consequence));
  if (changed) { table.shards = counts[static_cast<std::size_t>(chosen)]; }
  if (table.shards == 1) { return changed; }
  bool const moved = setting_row(look, "devices", table);
  return (table.devices == ShardDevices::one && setting_row(look, "keys_start", table)) || moved || changed;
}

bool shows_setting(TableState const& state, TableSettings const& table, std::string_view name)
{
  Setting<TableSettings> const& setting = setting_named<TableSettings>(name);
  return !state.few_settings || setting.get(table) != setting.get(usual_table());
}

void all_settings_button(Look const& look, TableState const& state, Panels& panels)
{
  if (!state.few_settings) { return; }
  if (text_button("Show all settings", {-FLT_MIN, 0.0f})) { panels.all_settings = true; }
  hint(look, "Also shows key bits, repeats, shards and guarantees.");
}

void guarantee_rows(Look const& look, TableSettings const& table)
{
  for (GuaranteeText const& guarantee : guarantee_texts(guarantees_of(family_info(table.family), table))) {
    labelled_remark(look, std::string(guarantee.about).c_str(), guarantee.text);
  }
}

void seed_row(Look const& look, TableState& state)
{
  row_label(look, "Seed");
  float const button = ImGui::GetFrameHeight();
  float const gap = ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - 2.0f * (button + gap));
  ImGui::InputText("##seed", &state.edits.seed_text, ImGuiInputTextFlags_AutoSelectAll);
  bool const typing = ImGui::IsItemActive();
  if (ImGui::IsItemDeactivatedAfterEdit()) { ask_for_typed_seed(state); }
  hint(look,
       "All keys derive from the seed: the same seed and the same steps give the same table. "
       "Changing it makes a new table with other keys, filled to the same load.");
  auto const step = [&](char const* label, std::uint64_t by) {
    ImGui::SameLine(0.0f, gap);
    if (ImGui::Button(label, {button, button})) { ask_for_seed(state, state.settings.seed + by); }
  };
  step("-##seed", ~std::uint64_t{0});
  step("+##seed", 1);
  if (!typing) { state.edits.seed_text = std::to_string(state.settings.seed); }
}

}  // namespace slotscape
