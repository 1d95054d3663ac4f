#pragma once

#include "app/view3d/line_batch.hpp"
#include "app/view3d/orbit_camera.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace slotscape {

/// The edges of the grid's cube that are behind everything in it, and a floor of lines.
void add_grid_box(LineBatch& lines, spatial::VoxelGrid const& grid, OrbitCamera const& camera);
/// Where an eye sees the whole cube, as large as the canvas allows.
OrbitPlace place_for_whole_grid(OrbitCamera const& camera);
/// Names of the axes at the edges of the cube, how many voxels long it is along each, and at which one it begins and
/// ends, over the canvas whose top left corner on the screen is `corner`. `sides`: its lengths in other units, such as
/// "193 m".
void label_grid_box(Drawing& drawing, ImVec2 corner, spatial::VoxelGrid const& grid, OrbitCamera const& camera,
                    Look const& look, std::array<std::int32_t, 3> const& lowest = {},
                    std::array<std::string, 3> const& sides = {});

}  // namespace slotscape
