#pragma once

#include "app/view3d/line_batch.hpp"
#include "app/view3d/orbit_camera.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <array>

namespace slotscape {

/// For x, y and z.
inline constexpr std::array<Color, 3> axis_colors{Color{0.91f, 0.44f, 0.42f}, Color{0.55f, 0.80f, 0.40f},
                                                  Color{0.44f, 0.64f, 0.96f}};

/// The edges of the grid's cube that are behind everything in it, and a floor of lines.
void add_grid_box(LineBatch& lines, spatial::VoxelGrid const& grid, OrbitCamera const& camera);
/// Names of the axes at the edges of the cube, and its numbers of voxels, over the canvas whose top left corner on the
/// screen is `corner`.
void label_grid_box(Drawing& drawing, ImVec2 corner, spatial::VoxelGrid const& grid, OrbitCamera const& camera,
                    Look const& look);

}  // namespace slotscape
