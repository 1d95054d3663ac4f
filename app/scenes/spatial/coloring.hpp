#pragma once

#include "app/scene/commands.hpp"
#include "app/scenes/spatial/state.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Those of A and B.
std::array<clouds::PointCloud const*, spatial::model_count> both_clouds(SpatialState const& state);
/// Which attribute is asked for: the chosen one or, where none was chosen, the first; empty if there is none.
std::string attribute_asked_for(SpatialState const& state);
/// Whether a model has the attribute that is shown.
bool has_attribute(SpatialState const& state, spatial::Model model);
/// Whether an attribute is asked for that neither model has.
bool lacks_attribute(SpatialState const& state);
/// Why what is asked for cannot be shown, and what to do; empty if it can.
std::string why_no_attribute(SpatialState const& state);

/// What the models can be coloured by, attributes one by one, as "Colour by" and C offer it.
struct ColorChoice {
  spatial::PaintBy paint_by;
  std::string attribute;
  std::string label;
};
std::vector<ColorChoice> color_choices(SpatialState const& state);
bool is_chosen(SpatialState const& state, ColorChoice const& choice);
void choose_color(SpatialState& state, ColorChoice const& choice);
void choose_next_color(SpatialState& state);
Command color_menu(std::string_view menu, std::string const& label, SpatialState& state);

}  // namespace slotscape
