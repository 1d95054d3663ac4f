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
  std::uint64_t points = default_points;  ///< sampled on a shape or mesh; a point cloud keeps its own
  spatial::Pose place;
  std::optional<clouds::UpAxis> up = {};  ///< of the file, which `place` has turned upwards; empty: guessed at opening
  bool turned = false;                    ///< `place` is turned as it shall be; else opening turns the model upright
  bool ignore_outliers = false;           ///< leaves out points of a cloud that are far outside all others
  friend bool operator==(ModelSettings const&, ModelSettings const&) = default;
};

inline constexpr double min_extent = 0.01;  ///< of the grid, in units of the scene
inline constexpr double max_extent = 1000.0;
inline constexpr double farthest_position = farthest_model * max_extent;  ///< of a model, on each axis

/// The animation of the models.
enum class Motion : std::uint8_t { still, spin, orbit, wobble };

struct AnimationSettings {
  Motion motion = Motion::orbit;
  bool running = true;
  double speed = 1.0;
  double time = 0.0;  ///< seconds, at speed 1

  bool moves() const { return running && motion != Motion::still; }
  /// Runs or pauses it. Models that stand still get the first motion, from its beginning.
  void toggle();
  friend bool operator==(AnimationSettings const&, AnimationSettings const&) = default;
};

/// All settings of the spatial scene, as saved.
struct SpatialSceneSettings {
  spatial::PerModel<ModelSettings> models{{ModelSettings{"torus_knot", default_points, {{}, {}, 0.85f}},
                                           ModelSettings{"sphere", default_points, {{}, {}, 0.75f}}}};
  /// Whether two files keep the coordinates that they have in common, or are scaled and placed each by itself; empty:
  /// they keep them if they belong together (`choose_coordinates`). Models that were placed stay there.
  std::optional<bool> same_coordinates = {};
  std::uint64_t seed = 1;  ///< of the points sampled on shapes and meshes
  spatial::SpatialSettings hashing{.grid = {.side = 128, .extent = 2.4f}};
  spatial::Boolean boolean = spatial::Boolean::a_minus_b;  ///< shows the inside
  std::uint8_t hidden = 0;                                 ///< of the result, see `spatial::ShownParts`
  AnimationSettings animation;
  ModelsViewSettings view{.ghosts = true};
  ViewSettings maps{.color_by = ColorBy::probe_length};  ///< of the slots
  bool show_maps = true;
  bool turntable = false;

  /// Whether a model is the user's own.
  bool shows_files() const;
  friend bool operator==(SpatialSceneSettings const&, SpatialSceneSettings const&) = default;
};

/// "A" or "B".
char const* letter_of(spatial::Model model);

/// The voxels that the settings show.
inline spatial::ShownParts shown_parts(SpatialSceneSettings const& settings)
{
  return {settings.hashing.changes.shown ? spatial::Boolean::both : settings.boolean, settings.hidden};
}
inline StatusColors const& status_colors(SpatialSceneSettings const& settings)
{
  return status_colors(settings.view, settings.hashing.changes.shown);
}
/// Shows the result of a Boolean, and no longer changes.
void show_boolean(SpatialSceneSettings& settings, spatial::Boolean boolean);
/// Shows changes or, again, the result of the Boolean. Statuses mean something else there: those that are hidden are
/// shown again, and only whole models stay hidden.
void show_changes(SpatialSceneSettings& settings, bool shown);
/// What a status is called in files and options, "inside", or where `changes` are shown: "only_a".
std::string_view name_of_status(spatial::VoxelStatus status, bool changes);
/// Hides the voxels of these statuses (`spatial::ShownParts`) or, if all of them are hidden, shows them.
void hide_or_show(SpatialSceneSettings& settings, std::uint8_t parts);
/// Of both models.
std::uint8_t parts_of_status(spatial::VoxelStatus status);
/// Statuses as they are written: "intersection" for both models, "a_intersection" for one, "a" for all of A; of changes
/// "a_and_b", "a_and_b_of_a", "a".
std::vector<std::string> names_of_parts(std::uint8_t parts, bool changes = false);
/// The same, back; nothing if nothing is called so.
std::optional<std::uint8_t> parts_of_name(std::string_view name, bool changes = false);
/// "Choose from: inside, …".
std::vector<std::string_view> names_of_all_parts(bool changes = false);

/// Switches between two-level cuckoo hashing and linear probing, and clamps the settings to the new family's limits.
void exchange_table(spatial::SpatialSettings& hashing);

/// Has the grid so many voxels along a side, with the table that can have them.
void set_grid_side(spatial::SpatialSettings& hashing, std::uint32_t side);

inline constexpr double turntable_speed = 0.25;  ///< radians a second

/// The settings of the spatial scene.
struct SpatialSetup {
  SpatialSceneSettings settings = {};
  std::optional<OrbitPlace> camera = {};         ///< empty: the default view of the models
  std::optional<spatial::Model> stands_in = {};  ///< the other one alone was asked for; not saved
  /// The side of a voxel in the units of this model's file; without one of A's, or of B's if A is no file. Sets the
  /// grid when the models are opened.
  std::optional<double> voxel = {};
  std::optional<spatial::Model> voxel_of = {};
  std::optional<bool> fits = {};  ///< whether models fill that view; empty: those from files do
  bool insists = false;           ///< an attribute or coordinates that are not to be had are an Error; not saved
  bool insists_on_table = false;  ///< the same for a voxel that the table's family cannot have
};
/// Turns time back by so many seconds: after these, an animation and a turntable show what they show now.
void rewind(SpatialSetup& set_up, double seconds);
/// Paths of model files are relative to the document's folder.
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

}  // namespace slotscape
