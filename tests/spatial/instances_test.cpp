// What is written for drawing.

#include "tests/spatial/spatial_fixture.hpp"

#if SLOTSCAPE_HAS_CUDA
#include "gpu/execution/cuda_error.hpp"
#endif

#include <algorithm>
#include <map>
#include <stdexcept>
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

TEST(Instances, HiddenStatusesAreShownOfNoModelOrOfOne)
{
  auto const engine = make_spatial_engine(Backend::cpu);
  engine->set_model(Model::a, sphere(20'000, 0.6f).view());
  engine->set_model(Model::b, sphere(10'000, 0.5f, 3).view());
  PerModel<Pose> poses;
  poses[Model::b].translation = {0.3f, 0.0f, 0.0f};
  constexpr std::uint8_t hidden =
      ShownParts::bit_of(Model::a, VoxelStatus::intersection) | ShownParts::bit_of(Model::b, VoxelStatus::inside);
  ShownParts const parts{Boolean::both, hidden};
  SpatialSnapshot const snapshot = engine->update({}, poses, parts);
  for (auto const& [model, without] :
       {std::pair{Model::a, VoxelStatus::intersection}, {Model::b, VoxelStatus::inside}}) {
    ModelSnapshot const& found = snapshot.models[model];
    std::uint64_t const left_out = found.status[static_cast<std::size_t>(without)];
    ASSERT_GT(left_out, 0u);
    EXPECT_EQ(found.shown, found.voxels - left_out);
    std::vector<Instance> written(engine->instances(model, InstanceKind::voxels));
    EXPECT_EQ(engine->write_instances(model, {InstanceKind::voxels, PaintBy::status, parts}, written.data()),
              found.shown);
    for (std::uint64_t i = 0; i < written.size(); ++i) { ASSERT_EQ(status_of(written[i]) != without, i < found.shown); }
  }
  Ray const through_b{{5.0f, 0.0f, 0.0f}, {-1.0f, 0.0f, 0.0f}};
  ASSERT_EQ(engine->pick(through_b, Boolean::both)->model, Model::b);
  EXPECT_EQ(engine->pick(through_b, {Boolean::both, 0xf0})->model, Model::a) << "all of B is hidden";
}

/// What the engine writes, wherever its memory is.
std::vector<Instance> written(SpatialEngine& engine, Model model, InstanceKind kind)
{
  std::vector<Instance> instances(engine.instances(model, kind));
  InstanceRequest const request{kind, PaintBy::attribute, Boolean::both};
  if (engine.backend() == Backend::cpu) {
    engine.write_instances(model, request, instances.data());
    return instances;
  }
#if SLOTSCAPE_HAS_CUDA
  Instance* device = nullptr;
  std::size_t const bytes = instances.size() * sizeof(Instance);
  SLOTSCAPE_CUDA_CHECK(cudaMalloc(&device, bytes));
  engine.write_instances(model, request, device);
  SLOTSCAPE_CUDA_CHECK(cudaMemcpy(instances.data(), device, bytes, cudaMemcpyDeviceToHost));
  SLOTSCAPE_CUDA_CHECK(cudaFree(device));
#endif
  return instances;
}

constexpr std::uint32_t value_of(Instance const& instance)
{
  return instance.paint & Paint::largest_value;
}
constexpr bool has_value(Instance const& instance)
{
  return (instance.paint & Paint::no_value) == 0;
}

/// A sphere in a grid so coarse that its voxels have many points each.
class InstancesByAttribute : public SpatialTest {
protected:
  void SetUp() override
  {
    SpatialTest::SetUp();
    if (IsSkipped()) { return; }
    engine_ = make();
    engine_->set_model(Model::a, points_.view());
    engine_->set_model(Model::b, sphere(100, 0.2f).view());
    update();
  }
  void update() { engine_->update({.grid = grid_}, {}, Boolean::both); }

  /// Gives each point of A a value, by its number.
  void set(Blend blend, std::uint32_t (*value)(std::uint32_t))
  {
    values_.clear();
    for (std::uint32_t i = 0; i < points_.positions.size(); ++i) { values_.push_back(value(i)); }
    engine_->set_attribute(Model::a, {values_, blend});
  }
  /// The numbers of the points in each voxel.
  std::vector<std::vector<std::size_t>> points_in_voxels() const
  {
    std::map<Key, std::uint32_t> indices;
    for (VoxelInfo const& voxel : engine_->voxels(Model::a)) { indices[voxel.key] = voxel.index; }
    std::vector<std::vector<std::size_t>> points(indices.size());
    for (std::size_t i = 0; i < points_.positions.size(); ++i) {
      Cell const cell = VoxelGrid::cell_of(grid_.to_grid(points_.positions[i]));
      points[indices.at(key_of_cell<std::uint32_t>(cell))].push_back(i);
    }
    return points;
  }
  std::vector<Instance> written(InstanceKind kind, Model model = Model::a)
  {
    return testing::written(*engine_, model, kind);
  }

  VoxelGrid const grid_{.side = 32, .extent = 2.0f};
  Samples const points_ = sphere(20'000, 0.6f);
  std::vector<std::uint32_t> values_;
  std::unique_ptr<SpatialEngine> engine_;
};

TEST_P(InstancesByAttribute, WhatIsHiddenIsNeitherCountedNorPicked)
{
  ShownParts const without_a{Boolean::both, 0x0f};
  SpatialSnapshot const snapshot = engine_->update({.grid = grid_}, {}, without_a);
  EXPECT_EQ(snapshot.models[Model::a].shown, 0u);
  EXPECT_EQ(snapshot.models[Model::b].shown, snapshot.models[Model::b].voxels);
  Ray const through_both{{5.0f, 0.01f, 0.01f}, {-1.0f, 0.0f, 0.0f}};
  ASSERT_TRUE(engine_->pick(through_both, Boolean::both));
  EXPECT_EQ(engine_->pick(through_both, Boolean::both)->model, Model::a);
  auto const hit = engine_->pick(through_both, without_a);
  EXPECT_TRUE(!hit || hit->model == Model::b);
}

TEST_P(InstancesByAttribute, PointsShowTheirOwnValue)
{
  set(Blend::colors, [](std::uint32_t i) { return i % 7 == 0 ? AttributeView::missing : i * 800; });
  std::vector<Instance> const points = written(InstanceKind::points);
  ASSERT_EQ(points.size(), values_.size());
  auto const place_of = [](Vector const& p) { return std::tuple(p.x, p.y, p.z); };
  std::map<std::tuple<float, float, float>, std::size_t> numbers;
  for (std::size_t i = 0; i < values_.size(); ++i) { numbers[place_of(points_.positions[i])] = i; }
  for (Instance const& point : points) {
    std::size_t const i = numbers.at(place_of(point.position));
    ASSERT_EQ(has_value(point), i % 7 != 0);
    if (i % 7 != 0) { ASSERT_EQ(value_of(point), values_[i]); }
  }
}

TEST_P(InstancesByAttribute, VoxelsShowTheMeanColorOfTheirPoints)
{
  set(Blend::colors, [](std::uint32_t i) { return i * 2654435761u >> 8; });
  std::vector<Instance> const voxels = written(InstanceKind::voxels);
  auto const points = points_in_voxels();
  ASSERT_EQ(voxels.size(), points.size());
  for (std::size_t v = 0; v < voxels.size(); ++v) {
    for (int const shift : {0, 8, 16}) {
      double sum = 0.0;
      for (std::size_t const i : points[v]) { sum += values_[i] >> shift & 0xffu; }
      ASSERT_NEAR(value_of(voxels[v]) >> shift & 0xffu, sum / static_cast<double>(points[v].size()), 0.51) << shift;
    }
  }
}

TEST_P(InstancesByAttribute, VoxelsShowTheMeanOfNumbers)
{
  set(Blend::numbers, [](std::uint32_t i) { return i % 3 == 0 ? AttributeView::missing : i * 2654435761u >> 8; });
  std::vector<Instance> const voxels = written(InstanceKind::voxels);
  auto const points = points_in_voxels();
  for (std::size_t v = 0; v < voxels.size(); ++v) {
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t const i : points[v]) {
      if (values_[i] == AttributeView::missing) { continue; }
      sum += values_[i];
      ++count;
    }
    ASSERT_EQ(has_value(voxels[v]), count > 0.0);
    if (count > 0.0) { ASSERT_NEAR(value_of(voxels[v]), sum / count, 0.51); }
  }
}

TEST_P(InstancesByAttribute, VoxelsShowTheFirstOfValuesThatDoNotMix)
{
  set(Blend::first, [](std::uint32_t i) { return i % 2 == 0 ? AttributeView::missing : i; });
  std::vector<Instance> const voxels = written(InstanceKind::voxels);
  auto const points = points_in_voxels();
  for (std::size_t v = 0; v < voxels.size(); ++v) {
    auto const first = std::ranges::find_if(points[v], [](std::size_t i) { return i % 2 == 1; });
    ASSERT_EQ(has_value(voxels[v]), first != points[v].end());
    if (first != points[v].end()) { ASSERT_EQ(value_of(voxels[v]), *first); }
  }
}

TEST_P(InstancesByAttribute, AModelWithoutValuesShowsThatItHasNone)
{
  set(Blend::numbers, [](std::uint32_t i) { return i; });
  for (InstanceKind const kind : {InstanceKind::points, InstanceKind::voxels}) {
    for (Instance const& instance : written(kind, Model::b)) { ASSERT_FALSE(has_value(instance)); }
  }
  engine_->set_attribute(Model::a, {});
  EXPECT_FALSE(has_value(written(InstanceKind::voxels).front()));
}

TEST_P(InstancesByAttribute, ValuesEndWithTheirModel)
{
  set(Blend::numbers, [](std::uint32_t i) { return i; });
  engine_->set_model(Model::a, sphere(50, 0.6f).view());
  update();
  for (InstanceKind const kind : {InstanceKind::points, InstanceKind::voxels}) {
    for (Instance const& instance : written(kind)) { ASSERT_FALSE(has_value(instance)); }
  }
  EXPECT_THROW(engine_->set_attribute(Model::a, {values_, Blend::numbers}), std::invalid_argument);
}

SLOTSCAPE_SPATIAL_ON_EVERY_BACKEND(InstancesByAttribute);

}  // namespace
}  // namespace slotscape::spatial::testing
