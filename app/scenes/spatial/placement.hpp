#pragma once

#include "app/scenes/spatial/state.hpp"

/// How two files are placed in the scene relative to their coordinates, and why. The window, statistics, exported files
/// and slides all use these functions.
namespace slotscape {

/// How sizes and positions of two files in the scene relate to those in the files.
enum class PlacedAs : std::uint8_t {
  same_coordinates,  ///< as in the files, at one scale
  one_scale,         ///< sizes are comparable, positions are not
  each_by_itself,
};
template <>
std::span<EnumName<PlacedAs> const> enum_names();

/// The placement as currently seen, including moves by hand or animation. Nothing unless both models come from files.
std::optional<PlacedAs> placement_of(SpatialState const& state);
/// The placement for models seen in these poses.
std::optional<PlacedAs> placement_in(SpatialState const& state, spatial::PerModel<spatial::Pose> const& poses);
/// The placement as a sentence: "A and B have one scale, but …".
std::string sentence_of(PlacedAs placement);
/// The reason for the placement: that of `choose_coordinates`, or a move by hand or animation. seen: `placement_of` the
/// state.
std::string why_placed_so(SpatialState const& state, PlacedAs seen);
/// Whether changes or distances are shown between two files that are not in a common coordinate system, so that they
/// are meaningless. The user may have requested this (`SpatialSceneSettings::same_coordinates` is false).
bool compares_apart(SpatialState const& state);
/// The text of this warning.
std::string warning_of_comparison();
/// A short text with the placement and its reason: "Each by itself: …". Empty unless both come from files.
std::string text_of_placement(SpatialState const& state);
/// Whether two files are placed by their coordinates, apart from motion by the animation.
bool are_placed_by_coordinates(SpatialState const& state);

/// Whether both models come from files, and one scale can show both at their coordinates.
bool may_share_coordinates(SpatialState const& state);
/// Whether two files name the same coordinate system, without a conflict in heights; nothing if they name none, or one
/// by a code and the other by a name.
std::optional<bool> have_same_system(clouds::PointCloud const& a, clouds::PointCloud const& b);
/// Why the numbers of two files are not comparable: they name different systems or units, for x and y or for z. Nothing
/// if they are comparable.
std::optional<std::string> why_numbers_do_not_compare(SpatialState const& state);
/// Whether to keep the common coordinates of two files, and the reason as text.
struct CoordinatesChoice {
  bool together = false;
  std::string why = {};
};
/// Follows the settings. By default, coordinates are kept if both files name the same coordinate system. If not both
/// name one, they are kept in two cases: both are away from the origin and overlap or nearly touch; or both have survey
/// coordinates, far from the origin, and are at most twice the larger one's diagonal apart, as tiles of one survey are.
/// Files that name different systems or units never keep them.
CoordinatesChoice choose_coordinates(SpatialState const& state);

/// The frame around both models, and the scale of a model in it.
clouds::Frame common_frame(SpatialState const& state);
float common_scale(SpatialState const& state, clouds::Frame const& common, spatial::Model model);

/// Advice on points far outside all others in these models: "B has 3 points far outside: …". Empty if there are none,
/// or they are already ignored.
std::string advice_on_outliers(SpatialState const& state, std::span<spatial::Model const> models);

}  // namespace slotscape
