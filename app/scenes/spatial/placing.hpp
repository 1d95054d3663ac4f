#pragma once

#include "app/scenes/spatial/settings.hpp"

namespace slotscape {

/// The rotation that turns this axis of a file upwards: along z, in the scene.
spatial::Rotation upright(clouds::UpAxis up);
/// A model that was not shown before.
ModelSettings fresh_model(std::string const& source);
/// Stands an opened model where a fresh one stands: in the middle, upright.
void reset_place(ModelSettings& model);
/// Takes `up` as the axis of the file that points upwards. How the model was turned since then is kept.
void set_up_axis(ModelSettings& model, clouds::UpAxis up);
/// Places a model so that it is now seen in this pose, wherever the animation has moved it.
void place_as_seen(SpatialSceneSettings& settings, spatial::Model model, spatial::Pose const& seen);

}  // namespace slotscape
