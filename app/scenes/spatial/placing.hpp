#pragma once

#include "app/scenes/spatial/state.hpp"

namespace slotscape {

/// The rotation that turns this axis of a file upwards: along z, in the scene.
spatial::Rotation upright(clouds::UpAxis up);
/// A model that was not shown before.
ModelSettings fresh_model(std::string const& source);
/// Stands an opened model where a fresh one stands: in the middle, upright.
void reset_place(ModelSettings& model);
/// Takes `up` as the axis of the file that points upwards. How the model was turned since then is kept.
void set_up_axis(ModelSettings& model, clouds::UpAxis up);
/// Whether both models come from files, and one scale can show both where these have them.
bool may_share_coordinates(SpatialState const& state);
/// Whether two files name the same coordinate system; nothing if they name none, or one by a code and one by a name.
std::optional<bool> have_same_system(clouds::PointCloud const& a, clouds::PointCloud const& b);
/// Whether two files keep the coordinates that they have in common, and why or why not, in words.
struct CoordinatesChoice {
  bool together = false;
  std::string why = {};
};
/// As the settings ask. Without that, they keep them if they name the same coordinate system; or, where not both name
/// one, if both are off the origin, and overlap or nearly touch; or if both have survey coordinates, far from the
/// origin, and are no farther apart than twice the larger one's diagonal, as tiles of one survey.
CoordinatesChoice choose_coordinates(SpatialState const& state);
/// Whether both models stand where their files have them, in one scale; nothing if not both come from files.
std::optional<bool> common_coordinates(SpatialState const& state);
/// Whether two files are shown in one scale, however they were moved and turned.
bool have_common_scale(SpatialState const& state);
/// How the sizes and places of two files in the scene are related to those that the files have.
enum class PlacedAs : std::uint8_t {
  same_coordinates,  ///< as in the files, in one scale
  one_scale,         ///< sizes compare, places do not
  each_by_itself,
};
template <>
std::span<EnumName<PlacedAs> const> enum_names();
/// Nothing if not both models come from files.
std::optional<PlacedAs> placement_of(SpatialState const& state);
/// The same in a sentence, with the reason, if it is that of `choose_coordinates`: "Each by itself: …". Empty if not
/// both come from files.
std::string text_of_placement(SpatialState const& state);
/// Whether a model stands where it was put when it was opened, in a scale of its own.
bool stands_as_opened(ModelSettings const& model);
/// Places both models by the coordinates of their files, in one scale, turned as `reference` is: together they fill the
/// place that one model has when it is opened. The animation, which moves each in its own way, ends.
void place_by_coordinates(SpatialState& state, spatial::Model reference);
/// Places both models in the middle, each in a scale of its own.
void place_each_by_itself(SpatialState& state);
/// Places a model so that it is now seen in this pose, wherever the animation has moved it.
void place_as_seen(SpatialSceneSettings& settings, spatial::Model model, spatial::Pose const& seen);

}  // namespace slotscape
