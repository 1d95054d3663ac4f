#pragma once

#include "app/scenes/spatial/state.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// Where the models come from and where they stand.
void models_panel(Look const& look, SpatialState& state);
/// How they move by themselves.
void animation_panel(Look const& look, SpatialState& state);
/// The grid, and the tables that the voxels are hashed into.
void hashing_panel(Look const& look, SpatialState& state);
/// What the picture shows of them.
void picture_panel(Look const& look, SpatialState& state);

/// Points, voxels, tables and what is inside of what.
void voxel_numbers_panel(Look const& look, SpatialState& state);
/// How long each stage takes: the latest frames, stacked.
void stages_panel(Look const& look, SpatialState const& state, Charts& charts);

/// A place of this size to click, which hides or shows the voxels of these statuses (`spatial::ShownParts`), called
/// "intersection".
void hiding_button(Look const& look, SpatialState& state, std::string const& id, std::uint8_t parts, ImVec2 size,
                   std::string const& called);

/// A square of a colour; hollow if what it stands for is hidden.
void draw_swatch(ImDrawList& list, ImVec2 at, float side, ImU32 color, bool hollow);

/// What surrounds the models in space.

/// Above: the Boolean, what colours, voxels or points.
void draw_models_toolbar(Look const& look, SpatialState& state, Rectangle const& place);
float models_toolbar_height(Look const& look, SpatialState const& state, float width);  ///< two rows if it is narrow
/// Below: what the colours mean; classes have their names over the canvas. `scale_end`: value at the end of the
/// palette.
void draw_models_legend(Look const& look, SpatialState& state, double scale_end, Rectangle const& canvas,
                        Rectangle const& place);
/// On a slide, at the lower edge of the canvas: the same in short.
void draw_models_slide_legend(Look const& look, Drawing& drawing, SpatialState const& state, double scale_end,
                              Rectangle const& canvas);
/// Over them: the selected voxel, and where the hash placed it. Returns false when the user closes it.
bool draw_voxel_card(Look const& look, SpatialState const& state, Rectangle const& canvas, CardPlace& card);

}  // namespace slotscape
