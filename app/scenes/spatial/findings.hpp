#pragma once

#include "app/base/findings.hpp"
#include "app/scenes/spatial/state.hpp"

namespace slotscape {

/// Findings about the models: what their files lack, what was changed when reading, how they were scaled. The texts
/// contain no numbers that change while a model moves, so that each finding is reported only once.
Findings findings_of(SpatialState const& state);

double points_per_voxel(SpatialState const& state, spatial::Model model);
/// Whether a model has too few points per voxel for a surface without holes.
bool is_sparse(SpatialState const& state, spatial::Model model);

}  // namespace slotscape
