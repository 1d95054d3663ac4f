// What is written for drawing.

#include "tests/spatial/spatial_fixture.hpp"

#include <algorithm>
#include <tuple>

namespace slotscape::spatial::testing {
namespace {

VoxelStatus status_of(Instance const& instance)
{
  return static_cast<VoxelStatus>((instance.paint >> Paint::status_shift) & 3u);
}

auto order(Instance const& a)
{
  return std::tuple(a.position.x, a.position.y, a.position.z, a.paint, a.normal);
}

TEST(Instances, WhatTheBooleanShowsComesFirstAndNothingIsLost)
{
  auto const engine = make_spatial_engine(Backend::cpu);
  engine->set_model(Model::a, sphere(20'000, 0.6f).view());
  engine->set_model(Model::b, sphere(10'000, 0.5f, 3).view());
  PerModel<Pose> poses;
  poses[Model::b].translation = {0.3f, 0.0f, 0.0f};
  SpatialSnapshot const snapshot = engine->update({}, poses, Boolean::a_minus_b);
  for (InstanceKind const kind : {InstanceKind::voxels, InstanceKind::points}) {
    for (Model const model : {Model::a, Model::b}) {
      std::vector<Instance> all(engine->instances(model, kind));
      std::vector<Instance> sorted(all.size());
      EXPECT_EQ(engine->write_instances(model, {kind, PaintBy::status, Boolean::both}, all.data()), all.size());
      std::uint64_t const shown =
          engine->write_instances(model, {kind, PaintBy::status, Boolean::a_minus_b}, sorted.data());
      ASSERT_GT(shown, 0u);
      ASSERT_LT(shown, sorted.size());
      if (kind == InstanceKind::voxels) { EXPECT_EQ(shown, snapshot.models[model].shown); }
      for (std::uint64_t i = 0; i < sorted.size(); ++i) {
        bool const seen =
            (sorted[i].paint & Paint::no_voxel) != 0 || belongs(Boolean::a_minus_b, model, status_of(sorted[i]));
        ASSERT_EQ(seen, i < shown) << i;
      }
      std::ranges::sort(all, {}, order);
      std::ranges::sort(sorted, {}, order);
      EXPECT_TRUE(std::ranges::equal(all, sorted, {}, order, order));
    }
  }
}

}  // namespace
}  // namespace slotscape::spatial::testing
