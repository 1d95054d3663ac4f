#pragma once

#include "app/scene/commands.hpp"
#include "app/scenes/spatial/state.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Which attribute is asked for: the chosen one or, where none was chosen, the first; empty if there is none.
std::string attribute_asked_for(SpatialState const& state);
/// Whether a model has the attribute that is shown.
bool has_attribute(SpatialState const& state, spatial::Model model);
/// Why what is asked for cannot be shown, and what to do; empty if it can.
std::string why_no_attribute(SpatialState const& state);

/// What the models can be coloured by, attributes one by one, as "Colour by" and C offer it.
struct ColourChoice {
  spatial::PaintBy paint_by;
  std::string attribute;
  std::string label;
};
std::vector<ColourChoice> colour_choices(SpatialState const& state);
bool is_chosen(SpatialState const& state, ColourChoice const& choice);
void choose_colour(SpatialState& state, ColourChoice const& choice);
void choose_next_colour(SpatialState& state);
Command colour_menu(std::string_view menu, std::string const& label, SpatialState& state);

}  // namespace slotscape
