#include "tests/app/scenes/spatial/models_view_fixture.hpp"

#include <glm/gtc/constants.hpp>

#include <cmath>

namespace slotscape::view3d_test {
namespace {

using spatial::InstanceKind;
using spatial::PaintBy;

TEST_P(ModelsViewTest, DrawsVoxelsWhereTheyAreInTheColorsOfTheirStatus)
{
  Cell const cells[]{{16, 16, 16}, {20, 8, 18}, {10, 20, 9}, {22, 21, 24}};
  VoxelStatus const statuses[]{VoxelStatus::unknown, VoxelStatus::inside, VoxelStatus::outside,
                               VoxelStatus::intersection};
  std::vector<Instance> instances;
  for (std::size_t i = 0; i < 4; ++i) { instances.push_back(voxel(cells[i], status_paint(statuses[i]))); }
  set(Model::a, instances);
  for (bool const color_blind : {false, true}) {
    settings_.color_blind = color_blind;
    for (InstanceKind const kind : {InstanceKind::voxels, InstanceKind::points}) {
      settings_.kind = kind;
      gl::Image const image = draw();
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_TRUE(is_lit(pixel_at(image, center_of(cells[i])), status_colors(settings_)[statuses[i]])) << i;
      }
      EXPECT_TRUE(is_background(pixel_at(image, center_of({4, 4, 28}))));
    }
  }
}

TEST_P(ModelsViewTest, VoxelsAreAsLargeAsTheyAreSmallAndLarge)
{
  Cell const cell{16, 16, 16};
  set(Model::a, {voxel(cell, status_paint(VoxelStatus::outside))});
  // Of a cube of side s, seen from the direction d, s^2 (|dx| + |dy| + |dz|) is seen.
  glm::dvec3 const towards = glm::abs(camera_.forward());
  for (double const pixels : {6.0, 14.0, 26.0, 40.0, 90.0}) {
    look_at(center_of(cell), pixels);
    double const gap = 0.95 + 0.05 * (1.0 - glm::smoothstep(10.0, 30.0, pixels));
    double const wanted = (towards.x + towards.y + towards.z) * pixels * pixels * gap * gap;
    double const tolerance = 0.06 * wanted + 5.0 * pixels;  // perspective, and rims
    EXPECT_NEAR(covered(draw()), wanted, tolerance) << pixels;
  }
}

TEST_P(ModelsViewTest, VoxelsOfLessThanAPixelAreSeen)
{
  Cell const cell{16, 16, 16};
  set(Model::a, {voxel(cell, status_paint(VoxelStatus::intersection))});
  OrbitPlace place = camera_.home();
  place.distance *= 2.5;
  camera_.look(place);
  picture_.grid.side = 1024;
  gl::Image const image = draw();
  EXPECT_GE(covered(image), 1);
  EXPECT_LE(covered(image), 9);
}

TEST_P(ModelsViewTest, HiddenInstancesAreNotSeenUnlessAsGhosts)
{
  Cell const cell{16, 16, 16};
  set(Model::a, {voxel(cell, status_paint(VoxelStatus::outside))});
  picture_.models[Model::a].shown = 0;
  for (InstanceKind const kind : {InstanceKind::voxels, InstanceKind::points}) {
    for (double const pixels : {1.0, 14.0, 60.0}) {
      settings_.kind = kind;
      look_at(center_of(cell), pixels);
      settings_.ghosts = false;
      EXPECT_EQ(covered(draw()), 0);
      if (pixels < 10.0) { continue; }
      settings_.ghosts = true;
      glm::vec3 const ghost = pixel_at(draw(), center_of(cell));
      EXPECT_FALSE(is_background(ghost));
      EXPECT_LT(ghost.g, 0.3f);
    }
  }
}

TEST_P(ModelsViewTest, WhatIsCutOffIsNotDrawnEvenAsAGhost)
{
  set(Model::a, {{{}, status_paint(VoxelStatus::intersection) | Paint::cut_off, 0}});
  look_at({}, 30.0);
  settings_.ghosts = true;
  for (std::uint64_t const shown : {0u, 1u}) {
    picture_.models[Model::a].shown = shown;
    for (InstanceKind const kind : {InstanceKind::points, InstanceKind::voxels}) {
      settings_.kind = kind;
      EXPECT_EQ(covered(draw()), 0);
    }
  }
}

TEST_P(ModelsViewTest, WhatIsNearerHidesWhatIsBehindItInAnyOrder)
{
  // Behind the middle and before it, on one line of sight.
  Vector const behind = from_glm(0.3 * camera_.forward());
  Vector const before = from_glm(-0.3 * camera_.forward());
  auto const far = Instance{behind, status_paint(VoxelStatus::inside), 0};
  auto const near = Instance{before, status_paint(VoxelStatus::intersection), 0};
  for (InstanceKind const kind : {InstanceKind::voxels, InstanceKind::points}) {
    for (double const pixels : {14.0, 60.0}) {
      settings_.kind = kind;
      look_at({}, pixels);
      for (auto const& order : {std::vector{far, near}, std::vector{near, far}}) {
        set(Model::a, order);
        picture_.models[Model::b] = {};
        EXPECT_TRUE(is_lit(pixel_at(draw(), {}), StatusColors::standard[VoxelStatus::intersection]));
      }
      set(Model::a, {near});
      set(Model::b, {far});
      EXPECT_TRUE(is_lit(pixel_at(draw(), {}), StatusColors::standard[VoxelStatus::intersection]));
    }
  }
}

TEST_P(ModelsViewTest, ASurfaceOfVoxelsHasNoGapsFromAfar)
{
  std::vector<Instance> instances;
  for (std::int32_t x = 8; x < 24; ++x) {
    for (std::int32_t y = 8; y < 24; ++y) {
      instances.push_back(voxel({x, y, 16}, status_paint(VoxelStatus::outside)));
    }
  }
  set(Model::a, instances);
  for (double const pixels : {4.0, 6.5, 9.0}) {
    look_at(center_of({16, 16, 16}), pixels);
    gl::Image const image = draw();
    Point const low = *camera_.to_canvas(center_of({10, 10, 16}));
    for (double step = 0.0; step <= 1.0; step += 0.004) {
      Point const at = low + step * (*camera_.to_canvas(center_of({22, 21, 16})) - low);
      ASSERT_FALSE(is_background(pixel(image, at))) << pixels << " at " << step;
    }
  }
}

TEST_P(ModelsViewTest, AWallSeenStraightOnHasNoGaps)
{
  std::vector<Instance> wall;
  for (std::int32_t x = 0; x < 32; ++x) {
    for (std::int32_t z = 0; z < 32; ++z) { wall.push_back(voxel({x, 16, z}, status_paint(VoxelStatus::outside))); }
  }
  set(Model::a, wall);
  for (double const pixels : {4.0, 6.5, 9.0}) {
    for (double const shift : {0.0, 0.31, 0.5}) {
      look_at({}, pixels);
      OrbitPlace place = camera_.place();
      place.yaw = -glm::half_pi<double>();
      place.pitch = 0.0;
      place.target = shift * static_cast<double>(grid.voxel()) * glm::dvec3(1.0, 0.0, 1.0);
      camera_.look(place);
      gl::Image const image = draw();
      constexpr int middle = side / 2;
      int const reach = std::min(static_cast<int>(14.0 * pixels), middle - 1);
      for (int at = -reach; at <= reach; ++at) {
        for (int across = -4; across <= 4; ++across) {
          auto const along = static_cast<double>(middle + at);
          auto const beside = static_cast<double>(middle + across);
          ASSERT_FALSE(is_background(pixel(image, {along, beside}))) << pixels << ", " << shift << ", " << at;
          ASSERT_FALSE(is_background(pixel(image, {beside, along}))) << pixels << ", " << shift << ", " << at;
        }
      }
    }
  }
}

TEST_P(ModelsViewTest, WhatIsCutByTheCanvassEdgeIsSeenUpToIt)
{
  set(Model::a, {{{}, status_paint(VoxelStatus::outside), 0}});
  settings_.max_pixels = 60.0f;
  for (InstanceKind const kind : {InstanceKind::voxels, InstanceKind::points}) {
    for (double const pixels : {20.0, 44.0, 60.0}) {
      settings_.kind = kind;
      look_at({}, pixels);
      for (Point const edge : {Point{-5.0, 200.0}, Point{405.0, 200.0}, Point{200.0, -5.0}, Point{200.0, 405.0}}) {
        OrbitCamera const middle = camera_;
        camera_.pan({200.0, 200.0}, edge);
        Point const inside = glm::clamp(edge, 1.0, side - 2.0);
        EXPECT_FALSE(is_background(pixel(draw(), inside))) << pixels << " at " << edge.x << ", " << edge.y;
        camera_ = middle;
      }
    }
  }
}

TEST_P(ModelsViewTest, ModelsAndValuesHaveTheirColors)
{
  Cell const first{12, 16, 16};
  Cell const second{20, 16, 16};
  set(Model::a, {voxel(first, 0)});
  set(Model::b, {voxel(second, 30 | Paint::model_b)});
  settings_.paint_by = PaintBy::model;
  gl::Image const by_model = draw();
  EXPECT_TRUE(is_lit(pixel_at(by_model, center_of(first)), model_colors[0]));
  EXPECT_TRUE(is_lit(pixel_at(by_model, center_of(second)), model_colors[1]));

  settings_.paint_by = PaintBy::points;
  settings_.palette = Palette::viridis;
  picture_.scale_max = 30.0;
  gl::Image const by_value = draw();
  EXPECT_TRUE(is_lit(pixel_at(by_value, center_of(second)), palette_color(Palette::viridis, 1.0)));
  picture_.scale_max = 60.0;
  settings_.log_scale = false;
  EXPECT_TRUE(is_lit(pixel_at(draw(), center_of(second)), palette_color(Palette::viridis, 0.5)));
}

TEST_P(ModelsViewTest, AttributesAreColorsOrValuesOrMissing)
{
  Cell const first{12, 16, 16};
  Cell const second{20, 16, 16};
  set(Model::a, {voxel(first, 0xd06010)});
  set(Model::b, {voxel(second, Paint::no_value | Paint::model_b)});
  settings_.paint_by = PaintBy::attribute;
  picture_.shows_colors = true;
  for (InstanceKind const kind : {InstanceKind::voxels, InstanceKind::points}) {
    settings_.kind = kind;
    gl::Image const image = draw();
    EXPECT_TRUE(is_lit(pixel_at(image, center_of(first)), color_of(0xd06010)));
    EXPECT_TRUE(is_lit(pixel_at(image, center_of(second)), neutral_color));
  }
  picture_.shows_colors = false;
  picture_.scale_max = 2.0 * 0xd06010;
  settings_.palette = Palette::viridis;
  EXPECT_TRUE(is_lit(pixel_at(draw(), center_of(first)), palette_color(Palette::viridis, 0.5))) << "on a linear scale";
}

TEST_P(ModelsViewTest, PointsAreRoundAndKeepTheirLimits)
{
  set(Model::a, {{{}, status_paint(VoxelStatus::outside), 0}});
  settings_.kind = InstanceKind::points;
  settings_.point_size = 1.0f;
  look_at({}, 20.0);
  EXPECT_NEAR(covered(draw()), 3.14159 * 100.0, 40.0);
  settings_.max_pixels = 10.0f;
  EXPECT_NEAR(covered(draw()), 3.14159 * 25.0, 20.0);
  settings_.min_pixels = 5.0f;
  look_at({}, 0.5);
  EXPECT_NEAR(covered(draw()), 3.14159 * 6.25, 9.0);
}

TEST_P(ModelsViewTest, NormalsTowardsTheLightAreBrighter)
{
  auto const normal_bytes = [](glm::dvec3 const& n) {
    auto const byte = [](double at) { return static_cast<std::uint32_t>(std::lround(at * 127.0)) & 0xffu; };
    return byte(n.x) | byte(n.y) << 8 | byte(n.z) << 16;
  };
  auto const brightness = [&](glm::dvec3 const& normal) {
    set(Model::a, {{{}, status_paint(VoxelStatus::outside), normal_bytes(normal)}});
    return pixel_at(draw(), {}).g;
  };
  settings_.kind = InstanceKind::points;
  look_at({}, 14.0);
  float const towards = brightness(glm::normalize(-camera_.forward() + camera_.up()));
  float const aside = brightness(glm::normalize(-0.3 * camera_.forward() - camera_.up()));
  float const inner = brightness(glm::normalize(camera_.forward() - camera_.up()));
  EXPECT_GT(towards, aside + 0.1f);
  EXPECT_NEAR(towards, inner, 0.02f) << "the sign of a normal may be a guess";
}

INSTANTIATE_TEST_SUITE_P(Models, ModelsViewTest, testing::Values(Way::opengl, Way::kernels), name_of);

}  // namespace
}  // namespace slotscape::view3d_test
