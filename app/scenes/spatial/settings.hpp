#pragma once

#include "app/base/setting.hpp"
#include "app/clouds/point_cloud.hpp"
#include "app/simulation/names.hpp"
#include "app/table_map/settings.hpp"
#include "app/view3d/orbit_camera.hpp"
#include "app/view3d/pose_drag.hpp"
#include "app/view3d/view_settings.hpp"
#include "gpu/spatial/engine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

inline constexpr std::uint64_t default_points = 160000;

/// The source of a model, and its place without animation.
struct ModelSettings {
  std::string source;                     ///< name of a built-in shape, or file path
  std::uint64_t points = default_points;  ///< samples on a shape or mesh; a point cloud has a fixed number
  spatial::Pose place;
  std::optional<clouds::UpAxis> up = {};  ///< axis of the file that `place` turns upwards; empty: guessed when opened
  bool turned = false;                    ///< `place` has the final rotation; otherwise opening turns the model upright
  bool ignore_outliers = false;           ///< ignores points of a cloud far outside all others
  std::optional<clouds::Box> crop = {};   ///< keeps only the points of a cloud in this box, in the file's coordinates
  clouds::FileUnit unit = clouds::FileUnit::as_is;  ///< of the file's coordinates, which are then converted to metres
  friend bool operator==(ModelSettings const&, ModelSettings const&) = default;
};

inline constexpr double min_extent = 0.01;  ///< of the grid, in scene units
inline constexpr double max_extent = 1000.0;
inline constexpr double farthest_position = farthest_model * max_extent;  ///< of a model, along each axis

/// The animation of the models.
enum class Motion : std::uint8_t { still, spin, orbit, wobble };

struct AnimationSettings {
  Motion motion = Motion::orbit;
  bool running = true;
  double speed = 1.0;
  double time = 0.0;  ///< seconds, at speed 1

  bool moves() const { return running && motion != Motion::still; }
  /// Starts or pauses the animation. Models without a motion get the first one, from its beginning.
  void toggle();
  friend bool operator==(AnimationSettings const&, AnimationSettings const&) = default;
};

/// Distances between the models, from cloud to cloud.
struct DistanceSettings {
  bool shown = false;
  bool is_signed = false;  ///< negative behind the other model's surface
  double threshold = 0.0;  ///< points up to this distance count as unchanged, in units of the file
  friend bool operator==(DistanceSettings const&, DistanceSettings const&) = default;
};

/// All saved settings of the spatial scene.
struct SpatialSceneSettings {
  spatial::PerModel<ModelSettings> models{{ModelSettings{"torus_knot", default_points, {{}, {}, 0.85f}},
                                           ModelSettings{"sphere", default_points, {{}, {}, 0.75f}}}};
  /// Whether two files keep their common coordinates, or are scaled and placed separately; empty: they keep them if
  /// they belong together (`choose_coordinates`). Models that the user has placed stay there.
  std::optional<bool> same_coordinates = {};
  std::uint64_t seed = 1;  ///< for the points sampled on shapes and meshes
  spatial::SpatialSettings hashing{.grid = {.side = 128, .extent = 2.4f}};
  spatial::Boolean boolean = spatial::Boolean::a_minus_b;  ///< also shows the inside
  std::uint8_t hidden = 0;                                 ///< parts of the result, see `spatial::ShownParts`
  spatial::Section section;
  DistanceSettings distances;
  AnimationSettings animation;
  ModelsViewSettings view{.ghosts = true, .eye_dome = true};
  ViewSettings maps{.color_by = ColorBy::probe_length};  ///< settings of the slot maps
  bool show_maps = true;
  bool turntable = false;

  /// Whether a model is the user's own file.
  bool shows_files() const;
  friend bool operator==(SpatialSceneSettings const&, SpatialSceneSettings const&) = default;
};

/// "A" or "B".
char const* letter_of(spatial::Model model);

/// The voxels that the settings show.
inline spatial::ShownParts shown_parts(SpatialSceneSettings const& settings)
{
  return {settings.hashing.changes.shown ? spatial::Boolean::both : settings.boolean, settings.hidden,
          settings.section};
}
inline StatusColors const& status_colors(SpatialSceneSettings const& settings)
{
  return status_colors(settings.view, settings.hashing.changes.shown);
}
/// Shows the result of a Boolean instead of changes.
void show_boolean(SpatialSceneSettings& settings, spatial::Boolean boolean);
/// Switches between changes and the Boolean's result. Statuses have other meanings there, so hidden ones become visible
/// again; only models that are hidden as a whole stay hidden.
void show_changes(SpatialSceneSettings& settings, bool shown);
/// The name of a status in files and options: "inside", or "only_a" if `changes` are shown.
std::string_view name_of_status(spatial::VoxelStatus status, bool changes);
/// Hides the voxels of these statuses (`spatial::ShownParts`), or shows them if all are hidden.
void hide_or_show(SpatialSceneSettings& settings, std::uint8_t parts);
/// The parts of both models with this status.
std::uint8_t parts_of_status(spatial::VoxelStatus status);
/// The names of parts in files: "intersection" for both models, "a_intersection" for one, "a" for all of A; for changes
/// "a_and_b", "a_and_b_of_a", "a".
std::vector<std::string> names_of_parts(std::uint8_t parts, bool changes = false);
/// The inverse of `names_of_parts`; nothing for an unknown name.
std::optional<std::uint8_t> parts_of_name(std::string_view name, bool changes = false);
/// All names, for "Choose from: inside, …".
std::vector<std::string_view> names_of_all_parts(bool changes = false);

/// Switches between two-level cuckoo hashing and linear probing, and clamps the settings to the new family's limits.
void exchange_table(spatial::SpatialSettings& hashing);

/// Sets the number of voxels along a side of the grid, and a table that supports it.
void set_grid_side(spatial::SpatialSettings& hashing, std::uint32_t side);

inline constexpr double turntable_speed = 0.25;  ///< radians a second

/// The settings of the spatial scene.
struct SpatialSetup {
  SpatialSceneSettings settings = {};
  std::optional<OrbitPlace> camera = {};         ///< empty: the default view
  std::optional<spatial::Model> stands_in = {};  ///< only the other one was requested; not saved
  /// The side of a voxel in the units of this model's file; by default of A's file, or of B's if A has no file. Sets
  /// the grid when the models are opened.
  std::optional<double> voxel = {};
  std::optional<spatial::Model> voxel_of = {};
  std::optional<bool> fits = {};  ///< whether models fill the default view; empty: only files do
  bool own_colors = false;        ///< a model without a partner gets its file's colours, if any; not saved
  bool insists = false;           ///< Error if a requested attribute or coordinates are unavailable; not saved
  bool insists_on_table = false;  ///< Error if the table's family does not support the requested voxel
};
/// Moves the time back by this many seconds: after that time, animation and turntable show the current picture again.
void rewind(SpatialSetup& set_up, double seconds);
/// Paths of model files are relative to the folder of the document.
template <>
std::span<Setting<SpatialSetup> const> settings_of();

template <>
std::span<Setting<ModelSettings> const> settings_of();
template <>
std::span<Setting<spatial::VoxelGrid> const> settings_of();
template <>
std::span<Setting<spatial::SpatialSettings> const> settings_of();
template <>
std::span<Setting<spatial::Changes> const> settings_of();
template <>
std::span<Setting<spatial::Section> const> settings_of();
template <>
std::span<Setting<DistanceSettings> const> settings_of();
template <>
std::span<Setting<AnimationSettings> const> settings_of();
template <>
std::span<Setting<ModelsViewSettings> const> settings_of();
template <>
std::span<Setting<SpatialSceneSettings> const> settings_of();

template <>
std::span<EnumName<spatial::VoxelStatus> const> enum_names();
template <>
std::span<EnumName<spatial::Boolean> const> enum_names();
template <>
std::span<EnumName<spatial::PaintBy> const> enum_names();
template <>
std::span<EnumName<spatial::InstanceKind> const> enum_names();
template <>
std::span<EnumName<spatial::Stage> const> enum_names();
template <>
std::span<EnumName<Motion> const> enum_names();
template <>
std::span<EnumName<clouds::UpAxis> const> enum_names();
template <>
std::span<EnumName<clouds::FileUnit> const> enum_names();

}  // namespace slotscape
