#include "app/bench/spatial.hpp"
#include "app/clouds/builtin.hpp"
#include "gpu/base/error.hpp"
#include "gpu/execution/parallel.hpp"
#include "gpu/spatial/engine.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <vector>

namespace slotscape {
namespace {

using namespace spatial;

constexpr float grid_extent = 2.4f;
constexpr float ball_scale = 0.6f;
constexpr std::uint32_t sampled_voxels = 500;  ///< of each model, in each repeat
constexpr PerModel<std::string_view> shapes{{"torus", "sphere"}};

/// The poses of torus and ball at a step, as the ball passes through the ring.
PerModel<Pose> poses_at(std::uint64_t step)
{
  float const angle = 0.02f * static_cast<float>(step % 314);
  PerModel<Pose> poses;
  poses[Model::b] = {{}, {0.8f * std::cos(angle), 0.8f * std::sin(angle), 0.1f}, ball_scale};
  return poses;
}

/// The keys of all voxels that contain points in a pose, sorted and unique.
std::vector<std::uint64_t> voxel_keys(std::vector<Vector> const& points, Pose const& pose, VoxelGrid const& grid)
{
  constexpr std::uint64_t outside = ~std::uint64_t{0};
  std::vector<std::uint64_t> keys(points.size());
  exec::tbb::parallel_for(std::size_t{0}, points.size(), [&](std::size_t i) {
    Vector const place = grid.to_grid(pose.point(points[i]));
    keys[i] = grid.contains(place) ? key_of_cell<std::uint64_t>(VoxelGrid::cell_of(place)) : outside;
  });
  exec::tbb::parallel_sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  if (!keys.empty() && keys.back() == outside) { keys.pop_back(); }
  return keys;
}

class SpatialBench final : public CaseBench {
public:
  SpatialBench(Backend backend, SpatialCase const& subject) : engine_(make_spatial_engine(backend))
  {
    settings_.family = subject.family;
    settings_.grid = {.side = subject.side, .extent = grid_extent};
    Progress const progress = Progress::tracked();
    for (Model const model : {Model::a, Model::b}) {
      clouds::PointCloud cloud =
          clouds::make_builtin(shapes[model], subject.points, 1 + static_cast<std::uint64_t>(model), progress);
      engine_->set_model(model, {cloud.positions, cloud.normals});
      points_[model] = std::move(cloud.positions);
    }
    ring_ = voxel_keys(points_[Model::a], {}, settings_.grid);
  }

  std::optional<std::vector<double>> run(std::uint64_t seed, Progress const& progress) override
  {
    if (progress.cancelled()) { return std::nullopt; }
    PerModel<Pose> const poses = poses_at(seed);
    last_ = engine_->update(settings_, poses, Boolean::both);
    std::vector<double> seconds(last_.stage_seconds.begin(), last_.stage_seconds.end());
    seconds.push_back(std::accumulate(seconds.begin(), seconds.end(), 0.0));
    check_counts(poses);
    for (Model const model : {Model::a, Model::b}) { judge(model, poses); }
    return seconds;
  }

  BenchRow facts(std::size_t, double) const override
  {
    double const share = judged_ == 0 ? 0.0 : static_cast<double>(misjudged_) / static_cast<double>(judged_);
    return {{"voxels", last_.models[Model::a].voxels + last_.models[Model::b].voxels},
            {"rounds", last_.rounds},
            {"misjudged", rounded(share, 3)}};
  }

private:
  /// The occupied voxels, and those that both models share, are known exactly.
  void check_counts(PerModel<Pose> const& poses) const
  {
    std::vector<std::uint64_t> const ball = voxel_keys(points_[Model::b], poses[Model::b], settings_.grid);
    std::vector<std::uint64_t> shared;
    std::ranges::set_intersection(ring_, ball, std::back_inserter(shared));
    PerModel<std::uint64_t> const voxels{{ring_.size(), ball.size()}};
    for (Model const model : {Model::a, Model::b}) {
      ModelSnapshot const& found = last_.models[model];
      require_right("voxels", found.voxels, voxels[model]);
      require_right("voxels that both models have", found.status[static_cast<std::size_t>(VoxelStatus::intersection)],
                    shared.size());
      require_right("voxels with a status", std::accumulate(found.status.begin(), found.status.end(), std::uint64_t{0}),
                    voxels[model]);
    }
  }

  /// Compares the inside and outside classification with the formula of the other shape.
  void judge(Model model, PerModel<Pose> const& poses)
  {
    std::uint64_t const voxels = last_.models[model].voxels;
    Pose const& pose = poses[other(model)];
    for (std::uint32_t i = 0; i < sampled_voxels && i < voxels; ++i) {
      VoxelInfo const voxel = engine_->voxel(model, static_cast<std::uint32_t>(i * voxels / sampled_voxels));
      Vector const in_world =
          settings_.grid.to_world({static_cast<float>(voxel.cell.x) + 0.5f, static_cast<float>(voxel.cell.y) + 0.5f,
                                   static_cast<float>(voxel.cell.z) + 0.5f});
      Vector const in_model = (1.0f / pose.scale) * (in_world - pose.translation);
      double const distance =
          pose.scale * clouds::distance_to_builtin(shapes[other(model)], clouds::to_position(in_model)).value();
      if (std::abs(distance) <= settings_.grid.voxel()) { continue; }
      ++judged_;
      VoxelStatus const wrong = distance < 0.0 ? VoxelStatus::outside : VoxelStatus::inside;
      misjudged_ += voxel.status == wrong ? 1 : 0;
    }
  }

  std::unique_ptr<SpatialEngine> engine_;
  SpatialSettings settings_;
  PerModel<std::vector<Vector>> points_;
  std::vector<std::uint64_t> ring_;  ///< keys of the voxels of the torus, which does not move
  SpatialSnapshot last_;
  std::uint64_t judged_ = 0;
  std::uint64_t misjudged_ = 0;
};

}  // namespace

std::unique_ptr<CaseBench> make_spatial_bench(Backend backend, SpatialCase const& subject)
{
  return std::make_unique<SpatialBench>(backend, subject);
}

}  // namespace slotscape
