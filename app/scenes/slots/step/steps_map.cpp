#include "app/scenes/slots/step/steps_gui.hpp"

#include <map>

namespace slotscape {

void overlay_steps(StepPlayer const& player, Inspected& inspected)
{
  for (WrittenSlot& written : inspected.written) { written.slot = player.overlaid(written.slot); }
  for (std::optional<SlotDetail>* const detail : {&inspected.hovered, &inspected.pinned}) {
    if (*detail) { (*detail)->slot = player.overlaid((*detail)->slot); }
  }
}

void annotate_steps_mode(Annotator const& on, StepPlayer const& player, SlotsState const& state)
{
  std::vector<SlotInfo> slots;
  std::map<Slot, std::uint64_t> clusters;
  for (WrittenSlot const& written : state.inspected.written) {
    slots.push_back(written.slot);
    clusters.emplace(written.slot.slot, written.cluster_length);
  }
  CellColor const color = [&](SlotInfo const& slot) {
    auto const known = clusters.find(slot.slot);
    return cell_color({slot, known == clusters.end() ? 1 : known->second}, state);
  };
  draw_changes(on, player, color);
  write_cells(on, slots, color);
  draw_steps(on, player);
}

}  // namespace slotscape
