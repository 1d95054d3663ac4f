#include "app/base/text.hpp"
#include "app/table_map/annotations.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_map/parts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/shards.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <vector>

namespace slotscape {
namespace {

void fact(Look const& look, char const* name, std::string const& value, ImU32 color = theme::text)
{
  ImGui::TextColored(theme::rgba(theme::text_dim), "%s", tr(name));
  ImGui::SameLine(std::max(look(96.0f), ImGui::GetItemRectSize().x + look(20.0f)));
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(value.c_str());
  ImGui::PopStyleColor();
}

/// Decimal and hexadecimal, on two lines if the table's keys are long; a word or a name is followed by its number.
void key_fact(Look const& look, TableSceneSettings const& settings, Key key, ImU32 color = theme::text)
{
  KeyStyle const style = settings.view.keys_as;
  char const* const name = settings.view.key_name.on_card.data();
  if (is_spoken(key, style)) { return fact(look, name, fmt::format("{}  ({})", key_text(key, style), key), color); }
  bool const is_changed = style == KeyStyle::with_sign && signed_of_key(key) < 0;
  if (is_changed) {
    fact(look, name, key_text(key, style), color);
    return fact(look, "", tr("stored as {}", key), theme::text_dim);
  }
  if (settings.table.key_bits == 32) { return fact(look, name, fmt::format("{0}  (0x{0:08x})", key), color); }
  fact(look, name, fmt::format("{}", key), color);
  fact(look, "", fmt::format("0x{:016x}", key), theme::text_dim);
}

/// Typed keys without a value have the value 0, which is not shown.
void value_fact(Look const& look, ViewSettings const& view, Value value)
{
  bool const is_of_own_table = view.values_as == NumberCode{};
  if (value == 0 && is_of_own_table) { return; }
  fact(look, view.value_name.on_card.data(), number_text(view.values_as, value));
}

/// All digits of a 16-byte key, on two lines.
void wide_key_fact(Look const& look, std::string const& digits, ImU32 color = theme::text)
{
  std::size_t const half = digits.size() / 2 + 1;  // the first line includes 0x
  fact(look, "Key", digits.substr(0, half), color);
  fact(look, "", digits.substr(half), color);
}

/// Formats a slot's number: "65,536"; in a separate array, "2 in T2".
std::string number_of(MapState const& state, Slot slot)
{
  SlotArrays const arrays = arrays_of(state);
  return arrays.slots_each() == 0 ? grouped(slot) : arrays.in_words(slot);
}

/// Formats a value of the family's measure: "2", "h2".
std::string measure_of(MapState const& state, std::uint64_t value)
{
  SlotArrays const arrays = arrays_of(state);
  return arrays.slots_each() == 0 ? grouped(value) : arrays.measured(value);
}

void lookup_facts(Look const& look, MapState const& state, Lookup const& lookup)
{
  TableSceneSettings const& settings = state.settings;
  bool const found = lookup.path.value.has_value();
  ImU32 const color = found ? theme::accent : theme::warning;
  if (lookup.wide_key.empty()) {
    key_fact(look, settings, lookup.key, color);
  } else {
    wide_key_fact(look, lookup.wide_key, color);
  }
  if (found) {
    value_fact(look, settings.view, *lookup.path.value);
  } else if (lookup.lies_in) {
    fact(look, "Value", tr("not found: it lies in slot {}", number_of(state, *lookup.lies_in)), theme::warning);
  } else {
    fact(look, "Value", lookup.path.complete ? tr("not in the table") : tr("not found so far"), theme::warning);
  }
  std::size_t const read = lookup.path.slots.size();
  fact(look, "Slots read", lookup.path.complete ? grouped(read) : tr("over {}", grouped(read)));
  if (read == 0) { return; }
  fact(look, "Home slot", number_of(state, lookup.path.slots.front()));
  if (std::string const& second = lookup.path.second_hash; !second.empty()) {
    fact(look, tells_probes(second) ? translatable("Probes") : translatable("Step"), second);
  }
  char const* const end = found                  ? translatable("Found in")
                          : lookup.path.complete ? translatable("Ended at")
                                                 : translatable("Given up at");
  fact(look, end, number_of(state, lookup.path.slots.back()));
  if (read > 2 * steps_drawn_at_each_end) {
    remark(look, tr("drawn: the first and last {0} of {1} steps", steps_drawn_at_each_end, grouped(read)));
  }
}

/// The slots that the user is looking at: the pinned slot, the drawn part of the looked-up path, and the slots of the
/// current step.
std::vector<Slot> slots_in_question(MapState const& state)
{
  std::vector<Slot> slots;
  if (state.selection.pinned) { slots.push_back(*state.selection.pinned); }
  if (state.selection.lookup && !state.selection.lookup->path.slots.empty()) {
    std::vector<Slot> const& path = state.selection.lookup->path.slots;
    for (std::size_t i = 0; i < path.size(); i = next_drawn_step(i, path.size())) { slots.push_back(path[i]); }
  }
  Step const* const step = state.steps.player ? state.steps.player->present() : nullptr;
  if (step == nullptr) { return slots; }
  for (SlotInfo const& seen : step->seen) { slots.push_back(seen.slot); }
  if (step->moved_from) { slots.push_back(*step->moved_from); }
  return slots;
}

/// On a map with text in its cells, the slots that are not empty.
std::vector<Slot> taken_slots(MapState const& state)
{
  std::vector<Slot> slots;
  for (WrittenSlot const& written : state.inspected.written) {
    if (written.slot.state != SlotState::empty) { slots.push_back(written.slot.slot); }
  }
  return slots;
}

/// The places of the visible slots.
std::vector<Rectangle> places_of(std::vector<Slot> const& slots, Camera const& camera, Rectangle const& canvas)
{
  std::vector<Rectangle> places;
  int const side = static_cast<int>(camera.slot_pixels());
  for (Slot const slot : slots) {
    if (!camera.shows(slot)) { continue; }
    Point const corner = camera.slot_corner(slot);
    places.push_back({canvas.x + static_cast<int>(corner.x), canvas.y + static_cast<int>(corner.y), side, side});
  }
  return places;
}

/// Places the card in a corner of `room`. If it would cover the pinned slot in every corner, as on a phone, it goes to
/// a corner of the window, over the elements beside the canvas.
Rectangle place_card(Look const& look, MapState const& state, Camera const& camera, Rectangle const& canvas,
                     Rectangle const& room, CardPlace& card)
{
  auto const places = [&](std::vector<Slot> const& slots) { return places_of(slots, camera, canvas); };
  std::vector<Rectangle> const pinned =
      state.selection.pinned ? places({*state.selection.pinned}) : std::vector<Rectangle>();
  bool const is_room = covered_by(look, clear_of(look, card, room, pinned), room, pinned) == 0;
  ImGuiViewport const& window = *ImGui::GetMainViewport();
  Rectangle const all{static_cast<int>(window.WorkPos.x), static_cast<int>(window.WorkPos.y),
                      static_cast<int>(window.WorkSize.x), static_cast<int>(window.WorkSize.y)};
  card.bottom = !is_room;
  card = clear_of(look, card, is_room ? room : all, places(slots_in_question(state)), places(taken_slots(state)));
  return is_room ? room : all;
}

}  // namespace

void slot_facts(Look const& look, MapState const& state, SlotDetail const& detail)
{
  SlotInfo const& slot = detail.slot;
  Cluster const& cluster = detail.cluster;
  std::string const measure(family_of(state).measure.name);
  fact(look, "Slot", number_of(state, slot.slot));
  if (state.settings.table.shards != 1) {
    fact(look, "Shard", fmt::format("{}", slot.slot / slots_of_shard(state.settings.table)));
  }
  bool const lost = slot.state == SlotState::link && slot.has_key;
  if (lost && detail.found_in) {
    fact(look, "State", tr("a second copy"), theme::warning);
    fact(look, "Found in", grouped(*detail.found_in), theme::warning);
  } else if (lost) {
    fact(look, "State", tr("lost: no lookup finds it here"), theme::warning);
  } else {
    fact(look, "State", is_reserved(state, slot) ? tr("reserved") : translated(to_label(slot.state)));
  }
  if (slot.has_key) {
    if (!detail.wide_key.empty()) {
      wide_key_fact(look, detail.wide_key);
      fact(look, "XXH64", fmt::format("{}", slot.pair.key), theme::text_dim);
    } else {
      key_fact(look, state.settings, slot.pair.key);
    }
    if (slot.state == SlotState::live) { value_fact(look, state.settings.view, slot.pair.value); }
    char const* const home = family_of(state).places_by.empty() ? translatable("Home slot") : translatable("Head");
    if (slot.home != no_slot) { fact(look, home, number_of(state, slot.home)); }
    if (!measure.empty() && !lost) { fact(look, measure.c_str(), measure_of(state, slot.probe_length)); }
    if (slot.chain_length != 0) {
      fact(look, "Chain length", tr_plural("{} node", "{} nodes", slot.chain_length, grouped(slot.chain_length)));
    }
  }
  if (slot.byte_beside != no_byte) { fact(look, "Byte beside it", fmt::format("{:02x}", slot.byte_beside)); }
  if (cluster.length > 0) {
    fact(look, "Cluster", tr_plural("{} slot", "{} slots", cluster.length, grouped(cluster.length)));
  }
  if (cluster.length > 1) {
    std::uint64_t const ring = slots_of_shard(state.settings.table);
    std::uint64_t const first = cluster.start / ring * ring;
    std::uint64_t const last = first + (cluster.start - first + cluster.length - 1) % ring;
    fact(look, "", tr("{} to {}", grouped(cluster.start), grouped(last)), theme::text_dim);
  }
}

bool draw_selection(Look const& look, MapState const& state, Camera const& camera, Rectangle const& canvas,
                    Rectangle const& room)
{
  constexpr char const* name = "##selection";
  Selection const& selection = state.selection;
  if (!selection.pinned && !selection.lookup) { return true; }
  CardPlace card;
  if (ImGuiWindow const* const drawn = ImGui::FindWindowByName(name)) { card.size = drawn->Size; }
  Rectangle const place = place_card(look, state, camera, canvas, room, card);
  bool const close = begin_card(look, name, place, card);
  if (selection.lookup) { lookup_facts(look, state, *selection.lookup); }
  if (selection.lookup && selection.pinned) { ImGui::Separator(); }
  if (state.inspected.pinned) { slot_facts(look, state, *state.inspected.pinned); }
  end_card();
  return !close;
}

}  // namespace slotscape
