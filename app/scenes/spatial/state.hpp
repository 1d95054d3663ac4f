#pragma once

#include "app/clouds/colors.hpp"
#include "app/clouds/point_cloud.hpp"
#include "app/scene/facts.hpp"
#include "app/scenes/spatial/distance_facts.hpp"
#include "app/scenes/spatial/ruler.hpp"
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

/// The time that each stage took in the latest updates.
class StageTimes {
public:
  using Seconds = std::array<double, spatial::stage_count>;  ///< indexed by `Stage`

  static constexpr std::size_t frames_kept = 240;

  void add(Seconds const& seconds);
  void clear() { frames_.clear(); }
  /// The stored frames, the oldest one first.
  std::vector<Seconds> const& frames() const { return frames_; }
  /// The median of each stage over the stored frames; zeros if there are none.
  Seconds medians() const;

private:
  std::vector<Seconds> frames_;
};

double total_of(StageTimes::Seconds const& seconds);

/// A hovered or selected voxel, identified by its key. Models move, so the voxel may become empty and reappear.
struct WatchedVoxel {
  spatial::Model model;
  Key key;
  std::optional<spatial::VoxelInfo> info;  ///< nullopt: currently empty
  std::uint64_t probe_length = 0;          ///< probe length of its key; 0 if the voxel is empty
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
/// Shows one model alone: the other one is removed.
struct ShowAlone {
  spatial::Model model;
};
struct PlaceByCoordinates {};  ///< both models, at one common scale
struct PlaceEachByItself {};   ///< both models, each at its own scale
/// Requests a grid whose voxels have this width in the units of the model's file.
struct UseVoxel {
  spatial::Model model;
  double width;
};
struct CancelLoading {};
struct CancelUpdate {};
struct CancelDistances {};
struct FocusOnSelection {};
struct ShowAll {};
struct FitSection {};  ///< around both models
struct CutSection {};  ///< cuts the box by a plane facing the eye
struct MeasureShownVoxels {};
struct SaveMeasurements {};
using SpatialRequest = std::variant<UseModel, AskForModel, ShowAlone, PlaceByCoordinates, PlaceEachByItself, UseVoxel,
                                    CancelLoading, CancelUpdate, CancelDistances, FocusOnSelection, ShowAll, FitSection,
                                    CutSection, MeasureShownVoxels, SaveMeasurements>;

/// A requested voxel width in the units of a model's file. It holds, however the model is placed and scaled, until the
/// user chooses another grid.
struct AskedVoxel {
  spatial::Model model;
  double width;
  spatial::VoxelGrid grid;  ///< the grid for this width

  friend bool operator==(AskedVoxel const&, AskedVoxel const&) = default;
};

/// Facts about a table of voxels.
struct VoxelTableFacts {
  TableSettings table;
  std::uint64_t memory_bytes = 0;
  Statistics statistics;
};

/// Everything that the panels and views read and edit. These change settings and add to `requests`.
struct SpatialState {
  SpatialSceneSettings settings;
  DeviceFacts device;
  spatial::PerModel<clouds::PointCloud> clouds;
  spatial::PerModel<clouds::Box> boxes;    ///< around the models, in their files' coordinates
  spatial::PerModel<spatial::Pose> poses;  ///< the models' poses in the current frame
  /// The frames of the engine's points: one per model, or a common one, so that equal coordinates of two files remain
  /// equal; and the poses of the last update relative to these frames.
  spatial::PerModel<clouds::Frame> frames;
  spatial::PerModel<spatial::Pose> engine_poses;
  spatial::SpatialSnapshot snapshot;
  spatial::PerModel<VoxelTableFacts> tables;
  StageTimes stages;
  std::vector<std::string> attributes;        ///< available for colouring at least one model
  std::optional<DistanceFacts> distances;     ///< set once measured
  std::optional<clouds::Coloring> coloring;   ///< for the shown attribute; nothing if neither model has it
  spatial::Model chosen = spatial::Model::a;  ///< has the gizmo, and is replaced by a dropped file
  std::optional<WatchedVoxel> selected;
  std::optional<WatchedVoxel> hovered;
  HashField hash_field;
  Ruler ruler;
  std::optional<ProgressSnapshot> progress;         ///< progress of models that are being opened
  std::optional<ProgressSnapshot> update_progress;  ///< progress of the voxels, if slower than a frame
  std::optional<ProgressSnapshot> distance_progress;
  std::string notice;
  std::optional<AskedVoxel> asked_voxel;
  std::optional<spatial::Model> stands_in;  ///< the model that only stands in for a second one
  bool wants_own_colors = false;            ///< to be coloured by its file's colours once it is opened
  std::vector<SpatialRequest> requests;
  spatial::PerModel<double> points_entry{};  ///< slider values while dragged

  template <class What>
  void ask(What what)
  {
    requests.emplace_back(std::move(what));
  }
};

std::string title_of(SpatialState const& state, spatial::Model model);  ///< "A · torus knot"
/// The label of a status for a voxel of `model`. Nothing is inside an open surface, only behind it.
std::string_view label_of_status(SpatialState const& state, spatial::Model model, spatial::VoxelStatus status);
/// The label for voxels of either model: "inside / behind" if it differs between them.
std::string label_of_both(SpatialState const& state, spatial::VoxelStatus status);
/// Both models, for loops.
inline constexpr std::array<spatial::Model, spatial::model_count> both_models{spatial::Model::a, spatial::Model::b};

/// The key of a voxel, as wide as the grid's keys.
Key key_of(spatial::VoxelGrid const& grid, spatial::Cell cell);

/// The centre of a voxel, in grid units.
spatial::Vector middle_of(spatial::Cell const& cell);

/// The current state of the voxel with this key.
WatchedVoxel watched_voxel(spatial::SpatialEngine& engine, spatial::Model model, Key key);
/// The current state of the voxel with this index.
WatchedVoxel watch_index(spatial::SpatialEngine& engine, spatial::Model model, std::uint32_t index);

}  // namespace slotscape
