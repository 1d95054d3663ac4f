#include "app/view3d/orbit_camera.hpp"

#include <gtest/gtest.h>
#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>

namespace slotscape {
namespace {

using spatial::Vector;

constexpr double view_width = 1000.0;
constexpr double view_height = 800.0;

OrbitCamera a_camera(double extent = 3.0)
{
  OrbitCamera camera(extent, view_width, view_height);
  camera.orbit(130.0, 40.0);
  return camera;
}

Vector corner(double extent, int bits)
{
  auto const at = [&](int bit) { return static_cast<float>((bits >> bit & 1) != 0 ? extent / 2.0 : -extent / 2.0); };
  return {at(0), at(1), at(2)};
}

Vector on_ray(spatial::Ray const& ray, float distance)
{
  return ray.origin + distance * ray.direction;
}

void expect_same(Point a, Point b, double tolerance)
{
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
}

TEST(OrbitCamera, AtHomeTheCanvasShowsTheWholeCube)
{
  for (double const extent : {0.5, 3.0, 700.0}) {
    for (auto const& [w, h] : {std::pair{1000.0, 800.0}, std::pair{500.0, 900.0}, std::pair{1600.0, 300.0}}) {
      OrbitCamera const camera(extent, w, h);
      for (int bits = 0; bits < 8; ++bits) {
        auto const at = camera.to_canvas(corner(extent, bits));
        ASSERT_TRUE(at.has_value());
        EXPECT_GT(at->x, 0.0);
        EXPECT_LT(at->x, w);
        EXPECT_GT(at->y, 0.0);
        EXPECT_LT(at->y, h);
      }
    }
  }
}

TEST(OrbitCamera, HasZUpAndXToTheRightOfAnEyeInTheSouth)
{
  OrbitCamera camera(3.0, view_width, view_height);
  camera.look({glm::dvec3(0.0), -glm::half_pi<double>(), 0.2, 8.0});
  Point const middle = *camera.to_canvas({});
  expect_same(middle, {view_width / 2.0, view_height / 2.0}, 1e-6);
  EXPECT_LT(camera.to_canvas({0.0f, 0.0f, 1.0f})->y, middle.y);
  EXPECT_NEAR(camera.to_canvas({0.0f, 0.0f, 1.0f})->x, middle.x, 1e-6);
  EXPECT_GT(camera.to_canvas({1.0f, 0.0f, 0.0f})->x, middle.x);
}

TEST(OrbitCamera, RaysGoThroughWhatIsSeenThere)
{
  OrbitCamera camera = a_camera();
  camera.zoom_at({300.0, 500.0}, 1.7);
  for (Point const at : {Point{10.0, 20.0}, Point{500.0, 400.0}, Point{930.0, 700.0}}) {
    spatial::Ray const ray = camera.ray(at);
    EXPECT_NEAR(spatial::length(ray.direction), 1.0f, 1e-5f);
    for (float const distance : {2.0f, 7.0f, 30.0f}) {
      expect_same(*camera.to_canvas(on_ray(ray, distance)), at, 0.02);
    }
  }
  EXPECT_FALSE(camera.to_canvas(on_ray(camera.ray({500.0, 400.0}), -1.0f)).has_value());
}

TEST(OrbitCamera, MatricesAgreeWithTheCanvas)
{
  OrbitCamera const camera = a_camera();
  for (int bits = 0; bits < 8; ++bits) {
    Vector const point = corner(2.0, bits);
    glm::dvec4 const clip = camera.projection() * camera.view() * glm::dvec4(to_glm(point), 1.0);
    Point const at{(clip.x / clip.w * 0.5 + 0.5) * view_width, (0.5 - clip.y / clip.w * 0.5) * view_height};
    expect_same(at, *camera.to_canvas(point), 1e-3);
    EXPECT_NEAR(clip.w, camera.depth(point), 1e-6);
  }
}

TEST(OrbitCamera, DepthHoldsTheCubeFromNearAndFar)
{
  for (double const zoom : {0.3, 1.0, 4.0, 60.0}) {
    OrbitCamera camera = a_camera();
    camera.zoom_at({view_width / 2.0, view_height / 2.0}, zoom);
    for (int bits = 0; bits < 8; ++bits) {
      glm::dvec4 const clip = camera.projection() * camera.view() * glm::dvec4(to_glm(corner(3.0, bits)), 1.0);
      if (clip.w <= 0.05 * camera.place().distance) { continue; }  // beside or behind the eye
      EXPECT_GT(clip.z / clip.w, 0.0);
      EXPECT_LT(clip.z / clip.w, 1.0);
    }
    // Nearer is more, and the target is well beyond the near plane.
    EXPECT_LT(camera.projection()[3][2], 0.999 * camera.place().distance);
  }
}

TEST(OrbitCamera, PanKeepsWhatWasGrabbedUnderTheMouse)
{
  OrbitCamera camera = a_camera();
  Point const from{420.0, 300.0};
  Point const to{610.0, 455.0};
  for (float const distance : {3.0f, 9.0f}) {
    Vector const grabbed = on_ray(camera.ray(from), distance);
    OrbitCamera moved = camera;
    moved.pan(from, to, grabbed);
    expect_same(*moved.to_canvas(grabbed), to, 0.05);
    EXPECT_EQ(moved.place().distance, camera.place().distance);
  }
  Vector const target = from_glm(camera.place().target);
  camera.pan({500.0, 400.0}, to);
  expect_same(*camera.to_canvas(target), to, 0.05);
}

TEST(OrbitCamera, ZoomKeepsWhatIsUnderTheCursor)
{
  OrbitCamera camera = a_camera();
  Point const cursor{610.0, 300.0};
  Vector const under = on_ray(camera.ray(cursor), 7.0f);
  double const before = camera.place().distance;
  for (int step = 0; step < 6; ++step) {
    camera.zoom_at(cursor, 1.15, under);
    expect_same(*camera.to_canvas(under), cursor, 0.5);
  }
  EXPECT_NEAR(camera.place().distance, before / std::pow(1.15, 6.0), 1e-9);
}

TEST(OrbitCamera, StaysInItsLimits)
{
  OrbitCamera camera = a_camera();
  camera.zoom_at({0.0, 0.0}, 1e12);
  EXPECT_GT(camera.place().distance, 0.0);
  camera.zoom_at({0.0, 0.0}, 1e-12);
  EXPECT_LT(camera.place().distance, 100.0);
  camera.orbit(1e5, 1e6);
  EXPECT_NEAR(camera.place().pitch, glm::half_pi<double>(), 1e-12);
  EXPECT_NEAR(glm::length(camera.up()), 1.0, 1e-9) << "looking straight down";
  camera.pan({0.0, 0.0}, {1e9, 1e9});
  EXPECT_LE(std::abs(camera.place().target.x), 3.0);
  camera.set_canvas(0.0, 0.0);
  EXPECT_TRUE(std::isfinite(camera.ray({0.0, 0.0}).direction.x));
}

TEST(OrbitCamera, OrbitTurnsAboutTheTargetAndTheSceneFollowsTheMouse)
{
  OrbitCamera camera(3.0, view_width, view_height);
  Vector const before_target = from_glm(0.5 * (camera.eye() + camera.place().target));
  double const distance = glm::length(camera.eye() - camera.place().target);
  Point const before = *camera.to_canvas(before_target);
  camera.orbit(40.0, 25.0);
  EXPECT_NEAR(glm::length(camera.eye() - camera.place().target), distance, 1e-9);
  Point const after = *camera.to_canvas(before_target);
  EXPECT_GT(after.x, before.x) << "what is nearer than the target moves with the mouse";
  EXPECT_GT(after.y, before.y);
}

TEST(OrbitCamera, FliesToTheFocusAndHome)
{
  OrbitCamera camera = a_camera();
  Vector const point{0.7f, -0.4f, 0.2f};
  camera.focus(point, 0.1);
  EXPECT_TRUE(camera.moving());
  double last = camera.place().distance;
  for (int frame = 0; frame < 30; ++frame) {
    camera.advance(OrbitCamera::flight_seconds / 30.0);
    EXPECT_LE(camera.place().distance, last + 1e-9) << "no jumps, no way round";
    last = camera.place().distance;
  }
  camera.advance(0.01);
  EXPECT_FALSE(camera.moving());
  expect_same(*camera.to_canvas(point), {view_width / 2.0, view_height / 2.0}, 0.01);
  double const pixels = 0.1 * camera.pixels_per_unit(camera.depth(point));
  EXPECT_GT(pixels, 0.25 * view_height);
  EXPECT_LT(pixels, 0.5 * view_height);
  camera.reset();
  camera.advance(10.0);
  EXPECT_EQ(camera.place().target, camera.home().target);
  EXPECT_NEAR(camera.place().yaw, camera.home().yaw, 1e-9);
  EXPECT_NEAR(camera.place().distance, camera.home().distance, 1e-9);
}

/// How many pixels lie between these places.
double distance_on_canvas(OrbitCamera const& camera, spatial::Vector const& from, spatial::Vector const& to)
{
  Point const a = camera.to_canvas(from).value();
  Point const b = camera.to_canvas(to).value();
  return std::hypot(a.x - b.x, a.y - b.y);
}
std::vector<spatial::Vector> corners_of_box(float x, float y, float z)
{
  std::vector<spatial::Vector> corners;
  for (int corner = 0; corner != 8; ++corner) {
    corners.push_back({corner % 2 == 0 ? -x : x, corner / 2 % 2 == 0 ? -y : y, corner / 4 == 0 ? -z : z});
  }
  return corners;
}

TEST(OrbitCamera, WhatIsLongIsFramedAcrossTheCanvas)
{
  for (auto const& [x, y] : {std::pair{1.0f, 0.05f}, std::pair{0.05f, 1.0f}, std::pair{0.1f, 0.7f}}) {
    std::vector<spatial::Vector> const corners = corners_of_box(x, y, 0.05f);
    OrbitCamera as_it_stands(2.0, 1280.0, 720.0);
    as_it_stands.frame(corners);
    as_it_stands.look(as_it_stands.destination());
    OrbitCamera best(2.0, 1280.0, 720.0);
    best.frame_from_best_side(corners);
    best.look(best.destination());
    spatial::Vector const end{x > y ? x : 0.0f, x > y ? 0.0f : y, 0.0f};
    spatial::Vector const other_end{-end.x, -end.y, 0.0f};
    EXPECT_GE(distance_on_canvas(best, end, other_end), distance_on_canvas(as_it_stands, end, other_end));
    EXPECT_GT(distance_on_canvas(best, end, other_end), 0.8 * 1280.0) << "it lies across the canvas";
    for (spatial::Vector const& corner : corners) {
      Point const at = best.to_canvas(corner).value();
      EXPECT_TRUE(at.x >= 0.0 && at.x <= 1280.0 && at.y >= 0.0 && at.y <= 720.0);
    }
  }
}

TEST(OrbitCamera, WhatIsAsWideAsLongIsFramedFromWhereTheEyeIs)
{
  OrbitCamera camera(2.0, 1280.0, 720.0);
  camera.frame_from_best_side(corners_of_box(0.8f, 0.8f, 0.8f));
  EXPECT_EQ(camera.destination().yaw, camera.home().yaw);
}

TEST(OrbitCamera, AHandOnTheMouseEndsAFlight)
{
  OrbitCamera camera = a_camera();
  camera.focus({1.0f, 0.0f, 0.0f}, 0.1);
  camera.advance(0.1);
  camera.orbit(3.0, 0.0);
  OrbitPlace const held = camera.place();
  camera.advance(1.0);
  EXPECT_EQ(camera.place(), held);
}

TEST(OrbitCamera, TurnsByItself)
{
  OrbitCamera camera(3.0, view_width, view_height);
  double const yaw = camera.place().yaw;
  camera.set_turntable(0.5);
  EXPECT_TRUE(camera.moving());
  camera.advance(0.4);
  EXPECT_NEAR(std::remainder(camera.place().yaw - yaw, glm::two_pi<double>()), 0.2, 1e-9);
  camera.set_turntable(0.0);
  EXPECT_FALSE(camera.moving());
}

}  // namespace
}  // namespace slotscape
