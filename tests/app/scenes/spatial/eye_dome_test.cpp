// What lies behind its neighbours on the canvas is darker, and nothing else is.

#include "tests/app/scenes/spatial/models_view_fixture.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape::view3d_test {
namespace {

/// Two discs, of which the nearer one covers a part of the other.
class EyeDomeTest : public ModelsViewTest {
protected:
  void SetUp() override
  {
    ModelsViewTest::SetUp();
    settings_.kind = spatial::InstanceKind::points;
    settings_.max_pixels = 300.0f;
    settings_.point_size = 4.0f;
    look_at({}, 30.0);
    near_ = from_glm(-0.2 * camera_.forward() + 0.15 * camera_.right());
    far_ = from_glm(0.2 * camera_.forward());
    set(Model::a, {{near_, status_paint(VoxelStatus::intersection), 0}});
    set(Model::b, {{far_, status_paint(VoxelStatus::outside) | Paint::model_b, 0}});
  }
  gl::Image draw_with(bool eye_dome)
  {
    settings_.eye_dome = eye_dome;
    return draw();
  }
  double reach(Vector point)
  {
    double const diameter = static_cast<double>(grid.voxel() * settings_.point_size);
    return 0.5 * diameter * camera_.pixels_per_unit(camera_.depth(point));
  }

  Vector near_;
  Vector far_;
};

TEST_P(EyeDomeTest, DarkensTheFartherDiscAlongTheRimOfTheNearerOne)
{
  Point const middle = *camera_.to_canvas(near_);
  for (bool const smooth : {false, true}) {
    settings_.smooth_on_cpu = smooth;
    gl::Image const plain = draw_with(false);
    gl::Image const shaded = draw_with(true);
    int darker = 0;
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        glm::vec3 const before = pixel(plain, Point(x, y));
        glm::vec3 const after = pixel(shaded, Point(x, y));
        ASSERT_LE(after.g, before.g + 0.01f) << x << ", " << y;
        if (after == before) { continue; }
        ++darker;
        double const from_rim = glm::length(Point(x + 0.5, y + 0.5) - middle) - reach(near_);
        ASSERT_LT(std::abs(from_rim), 2.5) << x << ", " << y;
        ASSERT_LT(glm::length(Point(x + 0.5, y + 0.5) - *camera_.to_canvas(far_)), reach(far_) + 2.5);
      }
    }
    EXPECT_GT(darker, 60) << "an arc across the farther disc";
    float darkest = 1.0f;  // share of a colour that is left, across the rim
    for (double beyond = -1.0; beyond <= 2.0; beyond += 0.5) {
      Point const at = middle - Point(reach(near_) + beyond, 0.0);
      darkest = std::min(darkest, pixel(shaded, at).g / pixel(plain, at).g);
    }
    EXPECT_LT(darkest, 0.75f);
  }
}

TEST_P(EyeDomeTest, LeavesSurfacesThatAreSeenStraightOnAsTheyAre)
{
  std::vector<Instance> wall;
  for (std::int32_t x = 0; x < 32; ++x) {
    for (std::int32_t z = 0; z < 32; ++z) { wall.push_back(voxel({x, 16, z}, status_paint(VoxelStatus::outside))); }
  }
  set(Model::a, wall);
  set(Model::b, {});
  settings_.kind = spatial::InstanceKind::voxels;
  OrbitPlace place = camera_.home();
  place.yaw = -1.5707963;
  place.pitch = 0.0;
  camera_.look(place);
  gl::Image const plain = draw_with(false);
  gl::Image const shaded = draw_with(true);
  for (int at = side / 2 - 60; at < side / 2 + 60; ++at) {
    glm::vec3 const before = pixel(plain, Point(at, side / 2 + 7));
    glm::vec3 const after = pixel(shaded, Point(at, side / 2 + 7));
    ASSERT_FALSE(is_background(before));
    ASSERT_GT(after.g, 0.93f * before.g) << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EyeDomeTest, testing::Values(Way::opengl, Way::kernels), name_of);

}  // namespace
}  // namespace slotscape::view3d_test
