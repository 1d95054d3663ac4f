#include "app/table_scene/toolbar.hpp"

#include "app/table_map/plane.hpp"
#include "app/table_map/shown_color.hpp"
#include "app/table_scene/key_chips.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

constexpr float one_row_width = 840.0f;
constexpr float two_rows_width = 620.0f;  ///< below this, the field is too short for a few keys
constexpr float field_width = 340.0f;     ///< with the choice beside it, if draggable keys follow
constexpr std::size_t max_chips = 12;

template <class Enum, std::size_t Count>
void enum_segments(Look const& look, char const* id, std::array<std::string_view, Count> const& labels,
                   std::array<Enum, Count> const& values, Enum& value)
{
  int chosen = 0;
  for (std::size_t i = 0; i < Count; ++i) {
    if (values[i] == value) { chosen = static_cast<int>(i); }
  }
  if (segmented(look, id, labels, chosen)) { value = values[static_cast<std::size_t>(chosen)]; }
}

/// The measure's name, or only its first word if the row would become too long.
std::string measure_label(TableState const& state)
{
  constexpr std::size_t longest = 12;
  std::string const name = translated(family_of(state).measure.name);
  return name.size() <= longest ? name : name.substr(0, name.find(' '));
}

void color_segments(Look const& look, TableState& state)
{
  std::string const measure = measure_label(state);
  std::vector<std::string_view> labels{translatable("State")};
  std::vector<ColorBy> values{ColorBy::state};
  auto const add = [&](std::string_view label, ColorBy color) {
    labels.push_back(label);
    values.push_back(color);
  };
  if (!family_of(state).measure.name.empty()) { add(measure, ColorBy::probe_length); }
  auto const has = [&](ColorBy color) { return has_color(color, family_of(state), state.settings.table); };
  if (has(ColorBy::cluster_length)) { add(translatable("Cluster"), ColorBy::cluster_length); }
  if (has(ColorBy::chain_length)) { add(translatable("Chain"), ColorBy::chain_length); }
  if (!state.foreign_facts.is_still) { add(translatable("Recent"), ColorBy::recent); }
  ColorBy& value = state.settings.view.color_by;
  int chosen = static_cast<int>(std::ranges::find(values, value) - values.begin());
  if (segmented(look, "color_by", labels, chosen)) { value = values[static_cast<std::size_t>(chosen)]; }
}

/// The key field and the choice of the operation. `room_after`: pixels left free on its line.
void keys_field(Look const& look, TableState& state, float room_after = 0.0f)
{
  TypedKeys& typed = state.typed;
  KeysFieldUse const use = use_of_field(state);
  if (auto const operation = operation_choice(look, typed, use)) { choose_operation(state, *operation); }
  ImGui::SameLine();
  if (draw_keys_field(look, typed, use, room_after)) {
    if (auto on_keys = enter_keys(state)) { state.ask(OnTyped{std::move(*on_keys)}); }
  }
  if (std::exchange(typed.steps_wanted, false)) { state.ask(EnterSteps{}); }
}

/// The draggable keys that fit on the rest of the line, of which `room_before` pixels are kept free.
std::vector<Pair> fitting_keys(Look const& look, TableState const& state, std::span<WrittenSlot const> written,
                               float room_before)
{
  if (state.foreign != nullptr) { return {}; }  // keys cannot be inserted into a foreign table
  std::vector<Pair> keys = offered_keys(state, written, max_chips);
  float const room = ImGui::GetContentRegionAvail().x - room_before;
  while (!keys.empty() && chips_width(look, keys, state.settings.view.keys_as) > room) { keys.pop_back(); }
  return keys;
}

/// Draws draggable keys on the rest of the line.
void chips_on_line(Look const& look, TableState& state, std::span<WrittenSlot const> written)
{
  ImGui::SameLine();
  std::vector<Pair> const keys = fitting_keys(look, state, written, 0.0f);
  draw_key_chips(look, state, keys);
  if (keys.empty()) { ImGui::NewLine(); }
}

void field_with_chips(Look const& look, TableState& state, std::span<WrittenSlot const> written)
{
  std::vector<Pair> const keys = fitting_keys(look, state, written, look(field_width));
  float const width = chips_width(look, keys, state.settings.view.keys_as);
  keys_field(look, state, keys.empty() ? 0.0f : width + ImGui::GetStyle().ItemSpacing.x);
  if (keys.empty()) { return; }
  ImGui::SameLine();
  draw_key_chips(look, state, keys);
}

/// Whether the key field has its own row. In a low window, the map needs the room more.
bool field_has_a_row(Look const& look, float width)
{
  constexpr float low_window = 440.0f;
  return width < look(two_rows_width) && ImGui::GetMainViewport()->Size.y >= look(low_window);
}

}  // namespace

void choose_operation(TableState& state, Operation operation)
{
  state.typed.operation = operation;
  auto const& shown = state.steps.shown;
  if (!shown) { return; }
  if (state.typed.text.empty()) {
    state.typed.show({operation, shown->key, shown->value}, state.settings.view.keys_as);
  }
  if (!parsed_keys(state).error.empty()) { return; }
  if (auto on_keys = enter_keys(state)) { state.ask(OnTyped{std::move(*on_keys)}); }
}

float toolbar_height(Look const& look, float width)
{
  float const row = ImGui::GetFrameHeight();
  int const more = width >= look(one_row_width) ? 0 : field_has_a_row(look, width) ? 2 : 1;
  return row + look(16.0f) + static_cast<float>(more) * (row + ImGui::GetStyle().ItemSpacing.y);
}

void draw_toolbar(Look const& look, TableState& state, Rectangle const& place, std::span<WrittenSlot const> written)
{
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(10.0f), look(8.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin("##toolbar", nullptr, strip_flags);
  ViewSettings& view = state.settings.view;
  color_segments(look, state);
  bool const one_row = static_cast<float>(place.width) >= look(one_row_width);
  if (one_row) {
    ImGui::SameLine();
  } else {
    chips_on_line(look, state, written);
  }
  if (is_arranged(state)) {
    using enum Arrangement;
    enum_segments<Arrangement, 4>(look, "arrangement",
                                  {translatable("Fit"), translatable("Row"), translatable("Ring"),
                                   translatable("Grid")},
                                  {fitting, row, ring, grid}, view.arrangement);
  } else {
    enum_segments<Layout, 2>(look, "layout", {translatable("Rows"), translatable("Hilbert")},
                             {Layout::rows, Layout::hilbert}, view.layout);
    ImGui::SameLine();
    enum_segments<Reduce, 2>(look, "reduce", {translatable("Max"), translatable("Mean")}, {Reduce::max, Reduce::mean},
                             view.reduce);
  }
  if (!field_has_a_row(look, static_cast<float>(place.width))) { ImGui::SameLine(); }
  if (one_row) {
    field_with_chips(look, state, written);
  } else {
    keys_field(look, state);
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace slotscape
