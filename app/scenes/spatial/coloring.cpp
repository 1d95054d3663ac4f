#include "app/scenes/spatial/coloring.hpp"

#include "app/base/text.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {

using spatial::Model;
using spatial::PaintBy;

std::array<clouds::PointCloud const*, spatial::model_count> both_clouds(SpatialState const& state)
{
  return {&state.clouds[Model::a], &state.clouds[Model::b]};
}

std::string attribute_asked_for(SpatialState const& state)
{
  std::string const& chosen = state.settings.view.attribute;
  if (chosen.empty()) { return state.attributes.empty() ? "" : state.attributes.front(); }
  auto const place = clouds::place_of_name(state.attributes, chosen);
  return place ? state.attributes[*place] : chosen;
}

bool has_attribute(SpatialState const& state, Model model)
{
  return state.coloring && clouds::can_color(state.clouds[model], *state.coloring);
}

bool lacks_attribute(SpatialState const& state)
{
  if (state.settings.view.paint_by != PaintBy::attribute) { return false; }
  bool const comes = state.settings.distances.shown && state.settings.view.attribute == distance_attribute;
  return !comes && std::ranges::find(state.attributes, attribute_asked_for(state)) == state.attributes.end();
}

std::string why_no_attribute(SpatialState const& state)
{
  if (!lacks_attribute(state)) { return {}; }
  if (state.attributes.empty()) {
    return tr("Neither model has colours or other attributes: open a file that has some");
  }
  return tr("Neither model has '{}': choose {}", state.settings.view.attribute,
            listed(state.attributes, tr_in("between two names", "or")));
}

std::vector<ColorChoice> color_choices(SpatialState const& state)
{
  std::vector<ColorChoice> choices;
  for (EnumName<PaintBy> const& name : enum_names<PaintBy>()) {
    bool const is_idle = name.value == PaintBy::status && is_one_alone(state);  // a model alone has no inside
    if (name.value != PaintBy::attribute && !is_idle) { choices.push_back({name.value, "", translated(name.label)}); }
  }
  for (std::string const& name : state.attributes) { choices.push_back({PaintBy::attribute, name, name}); }
  return choices;
}

bool is_chosen(SpatialState const& state, ColorChoice const& choice)
{
  bool const same_kind = state.settings.view.paint_by == choice.paint_by;
  return same_kind && (choice.paint_by != PaintBy::attribute || choice.attribute == attribute_asked_for(state));
}

void choose_color(SpatialState& state, ColorChoice const& choice)
{
  state.settings.view.paint_by = choice.paint_by;
  if (choice.paint_by == PaintBy::attribute) { state.settings.view.attribute = choice.attribute; }
}

void choose_next_color(SpatialState& state)
{
  std::vector<ColorChoice> const choices = color_choices(state);
  auto const here = std::ranges::find_if(choices, [&](ColorChoice const& choice) { return is_chosen(state, choice); });
  bool const last = here == choices.end() || std::next(here) == choices.end();
  choose_color(state, last ? choices.front() : *std::next(here));
}

Command color_menu(std::string_view menu, std::string const& label, SpatialState& state)
{
  auto const draw = [label, &state] {
    if (!ImGui::BeginMenu(translated_label(label).c_str())) { return; }
    PaintBy before = PaintBy::status;
    for (ColorChoice const& choice : color_choices(state)) {
      if (choice.paint_by == PaintBy::attribute && before != choice.paint_by) { ImGui::Separator(); }
      before = choice.paint_by;
      if (ImGui::MenuItem(choice.label.c_str(), nullptr, is_chosen(state, choice))) { choose_color(state, choice); }
    }
    ImGui::EndMenu();
  };
  return {.menu = menu, .label = label, .submenu = draw};
}

}  // namespace slotscape
