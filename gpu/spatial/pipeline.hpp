#pragma once

#include "gpu/base/progress.hpp"
#include "gpu/execution/executor.hpp"
#include "gpu/spatial/reading_passes.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slotscape::spatial {

/// A model's points in device memory.
template <exec::Executor Exec>
struct ModelPoints {
  typename Exec::template Buffer<Vector> positions;
  typename Exec::template Buffer<Vector> normals;
  std::uint64_t count = 0;
  typename Exec::template Buffer<std::uint32_t> order{};  ///< the original number of each point
  bool open = false;                                      ///< see `PointsView`
};

/// Where the instances of a model go.
struct InstanceTarget {
  Model model;
  passes::PointValues attribute;
  Instance* out;  ///< device memory
};

/// Runs the stages for one table family and one key width (see `PipelineOf`). The functions implement those of
/// `SpatialEngine`.
template <exec::Executor Exec>
class Pipeline {
public:
  virtual ~Pipeline() = default;

  virtual SpatialSnapshot update(SpatialSettings const& settings, PerModel<ModelPoints<Exec>> const& models,
                                 PerModel<Pose> const& poses, ShownParts const& parts, Progress const& progress) = 0;
  virtual InspectedTable& table(Model model) = 0;
  virtual std::vector<Snapshot> analyse_tables(std::span<AnalysisRequest const> requests) = 0;
  virtual std::uint64_t voxel_count(Model model) const = 0;
  /// Writes the instances of one model, or of A and B. Returns how many of each model are shown.
  virtual std::vector<std::uint64_t> write_instances(InstanceRequest const& request,
                                                     std::span<InstanceTarget const> targets) = 0;
  virtual std::vector<VoxelInfo> voxels(Model model, std::uint32_t first, std::uint32_t count) = 0;
  virtual std::optional<std::uint32_t> voxel_in_slot(Model model, Slot slot) = 0;
  virtual std::optional<Hit> pick(Ray const& ray, ShownParts const& parts) = 0;
};

}  // namespace slotscape::spatial
