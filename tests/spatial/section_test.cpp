// What a section leaves, against counting by hand.

#include "tests/spatial/spatial_fixture.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace slotscape::spatial::testing {
namespace {

constexpr VoxelGrid section_grid{64, 4.0f};

/// At multiples of 2^-12, so that single precision finds their voxels without rounding; some are outside the grid.
Samples random_points(std::size_t count, unsigned seed)
{
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> number(-9000, 9000);
  auto const at = [&] { return static_cast<float>(number(random)) / 4096.0f; };
  Samples samples;
  for (std::size_t i = 0; i < count; ++i) {
    float const x = at();
    float const y = at();
    samples.positions.push_back({x, y, at()});
    samples.normals.push_back({0.0f, 0.0f, 1.0f});
  }
  return samples;
}

/// In double precision, from the definition.
bool is_in(Section const& section, double x, double y, double z)
{
  auto const number = [](float value) { return static_cast<double>(value); };
  bool const in_box = number(section.low.x) <= x && x <= number(section.high.x) && number(section.low.y) <= y &&
                      y <= number(section.high.y) && number(section.low.z) <= z && z <= number(section.high.z);
  double const along = number(section.normal.x) * x + number(section.normal.y) * y + number(section.normal.z) * z;
  return in_box && (!section.cuts || along <= number(section.offset));
}

/// Points with a voxel, and voxels by their middles, in a section.
struct Inside {
  std::uint64_t points = 0;
  std::uint64_t voxels = 0;
};
Inside count_by_hand(Samples const& samples, Section const& section)
{
  double const voxel = 4.0 / 64.0;
  Inside inside;
  std::set<std::tuple<int, int, int>> cells;
  for (Vector const& p : samples.positions) {
    auto const cell = [&](float at) { return static_cast<int>(std::floor((static_cast<double>(at) + 2.0) / voxel)); };
    std::tuple const here{cell(p.x), cell(p.y), cell(p.z)};
    auto const [x, y, z] = here;
    if (std::min({x, y, z}) < 0 || std::max({x, y, z}) >= 64) { continue; }
    bool const counts = is_in(section, static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z));
    inside.points += counts ? 1u : 0u;
    auto const middle = [&](int at) { return (at + 0.5) * voxel - 2.0; };
    inside.voxels += cells.insert(here).second && is_in(section, middle(x), middle(y), middle(z)) ? 1u : 0u;
  }
  return inside;
}

/// Faces and planes that no middle of a voxel is on.
std::vector<Section> sections_to_try()
{
  Section const box{.shown = true, .low = {-0.71f, -1.13f, -0.29f}, .high = {0.83f, 0.47f, 1.41f}};
  Section oblique = box;
  oblique.cuts = true;
  oblique.normal = normalized({1.0f, -2.0f, 0.5f});
  oblique.offset = 0.217f;
  Section const all{.shown = true, .low = {-2.5f, -2.5f, -2.5f}, .high = {2.5f, 2.5f, 2.5f}};
  Section const none{.shown = true, .low = {2.1f, 2.1f, 2.1f}, .high = {2.2f, 2.2f, 2.2f}};
  return {box, oblique, all, none};
}

class SectionTest : public SpatialTest {};

TEST_P(SectionTest, CountsPointsByThemselvesAndVoxelsByTheirMiddles)
{
  PerModel<Samples> const samples{{random_points(30'000, 1), random_points(9'000, 2)}};
  for (std::string const family : {"two_level_cuckoo", "linear_probing"}) {
    auto const engine = make();
    for (Model const model : {Model::a, Model::b}) { engine->set_model(model, samples[model].view()); }
    for (Section const& section : sections_to_try()) {
      ShownParts const parts{Boolean::both, 0, section};
      SpatialSnapshot const snapshot = engine->update({.grid = section_grid, .family = family}, {}, parts);
      for (Model const model : {Model::a, Model::b}) {
        Inside const expected = count_by_hand(samples[model], section);
        ModelSnapshot const& found = snapshot.models[model];
        EXPECT_EQ(found.points_in_section, expected.points) << family;
        EXPECT_EQ(found.voxels_in_section(), expected.voxels) << family;
        EXPECT_EQ(found.shown, expected.voxels);
        EXPECT_EQ(found.points, samples[model].positions.size());
        EXPECT_GT(found.voxels, 5'000u) << "of the whole table, whatever the section leaves";
      }
    }
  }
}

TEST_P(SectionTest, CountsEachStatusAlone)
{
  auto const engine = make();
  engine->set_model(Model::a, sphere(40'000, 0.8f).view());
  engine->set_model(Model::b, sphere(40'000, 0.8f, 3).view());
  PerModel<Pose> poses;
  poses[Model::b].translation = {0.5f, 0.1f, 0.0f};
  SpatialSettings const settings{.grid = section_grid};
  for (Section const& section : sections_to_try()) {
    ShownParts const parts{Boolean::a_minus_b, ShownParts::bit_of(Model::a, VoxelStatus::intersection), section};
    SpatialSnapshot const snapshot = engine->update(settings, poses, parts);
    for (Model const model : {Model::a, Model::b}) {
      std::array<std::uint64_t, status_count> expected{};
      std::uint64_t shown = 0;
      for (VoxelInfo const& voxel : engine->voxels(model)) {
        Vector const middle = section_grid.middle(voxel.cell);
        if (!is_in(section, static_cast<double>(middle.x), static_cast<double>(middle.y),
                   static_cast<double>(middle.z))) {
          continue;
        }
        ++expected[static_cast<std::size_t>(voxel.status)];
        shown += belongs(parts, model, voxel.status) ? 1 : 0;
      }
      EXPECT_EQ(snapshot.models[model].status, expected);
      EXPECT_EQ(snapshot.models[model].shown, shown);
    }
  }
}

TEST_P(SectionTest, WithoutOneEverythingCounts)
{
  auto const engine = make();
  Samples const samples = random_points(5'000, 4);
  engine->set_model(Model::a, samples.view());
  engine->set_model(Model::b, samples.view());
  ModelSnapshot const found = engine->update({.grid = section_grid}, {}, Boolean::both).models[Model::a];
  EXPECT_GT(found.outside_grid, 0u);
  EXPECT_EQ(found.points_in_section, found.points - found.outside_grid);
  EXPECT_EQ(found.voxels_in_section(), found.voxels);
}

/// On the CPU, whose instances can be read.
TEST(SectionOfInstances, OnlyWhatIsInsideIsShownAndTheRestIsNoGhost)
{
  auto const engine = make_spatial_engine(Backend::cpu);
  Samples const samples = random_points(20'000, 5);
  engine->set_model(Model::a, samples.view());
  engine->set_model(Model::b, random_points(100, 6).view());
  for (Section const& section : sections_to_try()) {
    ShownParts const parts{Boolean::both, 0, section};
    engine->update({.grid = section_grid}, {}, parts);
    for (InstanceKind const kind : {InstanceKind::voxels, InstanceKind::points}) {
      std::vector<Instance> written(engine->instances(Model::a, kind));
      std::uint64_t const shown = engine->write_instances(Model::a, {kind, PaintBy::status, parts}, written.data());
      std::uint64_t expected = 0;
      for (std::uint64_t i = 0; i < written.size(); ++i) {
        bool const inside = section.contains(written[i].position);
        ASSERT_EQ(inside, i < shown) << i;
        ASSERT_EQ(inside, (written[i].paint & Paint::cut_off) == 0) << i;
        expected += inside ? 1 : 0;
      }
      EXPECT_EQ(shown, expected);
    }
  }
}

TEST_P(SectionTest, ARayHitsNothingThatIsCutAway)
{
  auto const engine = make();
  engine->set_model(Model::a, sphere(60'000, 1.0f).view());
  engine->set_model(Model::b, sphere(1'000, 0.1f, 2).view());
  SpatialSettings const settings{.grid = section_grid};
  Ray const from_above{{0.3f, 0.2f, 3.0f}, {0.0f, 0.0f, -1.0f}};
  engine->update(settings, {}, Boolean::both);
  auto const top = engine->pick(from_above, Boolean::both);
  ASSERT_TRUE(top);
  Section const lower{.shown = true, .low = {-2.0f, -2.0f, -2.0f}, .high = {2.0f, 2.0f, -0.2f}};
  auto const bottom = engine->pick(from_above, {Boolean::both, 0, lower});
  ASSERT_TRUE(bottom);
  EXPECT_LT(top->distance, 2.2f);
  EXPECT_GT(bottom->distance, 3.8f);
  Section const nothing{.shown = true, .low = {-0.1f, -0.1f, 0.3f}, .high = {0.1f, 0.1f, 0.4f}};
  EXPECT_FALSE(engine->pick(from_above, {Boolean::both, 0, nothing}));
}

SLOTSCAPE_SPATIAL_ON_EVERY_BACKEND(SectionTest);

}  // namespace
}  // namespace slotscape::spatial::testing
