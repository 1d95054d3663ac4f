#pragma once

#include "app/scenes/spatial/placement.hpp"

namespace slotscape {

inline constexpr float first_model_scale = 0.8f;

/// The rotation that turns this axis of a file upwards: along z, in the scene.
spatial::Rotation upright(clouds::UpAxis up);
/// A model that was not shown before.
ModelSettings fresh_model(std::string const& source);
/// Where the shape that stands in for a second model comes to be seen if somebody wants it: small, in a corner of the
/// grid, where it is not in the way.
spatial::Pose place_of_stand_in();
/// Which model is a shape that only stands in for one, by where it stands.
std::optional<spatial::Model> stand_in_of(SpatialSceneSettings const& settings);
/// Whether a model only stands in for one and nobody has moved it: it has no voxels and is not drawn.
bool is_absent(SpatialState const& state, spatial::Model model);
/// Stands an opened model where a fresh one stands: in the middle, upright.
void reset_place(ModelSettings& model);
/// Takes `up` as the axis of the file that points upwards. How the model was turned since then is kept.
void set_up_axis(ModelSettings& model, clouds::UpAxis up);
/// Whether a model stands where it was put when it was opened, in a scale of its own.
bool stands_as_opened(ModelSettings const& model);
/// Where the coordinates of its file have a model that is turned so, in the one scale of both files.
spatial::Pose place_by_coordinates_of(SpatialState const& state, spatial::Model model,
                                      spatial::Rotation const& rotation);
/// Whether a model stands there, wherever the other one is, and that is where the program has put it.
bool stands_by_coordinates(SpatialState const& state, spatial::Model model);
/// Places both models by the coordinates of their files, in one scale, turned as `reference` is: together they fill the
/// place that one model has when it is opened.
void place_by_coordinates(SpatialState& state, spatial::Model reference);
/// Places both models in the middle, each in a scale of its own.
void place_each_by_itself(SpatialState& state);
/// Ends the animation, which moves each in its own way: both models stand where they are placed.
void end_animation(SpatialSceneSettings& settings);
/// Brings a model back to where it was first: where the coordinates of its file have it, if the two files keep theirs,
/// else in the middle, upright. If nobody has moved one of two such files, both stand upright again. An animation that
/// is paused ends, and the other model stays where it is seen.
void reset_model(SpatialState& state, spatial::Model model);
/// Takes `up` as the axis of the model's file that points upwards; of both, if they are placed by their coordinates.
void choose_up_axis(SpatialState& state, spatial::Model model, clouds::UpAxis up);
/// Places a model so that it is now seen in this pose, wherever the animation has moved it.
void place_as_seen(SpatialSceneSettings& settings, spatial::Model model, spatial::Pose const& seen);

}  // namespace slotscape
