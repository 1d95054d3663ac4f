#pragma once

#include "app/gui.hpp"
#include "app/rectangle.hpp"
#include "app/scenes/spatial/state.hpp"

namespace slotscape {

/// What stands round the models in space.

/// Above: the Boolean, what colours, voxels or points.
void draw_models_toolbar(Look const& look, SpatialState& state, Rectangle const& place);
float models_toolbar_height(Look const& look, float width);  ///< two rows where it is narrow
/// Below: what the colours mean. `scale_end`: value at the end of the palette.
void draw_models_legend(Look const& look, SpatialState& state, double scale_end, Rectangle const& place);
/// Over them: the selected voxel, and where the hash has put it. Gives false when the user closes it.
bool draw_voxel_card(Look const& look, SpatialState const& state, Rectangle const& canvas);

}  // namespace slotscape
