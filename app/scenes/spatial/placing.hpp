#pragma once

#include "app/scenes/spatial/placement.hpp"

#include <span>

namespace slotscape {

inline constexpr float first_model_scale = 0.8f;

/// The rotation that turns this axis of a file upwards, along z of the scene.
spatial::Rotation upright(clouds::UpAxis up);
/// The settings of a model that has not been shown before.
ModelSettings fresh_model(std::string const& source);
/// The place of a stand-in for a second model once the user asks for it: small, in a corner of the grid, out of the
/// way.
spatial::Pose place_of_stand_in();
ModelSettings stand_in();
/// Finds the model that is only a stand-in, by its place.
std::optional<spatial::Model> stand_in_of(SpatialSceneSettings const& settings);
/// Whether a model is a stand-in that nobody has moved: it has no voxels and is not drawn.
bool is_absent(SpatialState const& state, spatial::Model model);
/// Both models, or the one that is shown alone.
std::span<spatial::Model const> shown_models(SpatialState const& state);
inline bool is_one_alone(SpatialState const& state)
{
  return shown_models(state).size() == 1;
}
/// Gives an opened model the place of a fresh one: in the middle, upright.
void reset_place(ModelSettings& model);
/// Makes `up` the upward axis of the file, and keeps rotations that the user has made since.
void set_up_axis(ModelSettings& model, clouds::UpAxis up);
/// Whether a model is still where it was placed when opened, at its own scale.
bool stands_as_opened(ModelSettings const& model);
/// The place of a model with this rotation by its file's coordinates, at the common scale of both files.
spatial::Pose place_by_coordinates_of(SpatialState const& state, spatial::Model model,
                                      spatial::Rotation const& rotation);
/// Whether the program has placed a model by its coordinates and it is still there, wherever the other one is.
bool is_placed_by_coordinates(SpatialState const& state, spatial::Model model);
/// Places both models by their files' coordinates, at one scale, with the rotation of `reference`. Together they fill
/// the space of one opened model.
void place_by_coordinates(SpatialState& state, spatial::Model reference);
/// Places both models in the middle, each at its own scale.
void place_each_by_itself(SpatialState& state);
/// Ends the animation, which moves each model differently. Both return to their places.
void end_animation(SpatialSceneSettings& settings);
/// Returns a model to its initial place: by its file's coordinates if both files keep theirs, otherwise in the middle,
/// upright. If neither of two such files has been moved, both are turned upright again. A paused animation ends, and
/// the other model stays where it is seen.
void reset_model(SpatialState& state, spatial::Model model);
/// Makes `up` the upward axis of the model's file, or of both files if they are placed by their coordinates.
void choose_up_axis(SpatialState& state, spatial::Model model, clouds::UpAxis up);
/// Places a model so that it is currently seen in this pose, compensating for the animation.
void place_as_seen(SpatialSceneSettings& settings, spatial::Model model, spatial::Pose const& seen);

}  // namespace slotscape
