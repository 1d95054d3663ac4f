#include "app/base/text.hpp"
#include "app/table_map/map_view.hpp"
#include "app/table_scene/gui.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace slotscape {
namespace {

constexpr float warning_width = 400.0f;

/// The height in pixels of a card of this width, with the whole warning or only its title.
float warning_height(RoomWarning const& warning, float width, bool in_full)
{
  ImGuiStyle const& style = ImGui::GetStyle();
  float const room = width - 2.0f * style.WindowPadding.x;
  auto const lines = [room](std::string const& text) {
    return ImGui::CalcTextSize(text.c_str(), nullptr, false, room).y + ImGui::GetStyle().ItemSpacing.y;
  };
  return 2.0f * style.WindowPadding.y + lines(warning.title) + (in_full ? lines(warning.text) : 0.0f) +
         ImGui::GetFrameHeight();
}

}  // namespace

std::vector<Rectangle> slots_in_view(MapView const& map)
{
  constexpr std::size_t most = 1024;
  std::vector<Rectangle> places;
  Camera const& camera = map.camera();
  int const side = static_cast<int>(camera.slot_pixels());
  for (Slot const slot : camera.visible_slots(most)) {
    Point const corner = camera.slot_corner(slot);
    places.push_back(
        {map.canvas().x + static_cast<int>(corner.x), map.canvas().y + static_cast<int>(corner.y), side, side});
  }
  return places;
}

void maintenance_panel(Look const& look, TableState& state)
{
  heading(look, "MAINTENANCE");
  std::uint64_t const slots = state.settings.table.slots;
  float const half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2.0f;
  ImVec2 const size{half, 0.0f};
  if (text_button("Rehash × 2", size)) { state.act(rehash_to(state, slots * 2)); }
  hint(look, "Move the live keys into twice the slots; tombstones are dropped (R).");
  ImGui::SameLine();
  if (text_button("Rehash ÷ 2", size)) { state.act(rehash_to(state, slots / 2)); }
  hint(look, "Move the live keys into half the slots, if they fit (D).");
  ImGui::BeginDisabled(state.statistics.tombstones == 0);
  if (text_button("Purge tombstones", size)) { state.act(Rehash{}); }
  ImGui::EndDisabled();
  hint(look, tr("Rehash into the same size without the {} tombstones (P).", grouped(state.statistics.tombstones)));
  ImGui::SameLine();
  if (text_button("Clear", size)) { state.act(Clear{}); }
  hint(look, "Empty every slot (C).");
  ImGui::BeginDisabled(!state.run.history_complete);
  if (text_button("Restart from the same seed", {-FLT_MIN, 0.0f})) { state.ask(Restart{}); }
  ImGui::EndDisabled();
  hint(look, state.run.history_complete ? tr("Clear the table and replay exactly the same history (Backspace).")
                                        : tr("The history is too long to replay; clear the table to begin a new one."));
}

void draw_tombstone_warning(Look const& look, TableState& state, MapView const& map, Rectangle const& around,
                            std::span<Rectangle const> taken)
{
  if (!shows_warning(state)) { return; }
  RoomWarning const& warning = state.advice.warning;
  Rectangle canvas = room_for_cards(state, map.canvas());
  float const width = std::min(look(warning_width), static_cast<float>(canvas.width) - look(24.0f));
  std::vector<Rectangle> const slots = slots_in_view(map);
  CardPlace card{.right = true, .size = {width, warning_height(warning, width, true)}};
  card = clear_of(look, card, canvas, slots);
  bool in_full = covered_by(look, card, canvas, slots) == 0;
  if (!in_full && around.width > 0) {
    CardPlace const other = clear_of(look, {true, true, card.size}, around, taken);
    if (covered_by(look, other, around, taken) == 0) {
      card = other;
      canvas = around;
      in_full = true;
    }
  }
  if (!in_full) { card = clear_of(look, {true, false, {width, warning_height(warning, width, false)}}, canvas, slots); }
  if (begin_notice(look, "##tombstones", canvas, width, card)) { close_warning(state); }
  ImGui::PushStyleColor(ImGuiCol_Text, theme::warning);
  ImGui::PushTextWrapPos(width - look(close_button_room));
  ImGui::TextUnformatted(warning.title.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  if (in_full) {
    ImGui::TextWrapped("%s", warning.text.c_str());
  } else {
    hint(look, warning.text);
  }
  if (warning.purge_helps) {
    if (text_button("Purge")) { state.act(Rehash{}); }
    hint(look, "Rehash into the same size without the tombstones (P).");
    ImGui::SameLine();
  }
  if (text_button("Rehash × 2")) { state.act(rehash_to(state, state.settings.table.slots * 2)); }
  hint(look, "Move the live keys into twice the slots; tombstones are dropped (R).");
  end_card();
}

}  // namespace slotscape
