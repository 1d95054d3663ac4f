#pragma once

#include "app/clouds/point_cloud.hpp"
#include "app/path_dialog.hpp"
#include "app/scenes/facts.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/scenes/spatial/stage_times.hpp"
#include "app/simulation/simulation.hpp"
#include "gpu/analysis/statistics.hpp"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace slotscape {

/// A voxel that is looked at, by its key: models move, and voxels come and go under it.
struct WatchedVoxel {
  spatial::Model model;
  Key key;
  std::optional<spatial::VoxelInfo> info;  ///< none: it is empty at present
  std::uint64_t probe_length = 0;          ///< of its key, where it is not
};

/// What the user asked of the scene.
struct UseModel {  ///< another source, or another number of points
  spatial::Model model;
  ModelSettings settings;
};
struct AskForPath {
  PathPurpose purpose;
};
struct CancelLoading {};
struct FocusOnSelection {};
struct ShowAll {};
using SpatialAsk = std::variant<UseModel, AskForPath, CancelLoading, FocusOnSelection, ShowAll>;

/// What a table of voxels comes to.
struct VoxelTableFacts {
  TableSettings table;
  std::uint64_t memory_bytes = 0;
  Statistics statistics;
};

/// Everything that the panels and the views read and edit. They change settings and add to `asks`.
struct SpatialState {
  SpatialSceneSettings settings;
  DeviceFacts device;
  FrameFacts frames;
  spatial::PerModel<clouds::PointCloud> clouds;
  spatial::PerModel<spatial::Pose> poses;  ///< as seen in this frame
  spatial::SpatialSnapshot snapshot;
  spatial::PerModel<VoxelTableFacts> tables;
  StageTimes stages;
  spatial::Model chosen = spatial::Model::a;  ///< the model that the gizmo holds, and that a dropped file replaces
  std::optional<WatchedVoxel> selected;
  std::optional<WatchedVoxel> hovered;
  std::optional<Progress> progress;
  std::string notice;
  std::vector<SpatialAsk> asks;
  spatial::PerModel<double> points_entry{};  ///< on the sliders, while they are dragged

  template <class What>
  void ask(What what)
  {
    asks.emplace_back(std::move(what));
  }
};

std::string title_of(SpatialState const& state, spatial::Model model);  ///< "A · torus knot"
/// Where the model stands until someone moves it. Meshes usually have y upwards; here that is z.
spatial::Pose first_place(SpatialState const& state, spatial::Model model);
/// Every model where both count.
inline constexpr std::array<spatial::Model, spatial::model_count> both_models{spatial::Model::a, spatial::Model::b};

}  // namespace slotscape
