#pragma once

#include "app/view3d/line_batch.hpp"
#include "app/view3d/orbit_camera.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace slotscape {

/// Adds the edges of the grid's cube that are behind everything in it, and a floor of lines.
void add_grid_box(LineBatch& lines, spatial::VoxelGrid const& grid, OrbitCamera const& camera);
/// The place from which the eye sees the whole cube, as large as the canvas allows.
OrbitPlace place_for_whole_grid(OrbitCamera const& camera);
/// Labels the edges of the cube with the names of the axes, its length in voxels along each, and the first and last
/// coordinates, over the canvas with its top left corner at `corner` on the screen. `sides`: its lengths in other
/// units, such as "193 m".
void label_grid_box(Drawing& drawing, ImVec2 corner, spatial::VoxelGrid const& grid, OrbitCamera const& camera,
                    Look const& look, std::array<std::int32_t, 3> const& lowest = {},
                    std::array<std::string, 3> const& sides = {});

}  // namespace slotscape
