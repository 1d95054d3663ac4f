#include "app/base/text.hpp"
#include "app/table_scene/gui.hpp"
#include "app/widgets/controls.hpp"

#include <fmt/format.h>

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
  if (ImGui::Button("Purge tombstones", size)) { state.act(Rehash{slots}); }
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

}  // namespace slotscape
