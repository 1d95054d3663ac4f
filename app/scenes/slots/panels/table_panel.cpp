#include "app/scenes/slots/panels/panels.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/format.hpp"
#include "app/widgets/theme.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <bit>

namespace slotscape {
namespace {

std::string slots_text(std::uint64_t slots)
{
  return fmt::format("2^{} = {}", std::bit_width(slots) - 1, grouped(slots));
}

void ask_for_slots(SlotsState& state, std::uint64_t slots)
{
  TableSettings table = state.settings.table;
  if (slots == table.slots) { return; }
  if (state.statistics.live > 0) {
    state.slots_in_question = slots;
    return;
  }
  table.slots = slots;
  state.ask(NewTable{table, state.settings.seed});
}

void slots_row(Look const& look, SlotsState& state)
{
  row_label(look, "Slots");
  std::uint64_t const slots = state.settings.table.slots;
  if (ImGui::BeginCombo("##slots", slots_text(slots).c_str(), ImGuiComboFlags_HeightLarge)) {
    for (std::uint64_t choice = min_slots; choice <= max_slots; choice *= 2) {
      std::string const text = fmt::format("{}   ({})", slots_text(choice), bytes_text(choice * sizeof(Pair)));
      if (ImGui::Selectable(text.c_str(), choice == slots)) { ask_for_slots(state, choice); }
      if (choice == slots && ImGui::IsWindowAppearing()) { ImGui::SetScrollHereY(); }
    }
    ImGui::EndCombo();
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
  slots_row(look, state);
  TableSettings table = state.settings.table;
  row_label(look, "Deletion");
  bool changed = choose("##deletion", table.deletion);
  hint(look, table.deletion == Deletion::empty_value
                 ? "An erased key stays in its slot with an empty value: a tombstone that only the same key revives."
                 : "An erased key becomes a tombstone that a later insert of any key may take.");
  row_label(look, "Hash");
  changed = choose("##hash", table.hash) || changed;
  hint(look,
       "Where keys have their home slots. A bad hash is here to be seen to be bad. Changing it makes a new "
       "table, filled to the same load.");
  seed_row(look, state);
  remark(look, fmt::format("{} of pairs on {}", bytes_text(state.settings.table.slots * sizeof(Pair)),
                           state.device.backend == Backend::cuda ? "the GPU" : "the CPU"));
  hint(look, state.device.device + "\n" + state.device.backend_reason);
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
  bool answered = false;
  ImGui::BeginDisabled(!fits);
  if (primary_button(fmt::format("Rehash into 2^{}", std::bit_width(slots) - 1).c_str(), size)) {
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
