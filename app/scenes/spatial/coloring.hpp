#pragma once

#include "app/scene/commands.hpp"
#include "app/scenes/spatial/state.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// The clouds of A and B.
std::array<clouds::PointCloud const*, spatial::model_count> both_clouds(SpatialState const& state);
/// The requested attribute: the chosen one, or else the first; empty if there are no attributes.
std::string attribute_asked_for(SpatialState const& state);
/// Whether a model has the shown attribute.
bool has_attribute(SpatialState const& state, spatial::Model model);
/// Whether neither model has the requested attribute.
bool lacks_attribute(SpatialState const& state);
/// Why the requested attribute cannot be shown, and what to do; empty if it can.
std::string why_no_attribute(SpatialState const& state);

/// What the models can be coloured by, each attribute separately, in the order of "Colour by" and C.
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
