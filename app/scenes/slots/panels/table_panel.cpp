#include "app/families/guarantees.hpp"
#include "app/families/parameters.hpp"
#include "app/families/slot_counts.hpp"
#include "app/scenes/slots/panels/panels.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/format.hpp"
#include "app/widgets/theme.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <bit>

namespace slotscape {
namespace {

std::string about(FamilyInfo const& family)
{
  return fmt::format("{}\n\n{}", family.idea, family.source);
}

/// Gives true where another family was chosen.
bool family_row(Look const& look, TableSettings& table)
{
  FamilyInfo const& family = family_info(table.family);
  bool changed = false;
  row_label(look, "Family");
  if (!ImGui::BeginCombo("##family", std::string(family.title).c_str(), ImGuiComboFlags_HeightLargest)) {
    hint(look, about(family));
    return false;
  }
  for (std::string const& name : family_names()) {
    FamilyInfo const& choice = family_info(name);
    if (ImGui::Selectable(std::string(choice.title).c_str(), name == table.family) && name != table.family) {
      table = with_family(table, choice);
      changed = true;
    }
    hint(look, about(choice));
  }
  ImGui::EndCombo();
  return changed;
}

void slots_list(SlotsState& state, ImGuiComboFlags flags)
{
  if (!ImGui::BeginCombo("##slots", "", flags | ImGuiComboFlags_HeightLarge)) { return; }
  TableSettings const& table = state.settings.table;
  for (std::uint64_t choice = min_slots; choice <= max_slots; choice *= 2) {
    std::string const text = fmt::format("{}   ({})", slots_text(choice), bytes_text(bytes_of_pairs(table, choice)));
    if (ImGui::Selectable(text.c_str(), choice == table.slots)) { ask_for_slots(state, choice); }
    bool const nearest = choice == std::bit_floor(table.slots);
    if (nearest && ImGui::IsWindowAppearing()) { ImGui::SetScrollHereY(); }
  }
  ImGui::EndCombo();
}

/// A field for any number, joined to a list of the powers of two.
void slots_row(Look const& look, SlotsState& state)
{
  row_label(look, "Slots");
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight());
  ImGui::InputText("##exact_slots", &state.slots_entry, ImGuiInputTextFlags_AutoSelectAll);
  bool const typing = ImGui::IsItemActive();
  if (ImGui::IsItemDeactivatedAfterEdit()) { ask_for_typed_slots(state); }
  hint(look, fmt::format("How many slots: {}. Type a number, or 2^20, or choose one from the list.",
                         kind_of(family_of(state).slot_counts)));
  ImGui::SameLine(0.0f, 0.0f);
  slots_list(state, ImGuiComboFlags_NoPreview | ImGuiComboFlags_PopupAlignLeft);
  if (!typing) { state.slots_entry = slots_text(state.settings.table.slots); }
}

std::vector<std::string> choice_labels(Parameter const& parameter)
{
  std::vector<std::string> labels(parameter.choice_names.begin(), parameter.choice_names.end());
  if (labels.empty()) {
    for (std::uint32_t const choice : parameter.choices) { labels.push_back(std::to_string(choice)); }
  }
  return labels;
}

bool parameter_row(Look const& look, FamilyInfo const& family, Parameter const& parameter, TableSettings& table)
{
  std::vector<std::string> const labels = choice_labels(parameter);
  std::uint32_t const value = parameter_of(family, table, parameter.name);
  auto const place = std::ranges::find(parameter.choices, value);
  int chosen = static_cast<int>(place - parameter.choices.begin());
  row_label(look, std::string(parameter.title).c_str());
  bool const changed = pick(look, std::string(parameter.name).c_str(), labels, chosen);
  hint(look, fmt::format("{}\n\nChanging it makes a new table, filled to the same load.", parameter.help));
  if (changed) { set_parameter(table, parameter, parameter.choices[static_cast<std::size_t>(chosen)]); }
  return changed;
}

bool deletion_row(Look const& look, TableSettings& table)
{
  row_label(look, "Deletion");
  bool const changed = choose("##deletion", table.deletion);
  hint(look, table.deletion == Deletion::empty_value
                 ? "An erased key stays in its slot with an empty value: a tombstone that only the same key revives."
                 : "An erased key becomes a tombstone that a later insert of any key may take.");
  return changed;
}

bool hash_row(Look const& look, TableSettings& table)
{
  row_label(look, "Hash");
  bool const changed = choose("##hash", table.hash);
  hint(look,
       "Where keys have their home slots. A bad hash is here to be seen to be bad. Changing it makes a new "
       "table, filled to the same load.");
  return changed;
}

bool width_row(Look const& look, TableSettings& table)
{
  std::array<std::string, 2> const widths{"32", "64"};
  int chosen = table.key_bits == 64 ? 1 : 0;
  row_label(look, "Key bits");
  bool const changed = pick(look, "key_bits", widths, chosen);
  hint(look, "Of keys and of values. 32 is the faster; changing it makes a new table, filled to the same load.");
  table.key_bits = chosen == 1 ? 64 : 32;
  return changed;
}

void guarantees_card(Look const& look, SlotsState const& state)
{
  if (!disclosure(look, "Guarantees")) { return; }
  for (Promise const& promise : promises_of(guarantees_of(state))) {
    labelled_remark(look, std::string(promise.about).c_str(), promise.text);
  }
}

}  // namespace

void seed_row(Look const& look, SlotsState& state)
{
  row_label(look, "Seed");
  float const button = ImGui::GetFrameHeight();
  float const gap = ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - 2.0f * (button + gap));
  ImGui::InputText("##seed", &state.seed_text, ImGuiInputTextFlags_AutoSelectAll);
  bool const typing = ImGui::IsItemActive();
  if (ImGui::IsItemDeactivatedAfterEdit()) { ask_for_typed_seed(state); }
  hint(look,
       "Every key follows from the seed: the same seed and the same steps give the same table. "
       "Changing it makes a new table, filled to the same load.");
  auto const step = [&](char const* label, std::uint64_t by) {
    ImGui::SameLine(0.0f, gap);
    if (ImGui::Button(label, {button, button})) {
      ask_for_refilled(state, state.settings.table, state.settings.seed + by);
    }
  };
  step("-##seed", ~std::uint64_t{0});
  step("+##seed", 1);
  if (!typing) { state.seed_text = std::to_string(state.settings.seed); }
}

void table_panel(Look const& look, SlotsState& state)
{
  heading(look, "TABLE");
  FamilyInfo const& family = family_of(state);
  TableSettings table = state.settings.table;
  bool changed = family_row(look, table);
  bool const same_family = !changed;
  slots_row(look, state);
  for (Parameter const& parameter : family.parameters) {
    TableSettings wanted = state.settings.table;
    if (parameter_row(look, family, parameter, wanted) && same_family) {
      table = wanted;
      changed = true;
    }
  }
  if (family.deletes_two_ways) { changed = deletion_row(look, table) || changed; }
  if (family.uses_hash) { changed = hash_row(look, table) || changed; }
  if (family.wide) { changed = width_row(look, table) || changed; }
  seed_row(look, state);
  remark(look, fmt::format("{} of pairs on {}", bytes_text(bytes_of_pairs(table, state.settings.table.slots)),
                           state.device.backend == Backend::cuda ? "the GPU" : "the CPU"));
  hint(look, state.device.device + "\n" + state.device.backend_reason);
  guarantees_card(look, state);
  if (changed) { ask_for_refilled(state, table, state.settings.seed); }
}

void slots_question(Look const& look, SlotsState& state)
{
  constexpr char const* title = "Change the number of slots";
  if (state.slots_in_question && !ImGui::IsPopupOpen(title)) { ImGui::OpenPopup(title); }
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_AlwaysAutoResize)) { return; }
  std::uint64_t const slots = state.slots_in_question.value_or(state.settings.table.slots);
  ImGui::Text("The table holds %s keys.", grouped(state.statistics.live).c_str());
  bool const fits = state.statistics.live <= slots;
  remark(look, fits ? "Rehash moves them into the new size and drops the tombstones; a new table starts empty."
                    : "They do not fit into so few slots: only a new, empty table can have them.");
  ImGui::Dummy({look(360.0f), look(4.0f)});
  ImVec2 const size{look(170.0f), 0.0f};
  std::string const short_text =
      std::has_single_bit(slots) ? fmt::format("2^{}", std::bit_width(slots) - 1) : grouped(slots);
  bool answered = false;
  ImGui::BeginDisabled(!fits);
  if (primary_button(fmt::format("Rehash into {}", short_text).c_str(), size)) {
    state.act(Rehash{slots});
    answered = true;
  }
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("New table", size)) {
    TableSettings table = state.settings.table;
    table.slots = slots;
    state.ask(NewTable{table, state.settings.seed});
    answered = true;
  }
  ImGui::SameLine();
  bool const cancelled = ImGui::Button("Cancel") || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  if (cancelled || answered || !state.slots_in_question) {
    state.slots_in_question.reset();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace slotscape
