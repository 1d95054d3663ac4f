#pragma once

#include "app/scenes/spatial/state.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// The height of a chart of measured values, without its title.
inline constexpr float measured_chart_height = 120.0f;

/// The sources of the models and their places.
void models_panel(Look const& look, SpatialState& state);
/// The models' animation.
void animation_panel(Look const& look, SpatialState& state);
/// The settings of the grid and of the hash tables of voxels.
void hashing_panel(Look const& look, SpatialState& state);
/// Settings of the picture.
void picture_panel(Look const& look, SpatialState& state);
/// The settings of the section: the box and the plane that cut the scene open.
void section_panel(Look const& look, SpatialState& state);
/// Distances and angles measured by clicks: the panel, and the lines over the canvas, whose top left corner on the
/// screen is `corner`.
void ruler_panel(Look const& look, SpatialState& state);
/// The last height profile, seen from the side.
void profile_chart(Look const& look, SpatialState const& state, Charts& charts);
void draw_ruler(Look const& look, Drawing& drawing, ImVec2 corner, OrbitCamera const& camera,
                SpatialState const& state);

/// The settings of the distances between the models, their statistics, and their histogram.
void distances_panel(Look const& look, SpatialState& state);
void distance_numbers_panel(Look const& look, SpatialState const& state);
void distance_chart(Look const& look, SpatialState const& state, Charts& charts);

/// Statistics: points, voxels, tables, and how much is inside.
void voxel_numbers_panel(Look const& look, SpatialState& state);
/// The duration of each stage in the latest frames, stacked.
void stages_panel(Look const& look, SpatialState const& state, Charts& charts);

/// A clickable area of this size that hides or shows the voxels of these statuses (`spatial::ShownParts`), labelled
/// `called`, such as "intersection".
void hiding_button(Look const& look, SpatialState& state, std::string const& id, std::uint8_t parts, ImVec2 size,
                   std::string const& called);

/// A coloured square; hollow if the voxels that it stands for are hidden.
void draw_swatch(ImDrawList& list, ImVec2 at, float side, ImU32 color, bool hollow);

/// Controls around the models in space.

/// Above the canvas: the Boolean, the colouring, and voxels or points.
void draw_models_toolbar(Look const& look, SpatialState& state, Rectangle const& place);
float models_toolbar_height(Look const& look, SpatialState const& state, float width);  ///< two rows if narrow
/// Below the canvas: a legend of the colours; names of classes are over the canvas. `scale_end`: value at the end of
/// the palette.
void draw_models_legend(Look const& look, SpatialState& state, double scale_end, Rectangle const& canvas,
                        Rectangle const& place);
/// A short legend for slides, at the lower edge of the canvas.
void draw_models_slide_legend(Look const& look, Drawing& drawing, SpatialState const& state, double scale_end,
                              Rectangle const& canvas);
/// A card over the canvas with the selected voxel, and where the hash placed it. Returns false when the user closes it.
bool draw_voxel_card(Look const& look, SpatialState const& state, Rectangle const& canvas, CardPlace& card);

}  // namespace slotscape
