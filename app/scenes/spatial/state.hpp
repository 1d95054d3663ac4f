#pragma once

#include "app/clouds/colors.hpp"
#include "app/clouds/point_cloud.hpp"
#include "app/scene/facts.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/simulation.hpp"
#include "gpu/analysis/statistics.hpp"
#include "gpu/spatial/engine.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace slotscape {

/// The durations of the stages in the latest updates.
class StageTimes {
public:
  using Seconds = std::array<double, spatial::stage_count>;  ///< by Stage

  static constexpr std::size_t frames_kept = 240;

  void add(Seconds const& seconds);
  void clear() { frames_.clear(); }
  /// Oldest first.
  std::vector<Seconds> const& frames() const { return frames_; }
  /// The median of each stage over the frames kept; zeros if there are none.
  Seconds medians() const;

private:
  std::vector<Seconds> frames_;
};

double total_of(StageTimes::Seconds const& seconds);

/// A hovered or selected voxel, identified by its key: models move, so the voxel may come and go.
struct WatchedVoxel {
  spatial::Model model;
  Key key;
  std::optional<spatial::VoxelInfo> info;  ///< nullopt: currently empty
  std::uint64_t probe_length = 0;          ///< of its key, if the voxel is not empty
};

/// Requests from the user to the scene.
struct UseModel {  ///< with another source or number of points
  spatial::Model model;
  ModelSettings settings;
  bool goes_back = false;  ///< as in `ModelRequest`
};
struct AskForModel {  ///< ask the user for a file
  spatial::Model model;
};
struct PlaceByCoordinates {};  ///< both models, in one common scale
struct PlaceEachByItself {};   ///< both models, each in a scale of its own
/// A grid with voxels so wide in the units of the model's file.
struct UseVoxel {
  spatial::Model model;
  double width;
};
struct CancelLoading {};
struct CancelUpdate {};
struct FocusOnSelection {};
struct ShowAll {};
using SpatialRequest = std::variant<UseModel, AskForModel, PlaceByCoordinates, PlaceEachByItself, UseVoxel,
                                    CancelLoading, CancelUpdate, FocusOnSelection, ShowAll>;

/// A width of voxels that was asked for, in the units of a model's file. It stays, however the model is placed and
/// scaled, until somebody chooses another grid.
struct AskedVoxel {
  spatial::Model model;
  double width;
  spatial::VoxelGrid grid;  ///< that has it

  friend bool operator==(AskedVoxel const&, AskedVoxel const&) = default;
};

/// Facts about a table of voxels.
struct VoxelTableFacts {
  TableSettings table;
  std::uint64_t memory_bytes = 0;
  Statistics statistics;
};

/// Everything that the panels and the views read and edit. They change settings and add to `requests`.
struct SpatialState {
  SpatialSceneSettings settings;
  DeviceFacts device;
  spatial::PerModel<clouds::PointCloud> clouds;
  spatial::PerModel<clouds::Box> boxes;    ///< around them, in the coordinates of their files
  spatial::PerModel<spatial::Pose> poses;  ///< in this frame
  /// Those in which the engine has the points: of a model alone, or one for both, so that equal coordinates of two
  /// files are equal there, too; and the poses of the last update in these.
  spatial::PerModel<clouds::Frame> frames;
  spatial::PerModel<spatial::Pose> engine_poses;
  spatial::SpatialSnapshot snapshot;
  spatial::PerModel<VoxelTableFacts> tables;
  StageTimes stages;
  std::vector<std::string> attributes;        ///< that either model can be coloured by
  std::optional<clouds::Coloring> coloring;   ///< by the attribute that is shown; nothing if neither model has it
  spatial::Model chosen = spatial::Model::a;  ///< has the gizmo, and is replaced by a dropped file
  std::optional<WatchedVoxel> selected;
  std::optional<WatchedVoxel> hovered;
  HashField hash_field;
  std::optional<ProgressSnapshot> progress;         ///< of models that are being opened
  std::optional<ProgressSnapshot> update_progress;  ///< of the voxels, if that takes longer than a frame
  std::string notice;
  std::optional<AskedVoxel> asked_voxel;
  std::optional<spatial::Model> stands_in;  ///< the other one alone was opened
  std::vector<SpatialRequest> requests;
  spatial::PerModel<double> points_entry{};  ///< of the sliders while dragged

  template <class What>
  void ask(What what)
  {
    requests.emplace_back(std::move(what));
  }
};

std::string title_of(SpatialState const& state, spatial::Model model);  ///< "A · torus knot"
/// What a status is called for a voxel of `model`. Nothing is inside of an open surface, only behind it.
std::string_view label_of_status(SpatialState const& state, spatial::Model model, spatial::VoxelStatus status);
/// The same for voxels of either model: "inside / behind" if it depends on the model.
std::string label_of_both(SpatialState const& state, spatial::VoxelStatus status);
/// Both models, to iterate over.
inline constexpr std::array<spatial::Model, spatial::model_count> both_models{spatial::Model::a, spatial::Model::b};

/// The key of a voxel, in the width of the grid's keys.
Key key_of(spatial::VoxelGrid const& grid, spatial::Cell cell);

/// The middle of a voxel, in units of the grid.
spatial::Vector middle_of(spatial::Cell const& cell);

/// The current state of the voxel with this key.
WatchedVoxel watched_voxel(spatial::SpatialEngine& engine, spatial::Model model, Key key);
/// The same, by its index.
WatchedVoxel watch_index(spatial::SpatialEngine& engine, spatial::Model model, std::uint32_t index);

}  // namespace slotscape
