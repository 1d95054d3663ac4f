#include "app/base/text.hpp"
#include "app/scenes/slots/panels/panels.hpp"
#include "app/simulation/families.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/setup.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/setting_row.hpp"
#include "app/widgets/text_field.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <bit>

namespace slotscape {

void table_panel(Look const& look, TableState& state)
{
  heading(look, "TABLE");
  FamilyInfo const& family = family_of(state);
  TableSettings table = asked_of(state);
  bool changed = asked_family_row(look, table);
  bool const same_family = !changed;
  slots_row(
      look, state, [&] { ask_for_typed_slots(state); }, [&](std::uint64_t slots) { ask_for_slots(state, slots); });
  for (Parameter const& parameter : family.parameters) {
    TableSettings wanted = asked_of(state);
    if (parameter_row(look, parameter, wanted) && same_family) {
      table = wanted;
      changed = true;
    }
  }
  if (family.keys_alone) { changed = setting_row(look, "values", table, {.by = ChoiceBy::line}) || changed; }
  bool const has_values = !state.settings.table.keys_only;
  changed = deletion_row(look, table) || changed;
  if (family.uses_hash) { changed = hash_row(look, table, state.edits.hash_field) || changed; }
  std::string const consequence = fmt::format(" {}", translated(makes_new_table));
  if (family.wide && shows_setting(state, table, "key_bits")) {
    changed = setting_row(look, "key_bits", table, {.by = ChoiceBy::line, .more_hint = consequence}) || changed;
  }
  if (has_values && shows_setting(state, table, "combine")) {
    changed = setting_row(look, "combine", table) || changed;
  }
  if (shows_setting(state, table, "shards")) { changed = shards_row(look, table) || changed; }
  bool const on_gpu = state.device.backend == Backend::cuda;
  if (on_gpu) {
    changed = setting_row(look, "memory", table, {.by = ChoiceBy::line, .more_hint = consequence}) || changed;
  }
  seed_row(look, state);
  bool const is_in_host_memory = state.settings.table.memory == TableMemory::host;
  remark(look, tr("{} of {} on {}", bytes_text(bytes_of_pairs(state.settings.table, slots_on_map(state))),
                  has_values ? tr("pairs") : tr("keys"),
                  !on_gpu             ? tr("the CPU")
                  : is_in_host_memory ? tr("the host")
                                      : tr("the GPU")));
  hint(look, fmt::format("{}\n{}\n\n{}", state.device.device, translated(state.device.backend_reason),
                         has_values ? tr("This counts only the pairs, without fingerprints, offsets, lists and the "
                                         "like. Bytes per key, in statistics and in Tune, count everything.")
                                    : tr("This counts only the keys, without fingerprints, offsets, lists and the "
                                         "like. Bytes per key, in statistics and in Tune, count everything.")));
  if (!state.few_settings && disclosure(look, "Guarantees")) { guarantee_rows(look, state.settings.table); }
  if (changed) { ask_for_table(state, table); }
}

void slots_question(Look const& look, TableState& state)
{
  std::string const title = translated_label("Change the number of slots");
  if (state.edits.pending_slots && !ImGui::IsPopupOpen(title.c_str())) { ImGui::OpenPopup(title.c_str()); }
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(title.c_str(), nullptr, ImGuiWindowFlags_AlwaysAutoResize)) { return; }
  std::uint64_t const slots = state.edits.pending_slots.value_or(state.settings.table.slots);
  ImGui::TextUnformatted(tr("The table holds {} keys.", grouped(state.statistics.live)).c_str());
  bool const fits = state.statistics.live <= slots;
  remark(look, !fits ? translatable("They do not fit into so few slots: only a new, empty table can be that small.")
               : rehash_shortens_tails(family_of(state), slots)
                   ? translatable("A rehash moves them there in the order of their slots: the longest lookups are then "
                                  "usually shorter than in a table built by inserting the keys in their original "
                                  "order. An empty table starts without them.")
                   : translatable("A rehash moves them there, in the order of their slots; building inserts them into "
                                  "a new table, in their original order. An empty table starts without them."));
  ImGui::Dummy({look(360.0f), look(4.0f)});
  ImVec2 const size{look(150.0f), 0.0f};
  std::string const short_text =
      std::has_single_bit(slots) ? fmt::format("2^{}", std::bit_width(slots) - 1) : grouped(slots);
  bool answered = false;
  ImGui::BeginDisabled(!fits);
  bool const entered = fits && enter_confirms();
  if (primary_button(tr("Rehash into {}", short_text).c_str(), size) || entered) {
    state.act(Rehash{slots});
    answered = true;
  }
  ImGui::SameLine();
  TableSettings table = state.settings.table;
  table.slots = slots;
  if (text_button("Build by insertion", size)) {
    ask_for_table(state, table);
    answered = true;
  }
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (text_button("Empty table", size)) {
    state.ask(ReplaceTables{table, state.settings.seed});
    state.settings.drive.running = state.settings.drive.hold_load = false;  // otherwise it would refill at once
    answered = true;
  }
  ImGui::SameLine();
  bool const cancelled = text_button("Cancel") || ImGui::IsKeyPressed(ImGuiKey_Escape);
  if (cancelled || answered || !state.edits.pending_slots) {
    state.edits.pending_slots.reset();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace slotscape
