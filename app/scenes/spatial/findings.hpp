#pragma once

#include "app/base/findings.hpp"
#include "app/scenes/spatial/state.hpp"

namespace slotscape {

/// What was noticed about the models: what their files lack, what was changed on the way, how they were scaled. The
/// texts hold no numbers that change while a model is moved, so that each is told once.
Findings findings_of(SpatialState const& state);

double points_per_voxel(SpatialState const& state, spatial::Model model);
/// Whether they are too few for a surface without holes.
bool is_sparse(SpatialState const& state, spatial::Model model);

}  // namespace slotscape
