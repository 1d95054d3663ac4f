#include "app/scenes/spatial/shown_voxels.hpp"

#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <vector>

namespace slotscape {
namespace {

using spatial::Cell;
using spatial::Model;
using ::testing::HasSubstr;

TEST(ShownVoxels, TouchingFacesAreNotOfTheSurface)
{
  ShownVoxels const one = body_of({{5, 6, 7}});
  EXPECT_EQ(one.faces, 6u);
  EXPECT_EQ(one.columns, 1u);
  EXPECT_EQ(body_of({{0, 0, 0}, {0, 0, 1}}).faces, 10u);
  EXPECT_EQ(body_of({{0, 0, 0}, {0, 0, 1}}).columns, 1u);
  EXPECT_EQ(body_of({{0, 0, 0}, {1, 0, 0}}).columns, 2u);
  EXPECT_EQ(body_of({{0, 0, 0}, {1, 1, 0}}).faces, 12u);
  EXPECT_EQ(body_of({}).faces, 0u);
}

TEST(ShownVoxels, AreCountedAsOneByOne)
{
  constexpr std::int32_t side = 9;
  std::mt19937 random(3);
  std::vector<Cell> cells;
  std::uint64_t columns = 0;
  for (std::int32_t x = 0; x < side; ++x) {
    for (std::int32_t y = 0; y < side; ++y) {
      std::size_t const before = cells.size();
      for (std::int32_t z = 0; z < side; ++z) {
        if (random() % 3 == 0) { cells.push_back({x, y, z}); }
      }
      columns += cells.size() != before ? 1 : 0;
    }
  }
  std::ranges::shuffle(cells, random);
  std::uint64_t faces = 0;
  for (Cell const& cell : cells) {
    for (int face = 0; face < spatial::face_count; ++face) {
      faces += std::ranges::find(cells, cell + spatial::face_step(face)) == cells.end() ? 1 : 0;
    }
  }
  ShownVoxels const body = body_of(cells);
  EXPECT_EQ(body.faces, faces);
  EXPECT_EQ(body.columns, columns);
}

class ShownVoxelsTest : public test::SpatialSceneTest {
protected:
  /// A block of 3 × 2 × 4 m in survey coordinates, alone: a point in each cubic metre.
  void open_block()
  {
    std::string rows;
    for (int x = 0; x < 3; ++x) {
      for (int y = 0; y < 2; ++y) {
        for (int z = 0; z < 4; ++z) { rows += fmt::format("{} {} {}\n", 4000.5 + x, 7000.5 + y, 0.5 + z); }
      }
    }
    SpatialSceneSettings settings = test::small_settings();
    settings.models[Model::a] = fresh_model(folder_.write("block.xyz", rows).string());
    settings.models[Model::b] = {.source = "sphere", .points = 1000, .place = place_of_stand_in()};
    settings.boolean = spatial::Boolean::both;
    open(settings);
    set_voxel_in_file(state(), 1.0);
    frames(3);
  }

  test::TemporaryFolder folder_;
};

TEST_F(ShownVoxelsTest, AreMeasuredInTheUnitsOfTheFile)
{
  open_block();
  ShownVoxels const body = shown_voxels(scene().engine(), state(), Model::a);
  EXPECT_EQ(body.voxels, 24u);
  EXPECT_NEAR(body.volume(), 24.0, 1e-4);
  EXPECT_NEAR(body.surface(), 2.0 * (3.0 * 2.0 + 3.0 * 4.0 + 2.0 * 4.0), 1e-4);
  EXPECT_NEAR(body.footprint(), 6.0, 1e-4);
  EXPECT_EQ(area_text(6.0, body.unit), "6 square units");
  EXPECT_EQ(volume_text(24.0, "m"), "24 m³");
}

TEST_F(ShownVoxelsTest, OnlyThoseInTheSectionAreMeasured)
{
  open_block();
  spatial::Section& section = state().settings.section;
  section.shown = true;
  frames(3);
  auto const of_z = axis_scale(state(), 2);
  section.high.z = static_cast<float>(of_z.in_scene(2.0));
  frames(3);
  ShownVoxels const lower_half = shown_voxels(scene().engine(), state(), Model::a);
  EXPECT_EQ(lower_half.voxels, 12u);
  EXPECT_NEAR(lower_half.surface(), 2.0 * (3.0 * 2.0 + 3.0 * 2.0 + 2.0 * 2.0), 1e-4);
}

TEST_F(ShownVoxelsTest, AreInTheListOfTheRulerAndInTheStatistics)
{
  open_block();
  state().ask(MeasureShownVoxels{});
  frames(1);
  ASSERT_EQ(state().ruler.bodies.size(), 1u) << "B is not shown";
  std::string const csv = ruler_csv(state());
  EXPECT_THAT(csv, HasSubstr("\nvolume,24"));
  EXPECT_THAT(csv, HasSubstr(",file^3,A,24 voxels,"));
  EXPECT_THAT(csv, HasSubstr("\nfootprint,6"));
  Json const json = scene().statistics({}).json;
  EXPECT_NEAR(json["a"]["shown_size"]["surface"].get<double>(), 52.0, 1e-3);
  EXPECT_EQ(json["a"]["shown_size"]["unit"], "file");
  EXPECT_EQ(json["b"]["shown_size"]["volume"], 0.0);
  state().settings.hidden = 0xff;
  frames(3);
  state().ask(MeasureShownVoxels{});
  frames(1);
  EXPECT_EQ(state().ruler.bodies.size(), 1u);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("No voxels are shown"));
}

}  // namespace
}  // namespace slotscape
