#pragma once

#include "app/scenes/spatial/state.hpp"

/// How two files lie in the scene, compared with the coordinates that they have, and why. Whoever tells it, in the
/// window, in statistics, in exported files or on slides, asks here.
namespace slotscape {

/// How the sizes and places of two files in the scene are related to those that the files have.
enum class PlacedAs : std::uint8_t {
  same_coordinates,  ///< as in the files, in one scale
  one_scale,         ///< sizes compare, places do not
  each_by_itself,
};
template <>
std::span<EnumName<PlacedAs> const> enum_names();

/// How they lie where they are seen now, wherever a hand or the animation has moved them. Nothing if not both models
/// come from files.
std::optional<PlacedAs> placement_of(SpatialState const& state);
/// The same, where they are seen in these poses.
std::optional<PlacedAs> placement_in(SpatialState const& state, spatial::PerModel<spatial::Pose> const& poses);
/// The same in a sentence: "A and B have one scale, but …".
std::string sentence_of(PlacedAs placement);
/// Why they lie so: the reason of `choose_coordinates`, or that a hand or the animation has moved them. seen:
/// `placement_of` the state.
std::string why_placed_so(SpatialState const& state, PlacedAs seen);
/// Whether changes are shown between two files that do not stand as in one coordinate system: then they are none.
/// Somebody may have asked for that (`SpatialSceneSettings::same_coordinates` is false).
bool compares_apart(SpatialState const& state);
/// The same in words.
std::string warning_of_changes();
/// The placement and its reason in short: "Each by itself: …". Empty if not both come from files.
std::string text_of_placement(SpatialState const& state);
/// Whether two files are placed by their coordinates, and at most the animation has moved them from there.
bool are_placed_by_coordinates(SpatialState const& state);

/// Whether both models come from files, and one scale can show both where these have them.
bool may_share_coordinates(SpatialState const& state);
/// Whether two files name the same coordinate system, and no different ones for heights; nothing if they name none, or
/// one by a code and one by a name.
std::optional<bool> have_same_system(clouds::PointCloud const& a, clouds::PointCloud const& b);
/// Why the numbers of two files do not compare: they name different systems or units, of x and y or of z. Nothing if
/// they do not.
std::optional<std::string> why_numbers_do_not_compare(SpatialState const& state);
/// Whether two files keep the coordinates that they have in common, and why or why not, in words.
struct CoordinatesChoice {
  bool together = false;
  std::string why = {};
};
/// As the settings ask. Without that, they keep them if they name the same coordinate system; or, where not both name
/// one, if both are off the origin, and overlap or nearly touch; or if both have survey coordinates, far from the
/// origin, and are no farther apart than twice the larger one's diagonal, as tiles of one survey. Never if they name
/// different systems or units.
CoordinatesChoice choose_coordinates(SpatialState const& state);

/// The frame around both models, and the scale of a model that stands in it.
clouds::Frame common_frame(SpatialState const& state);
float common_scale(SpatialState const& state, clouds::Frame const& common, spatial::Model model);

/// What to do about points far outside all others in these models: "B has 3 points far outside: …". Empty if there are
/// none, or they are left out.
std::string advice_on_outliers(SpatialState const& state, std::span<spatial::Model const> models);

}  // namespace slotscape
