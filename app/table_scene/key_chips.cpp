#include "app/table_scene/key_chips.hpp"

#include "app/table_map/dragged_key.hpp"
#include "app/widgets/controls.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <memory>
#include <set>

namespace slotscape {
namespace {

constexpr float chip_padding = 8.0f;
constexpr float chip_gap = 4.0f;

float chip_width(Look const& look, Pair const& key, KeyStyle style)
{
  return ImGui::CalcTextSize(pair_text(key, style).c_str()).x + look(2.0f * chip_padding);
}

OnKeys on_one_key(Operation operation, Pair const& key)
{
  return {operation, std::make_shared<std::vector<Pair> const>(1, key)};
}

void draw_chip(Look const& look, TableState& state, Pair const& key, ImVec2 size)
{
  std::string const text = pair_text(key, state.settings.view.keys_as);
  Operation const operation = state.typed.operation;
  if (ImGui::Button(text.c_str(), size)) { state.ask(OnTyped{on_one_key(operation, key)}); }
  offer_to_drag(key, text);
  hint(look, operation == Operation::insert ? tr("Click it, or drag it onto the map, to insert it.")
             : operation == Operation::find ? tr("Click to find it, or drag it onto the map to insert it.")
                                            : tr("Click to erase it, or drag it onto the map to insert it."));
}

}  // namespace

std::vector<Pair> offered_keys(TableState const& state, std::span<WrittenSlot const> written, std::size_t most)
{
  KeyStyle const style = state.settings.view.keys_as;
  Key const last = largest_named_key(style);
  std::size_t const most_lately = last == 0 ? most : most / 2;
  std::vector<Pair> keys;
  std::set<Key> taken;
  for (Pair const& pair : state.typed.lately) {
    bool const fits = why_refused({Operation::insert, pair.key, pair.value}, state.settings.table.key_bits).empty();
    if (fits && keys.size() < most_lately && taken.insert(pair.key).second) { keys.push_back(pair); }
  }
  for (WrittenSlot const& each : written) {
    if (each.slot.state == SlotState::live && each.slot.has_key) { taken.insert(each.slot.pair.key); }
  }
  for (Key key = 1; key <= last && keys.size() < most; ++key) {
    if (!taken.contains(key)) { keys.push_back({key, 0}); }
  }
  return keys;
}

float chips_width(Look const& look, std::vector<Pair> const& keys, KeyStyle style)
{
  float width = 0.0f;
  for (Pair const& key : keys) { width += chip_width(look, key, style) + (width > 0.0f ? look(chip_gap) : 0.0f); }
  return width;
}

void draw_key_chips(Look const& look, TableState& state, std::vector<Pair> const& keys)
{
  KeyStyle const style = state.settings.view.keys_as;
  ImGui::PushID("chips");
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i != 0) { ImGui::SameLine(0.0f, look(chip_gap)); }
    ImGui::PushID(static_cast<int>(i));
    draw_chip(look, state, keys[i], {chip_width(look, keys[i], style), 0.0f});
    ImGui::PopID();
  }
  ImGui::PopID();
}

void insert_dropped(TableState& state, Pair const& key)
{
  state.ask(OnTyped{on_one_key(Operation::insert, key)});
}

}  // namespace slotscape
