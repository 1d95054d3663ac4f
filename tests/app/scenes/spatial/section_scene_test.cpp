#include "app/scenes/spatial/export.hpp"
#include "app/view3d/section_box.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using spatial::Model;
using ::testing::Contains;
using ::testing::StartsWith;

/// Two spheres, with the section's box around both.
class SectionScene : public test::SpatialSceneTest {
protected:
  void SetUp() override
  {
    SpatialSceneSettings settings = test::small_settings();
    settings.boolean = spatial::Boolean::both;
    open(settings);
    press("K");
    frames(2);
  }
  spatial::Section& section() { return state().settings.section; }
  std::uint64_t inside(std::uint64_t (*count)(spatial::ModelSnapshot const&))
  {
    return count(state().snapshot.models[Model::a]) + count(state().snapshot.models[Model::b]);
  }
  std::uint64_t voxels_inside()
  {
    return inside([](spatial::ModelSnapshot const& model) { return model.voxels_in_section(); });
  }
  std::uint64_t points_inside()
  {
    return inside([](spatial::ModelSnapshot const& model) { return model.points_in_section; });
  }
  ImVec2 on_screen(Point at)
  {
    Rectangle const& canvas = scene().layout().canvas;
    return {static_cast<float>(canvas.x + at.x), static_cast<float>(canvas.y + at.y)};
  }
};

TEST_F(SectionScene, BeginsAroundBothModels)
{
  EXPECT_TRUE(section().shown);
  EXPECT_EQ(points_inside(), 8000u);
  EXPECT_EQ(voxels_inside(), state().snapshot.models[Model::a].voxels + state().snapshot.models[Model::b].voxels);
  press("K");
  EXPECT_FALSE(section().shown);
}

TEST_F(SectionScene, OnlyWhatIsInsideIsCountedAndExported)
{
  std::uint64_t const all = voxels_inside();
  section().high.x = 0.31f;
  section().cuts = true;
  section().normal = {0.0f, 0.0f, 1.0f};
  section().offset = 0.17f;
  frames(2);
  EXPECT_LT(voxels_inside(), all);
  ASSERT_GT(voxels_inside(), 100u);
  clouds::PlyPoints const result = result_points(scene().engine(), state());
  EXPECT_EQ(result.positions.size(), points_inside());
  for (clouds::Position const& p : result.positions) {
    ASSERT_LE(p.x, 0.3101);
    ASSERT_LE(p.z, 0.1701);
  }
  EXPECT_THAT(result.comments, Contains(StartsWith("section: only what is between (")));
  clouds::PlyPoints const voxels = all_voxels(scene().engine(), state());
  EXPECT_EQ(voxels.positions.size(), voxels_inside());
  Json const statistics = scene().statistics({}).json;
  EXPECT_EQ(statistics["a"]["points_in_section"].get<std::uint64_t>() +
                statistics["b"]["points_in_section"].get<std::uint64_t>(),
            points_inside());
  EXPECT_FLOAT_EQ(statistics["section"]["high"][0].get<float>(), 0.31f);
}

TEST_F(SectionScene, AHandleIsDraggedByTheMouseAndTheViewStays)
{
  spatial::Section const before = section();
  OrbitPlace const seen = scene().camera().place();
  ImGuiIO& io = ImGui::GetIO();
  auto const [origin, direction] = SectionHandles::handle(before, 1);
  auto const point_at = [&](float further) {
    ImVec2 const at = on_screen(*scene().camera().to_canvas(origin + further * direction));
    io.AddMousePosEvent(at.x, at.y);
    frames(2);
  };
  point_at(0.0f);
  io.AddMouseButtonEvent(ImGuiMouseButton_Left, true);
  frames(2);
  point_at(-0.4f);
  EXPECT_NEAR(section().high.x, before.high.x - 0.4f, 0.02f);
  io.AddMouseButtonEvent(ImGuiMouseButton_Left, false);
  frames(3);
  EXPECT_EQ(section().low, before.low);
  EXPECT_EQ(scene().camera().place(), seen);
  EXPECT_LT(voxels_inside(), state().snapshot.models[Model::a].voxels + state().snapshot.models[Model::b].voxels);
  scene().undo();
  EXPECT_EQ(section(), before);
}

TEST_F(SectionScene, ACutFacesTheEyeAndFittingTakesItAway)
{
  std::uint64_t const all = points_inside();
  state().ask(CutSection{});
  frames(2);
  EXPECT_TRUE(section().cuts);
  EXPECT_LT(points_inside(), all * 3 / 4);
  EXPECT_GT(points_inside(), all / 4);
  state().ask(FitSection{});
  frames(2);
  EXPECT_FALSE(section().cuts);
  EXPECT_EQ(points_inside(), all);
}

}  // namespace
}  // namespace slotscape
