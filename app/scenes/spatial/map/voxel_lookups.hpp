#pragma once

#include "app/table_map/map_links.hpp"
#include "gpu/spatial/engine.hpp"

namespace slotscape {

/// The lookup of the neighbour across a face of the selected voxel: labelled and coloured by axis
/// (`spatial::face_step`).
MapLookup neighbour_lookup(int face, ProbePath path);
/// The lookup of the selected voxel of `model` in the other model's table.
MapLookup voxel_lookup(spatial::Model model, ProbePath path);

}  // namespace slotscape
