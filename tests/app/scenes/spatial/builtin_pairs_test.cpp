// Voxels and intersections of every pair of built-in shapes, bit for bit against sets.

#include "app/clouds/builtin.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/spatial/engine.hpp"
#include "tests/support/sanitized.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace slotscape::spatial {
namespace {

using Keys = std::set<Key>;

constexpr std::uint64_t points = 12000;

clouds::PointCloud const& shape(std::string_view name)
{
  static std::map<std::string_view, clouds::PointCloud> made;
  auto const found = made.find(name);
  if (found != made.end()) { return found->second; }
  Progress const progress = Progress::tracked();
  return made.emplace(name, clouds::make_builtin(name, points, 1, progress)).first->second;
}

Keys keys_of(clouds::PointCloud const& cloud, Pose const& pose, VoxelGrid const& grid)
{
  Keys keys;
  for (Vector const& position : cloud.positions) {
    Vector const place = grid.to_grid(pose.point(position));
    if (grid.contains(place)) { keys.insert(key_of_cell<std::uint32_t>(VoxelGrid::cell_of(place))); }
  }
  return keys;
}

/// Half a turn about the bisector of two axes, and a bit aside.
std::vector<Pose> poses()
{
  Rotation const turned{{Vector{0.0f, 0.0f, 1.0f}, Vector{0.6f, 0.8f, 0.0f}, Vector{-0.8f, 0.6f, 0.0f}}};
  return {Pose{}, Pose{turned, {0.3f, -0.2f, 0.1f}, 0.9f}, Pose{turned, {1.4f, 0.9f, 0.0f}, 1.1f}};
}

class BuiltinPairs : public ::testing::TestWithParam<Backend> {
protected:
  void SetUp() override
  {
    if (GetParam() == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }

  static void expect_sets(SpatialEngine& engine, SpatialSettings const& settings, PerModel<Pose> const& poses,
                          PerModel<std::string_view> const& names)
  {
    engine.update(settings, poses, Boolean::both);
    PerModel<Keys> expected;
    for (Model const model : {Model::a, Model::b}) {
      expected[model] = keys_of(shape(names[model]), poses[model], settings.grid);
    }
    for (Model const model : {Model::a, Model::b}) {
      Keys found;
      Keys meeting;
      std::size_t unknown = 0;
      for (VoxelInfo const& voxel : engine.voxels(model)) {
        found.insert(voxel.key);
        if (voxel.status == VoxelStatus::intersection) { meeting.insert(voxel.key); }
        unknown += voxel.status == VoxelStatus::unknown ? 1 : 0;
      }
      // In the finer grid, there is about one point in a voxel: surfaces have holes, and sides may be unknown.
      if (settings.grid.side == 48) { ASSERT_LE(unknown, found.size() / 20); }
      Keys shared;
      std::ranges::set_intersection(expected[Model::a], expected[Model::b], std::inserter(shared, shared.end()));
      ASSERT_EQ(found, expected[model]);
      ASSERT_EQ(meeting, shared);
    }
  }
};

TEST_P(BuiltinPairs, HaveTheVoxelsAndIntersectionsOfSets)
{
  auto const engine = make_spatial_engine(GetParam());
  std::vector<std::string_view> const names = clouds::builtin_names();
  for (std::string_view const a : names) {
    engine->set_model(Model::a, {shape(a).positions, shape(a).normals});
    for (std::string_view const b : names) {
      engine->set_model(Model::b, {shape(b).positions, shape(b).normals});
      for (std::uint32_t const side : {48u, 128u}) {
        for (Pose const& pose : poses()) {
          if (test::sanitized && a != b) { continue; }  // a seventh of the pairs takes long enough
          SCOPED_TRACE(std::string(a) + " and " + std::string(b) + " at " + std::to_string(side));
          SpatialSettings settings;
          settings.grid = {.side = side, .extent = 2.6f};
          settings.family = side == 48 ? "linear_probing" : "two_level_cuckoo";
          expect_sets(*engine, settings, {{Pose{}, pose}}, {{a, b}});
          if (HasFatalFailure()) { return; }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(On, BuiltinPairs, ::testing::Values(Backend::cpu, Backend::cuda),
                         [](auto const& info) { return info.param == Backend::cpu ? "cpu" : "cuda"; });

}  // namespace
}  // namespace slotscape::spatial
