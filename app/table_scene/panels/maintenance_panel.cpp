#include "app/base/text.hpp"
#include "app/table_scene/gui.hpp"
#include "app/widgets/controls.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {
void maintenance_panel(Look const& look, TableState& state)
{
  heading(look, "MAINTENANCE");
  std::uint64_t const slots = state.settings.table.slots;
  float const half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2.0f;
  ImVec2 const size{half, 0.0f};
  if (ImGui::Button("Rehash × 2", size)) { state.act(rehash_to(state, slots * 2)); }
  hint(look, "Move the live keys into twice the slots; tombstones are dropped (R).");
  ImGui::SameLine();
  if (ImGui::Button("Rehash ÷ 2", size)) { state.act(rehash_to(state, slots / 2)); }
  hint(look, "Move the live keys into half the slots, if they fit (D).");
  ImGui::BeginDisabled(state.statistics.tombstones == 0);
  if (ImGui::Button("Purge tombstones", size)) { state.act(Rehash{}); }
  ImGui::EndDisabled();
  hint(look,
       fmt::format("Rehash into the same size without the {} tombstones (P).", grouped(state.statistics.tombstones)));
  ImGui::SameLine();
  if (ImGui::Button("Clear", size)) { state.act(Clear{}); }
  hint(look, "Empty every slot (C).");
  ImGui::BeginDisabled(!state.history_complete);
  if (ImGui::Button("Restart from the same seed", {-FLT_MIN, 0.0f})) { state.ask(Restart{}); }
  ImGui::EndDisabled();
  hint(look, state.history_complete ? "Clear the table and replay exactly the same history (Backspace)."
                                    : "The history is too long to replay; clear the table to begin a new one.");
}

void draw_tombstone_warning(Look const& look, TableState& state, Rectangle const& canvas)
{
  RoomWarning const& warning = state.room_warning;
  if (warning.title.empty() || state.steps.on || state.progress) { return; }
  begin_notice(look, "##tombstones", canvas, look(400.0f));
  ImGui::PushStyleColor(ImGuiCol_Text, theme::warning);
  ImGui::TextUnformatted(warning.title.c_str());
  ImGui::PopStyleColor();
  ImGui::TextWrapped("%s", warning.text.c_str());
  if (warning.purge_helps) {
    if (ImGui::Button("Purge")) { state.act(Rehash{}); }
    hint(look, "Rehash into the same size without the tombstones (P).");
    ImGui::SameLine();
  }
  if (ImGui::Button("Rehash × 2")) { state.act(rehash_to(state, state.settings.table.slots * 2)); }
  hint(look, "Move the live keys into twice the slots; tombstones are dropped (R).");
  end_card();
}

}  // namespace slotscape
