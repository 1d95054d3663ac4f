#include "app/view3d/pose_drag.hpp"
#include "app/view3d/gizmo.hpp"

#include <gtest/gtest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>

namespace slotscape {
namespace {

using spatial::Pose;
using spatial::Vector;

OrbitCamera from_south(double pitch = 0.3)
{
  OrbitCamera camera(3.0, 1000.0, 800.0);
  camera.look({glm::dvec3(0.0), -glm::half_pi<double>() + 0.3, pitch, 9.0});
  return camera;
}

Pose at(Vector translation)
{
  Pose pose;
  pose.translation = translation;
  return pose;
}

void expect_near(Vector a, Vector b, float tolerance)
{
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

Vector unit(int axis)
{
  return {axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f};
}

TEST(PoseDrag, AlongAnAxisTheModelFollowsTheMouse)
{
  OrbitCamera const camera = from_south();
  Pose const pose = at({0.2f, -0.1f, 0.3f});
  for (int axis = 0; axis < 3; ++axis) {
    for (float const wanted : {-0.8f, 0.25f, 1.1f}) {
      Point const from = *camera.to_canvas(pose.translation);
      Vector const goal = pose.translation + wanted * unit(axis);
      PoseDrag const drag(DragKind::move_axis, axis, camera, pose, from);
      expect_near(drag.to(*camera.to_canvas(goal)).translation, goal, 1e-3f);
      expect_near(drag.to(from).translation, pose.translation, 1e-6f);
    }
  }
}

TEST(PoseDrag, ALineOfPixelsAlongXIsAsLongInTheWorld)
{
  OrbitCamera camera(3.0, 1000.0, 800.0);
  camera.look({glm::dvec3(0.0), -glm::half_pi<double>(), 0.0, 9.0});
  PoseDrag const drag(DragKind::move_axis, 0, camera, at({}), {500.0, 400.0});
  double const pixels = 120.0;
  Vector const moved = drag.to({500.0 + pixels, 400.0 + 37.0}).translation;
  EXPECT_NEAR(moved.x, pixels / camera.pixels_per_unit(9.0), 1e-4) << "what is across the axis does not count";
  EXPECT_NEAR(moved.y, 0.0, 1e-6);
  EXPECT_NEAR(moved.z, 0.0, 1e-6);
}

TEST(PoseDrag, AnAxisAtTheEyeDoesNotThrowTheModelAway)
{
  OrbitCamera camera(3.0, 1000.0, 800.0);
  camera.look({glm::dvec3(0.0), 0.0, 0.0, 9.0});  // along x
  PoseDrag const drag(DragKind::move_axis, 0, camera, at({}), {500.0, 400.0});
  for (double const x : {501.0, 560.0, 0.0, 1000.0}) {
    Vector const moved = drag.to({x, 410.0}).translation;
    EXPECT_LE(std::abs(moved.x), 6.0f);
  }
}

TEST(PoseDrag, RingsTurnByTheAngleThatTheMouseGoesRound)
{
  OrbitCamera const camera = from_south(0.6);
  Pose const pose = at({0.1f, 0.2f, -0.1f});
  for (int axis = 0; axis < 3; ++axis) {
    Vector const first = unit((axis + 1) % 3);
    Vector const second = unit((axis + 2) % 3);
    auto const on_ring = [&](double angle) {
      auto const c = static_cast<float>(0.7 * std::cos(angle));
      auto const s = static_cast<float>(0.7 * std::sin(angle));
      return *camera.to_canvas(pose.translation + c * first + s * second);
    };
    PoseDrag const drag(DragKind::turn_axis, axis, camera, pose, on_ring(0.4));
    for (double const angle : {-1.0, 0.3, 2.0}) {
      Pose const turned_pose = drag.to(on_ring(0.4 + angle));
      auto const c = static_cast<float>(std::cos(angle));
      auto const s = static_cast<float>(std::sin(angle));
      expect_near(turned_pose.direction(first), c * first + s * second, 1e-3f);
      expect_near(turned_pose.direction(unit(axis)), unit(axis), 1e-5f);
      EXPECT_EQ(turned_pose.translation, pose.translation);
    }
  }
}

TEST(PoseDrag, ARingSeenFromItsEdgeTurnsToo)
{
  OrbitCamera camera(3.0, 1000.0, 800.0);
  camera.look({glm::dvec3(0.0), -glm::half_pi<double>(), 0.0, 9.0});
  PoseDrag const drag(DragKind::turn_axis, 2, camera, at({}), {500.0, 400.0});
  Pose const turned_pose = drag.to({600.0, 400.0});
  // The near side, which faces the eye in the south, goes to the east with the mouse.
  Vector const south = turned_pose.direction({0.0f, -1.0f, 0.0f});
  EXPECT_GT(south.x, 0.5f);
  EXPECT_NEAR(south.z, 0.0f, 1e-5f);
}

TEST(PoseDrag, ByHandWhatWasGrabbedStaysUnderTheMouse)
{
  OrbitCamera const camera = from_south();
  Pose const pose = at({0.3f, 0.1f, 0.0f});
  Vector const grabbed{0.5f, -0.5f, 0.3f};
  Point const from = *camera.to_canvas(grabbed);
  Point const to{from.x + 140.0, from.y - 90.0};
  Pose const moved = PoseDrag(DragKind::move_plane, 0, camera, pose, from, grabbed).to(to);
  Vector const now = grabbed + (moved.translation - pose.translation);
  EXPECT_NEAR(camera.to_canvas(now)->x, to.x, 0.05);
  EXPECT_NEAR(camera.to_canvas(now)->y, to.y, 0.05);
  EXPECT_NEAR(camera.depth(now), camera.depth(grabbed), 1e-4) << "in the plane of the view";
}

TEST(PoseDrag, ModelsStayWithinReach)
{
  OrbitCamera const camera = from_south();
  Pose const moved = PoseDrag(DragKind::move_plane, 0, camera, at({}), {500.0, 400.0}).to({1e7, -1e7});
  EXPECT_LE(std::abs(moved.translation.x), 6.0f);
  EXPECT_LE(std::abs(moved.translation.z), 6.0f);
}

TEST(PoseDrag, TurningByHandMovesTheNearSideWithTheMouse)
{
  OrbitCamera const camera = from_south();
  Pose const pose = at({});
  Pose const turned_pose = PoseDrag(DragKind::turn_ball, 0, camera, pose, {500.0, 400.0}).to({540.0, 370.0});
  Vector const near_side = from_glm(-camera.forward());
  Vector const now = turned_pose.direction(near_side);
  EXPECT_GT(glm::dot(to_glm(now), camera.right()), 0.1);
  EXPECT_GT(glm::dot(to_glm(now), camera.up()), 0.1);
  EXPECT_EQ(PoseDrag(DragKind::turn_ball, 0, camera, pose, {500.0, 400.0}).to({500.0, 400.0}), pose);
}

TEST(PoseDrag, RotationsStayRotationsHoweverOftenTheyTurn)
{
  Pose pose;
  for (int i = 0; i < 10000; ++i) { pose = turned(pose, glm::normalize(glm::dvec3(1.0, i % 7, -i % 3)), 0.37); }
  for (Vector const& row : pose.rotation.rows) { EXPECT_NEAR(spatial::length(row), 1.0f, 1e-5f); }
  EXPECT_NEAR(spatial::dot(pose.rotation.rows[0], pose.rotation.rows[1]), 0.0f, 1e-5f);
  expect_near(spatial::cross(pose.rotation.rows[0], pose.rotation.rows[1]), pose.rotation.rows[2], 1e-5f);
}

TEST(PoseDrag, ScalesWithinLimits)
{
  Pose pose;
  EXPECT_FLOAT_EQ(scaled(pose, 1.5).scale, 1.5f);
  EXPECT_EQ(scaled(pose, 1e9).scale, largest_model_scale);
  EXPECT_EQ(scaled(pose, 0.0).scale, smallest_model_scale);
}

CanvasMouse mouse_at(Point place, bool pressed, bool down)
{
  return {.at = place, .over = true, .pressed = pressed, .down = down};
}

/// A point of the canvas, so many pixels from the model along an axis of the world.
Point beside(OrbitCamera const& camera, Pose const& pose, int axis, double pixels)
{
  auto const length = static_cast<float>(pixels / camera.pixels_per_unit(camera.depth(pose.translation)));
  return *camera.to_canvas(pose.translation + length * unit(axis));
}

TEST(Gizmo, HasItsHandlesWhereTheyAreDrawn)
{
  OrbitCamera const camera = from_south(0.5);
  Pose const pose = at({0.2f, 0.0f, 0.1f});
  for (float const scale : {1.0f, 2.0f}) {
    for (int axis = 0; axis < 3; ++axis) {
      Point const on_arrow = beside(camera, pose, axis, 60.0 * static_cast<double>(scale));
      EXPECT_EQ(Gizmo::handle_at(camera, pose, on_arrow, scale), (Gizmo::Handle{DragKind::move_axis, axis}));
    }
    Point const middle = *camera.to_canvas(pose.translation);
    EXPECT_FALSE(Gizmo::handle_at(camera, pose, {middle.x + 300.0, middle.y}, scale).has_value());
  }
  // The front of the ring about z is before the model.
  glm::dvec3 const front = glm::normalize(glm::dvec3(-camera.forward().x, -camera.forward().y, 0.0));
  double const length = 94.0 / camera.pixels_per_unit(camera.depth(pose.translation));
  Point const on_ring = *camera.to_canvas(pose.translation + from_glm(length * front));
  EXPECT_EQ(Gizmo::handle_at(camera, pose, on_ring, 1.0f), (Gizmo::Handle{DragKind::turn_axis, 2}));
}

TEST(Gizmo, DragsFromPressToRelease)
{
  OrbitCamera const camera = from_south(0.5);
  Pose const pose = at({0.2f, 0.0f, 0.1f});
  Point const start = beside(camera, pose, 0, 60.0);
  Point const end = beside(camera, pose, 0, 160.0);
  Gizmo gizmo;
  EXPECT_FALSE(gizmo.follow(camera, pose, mouse_at(start, false, false), 1.0f).has_value());
  EXPECT_TRUE(gizmo.hovered());
  EXPECT_FALSE(gizmo.dragging());
  gizmo.follow(camera, pose, mouse_at(start, true, true), 1.0f);
  EXPECT_TRUE(gizmo.dragging());
  auto const moved = gizmo.follow(camera, pose, mouse_at(end, false, true), 1.0f);
  ASSERT_TRUE(moved.has_value());
  double const wanted = 100.0 / camera.pixels_per_unit(camera.depth(pose.translation));
  expect_near(moved->translation, pose.translation + static_cast<float>(wanted) * unit(0), 1e-3f);
  EXPECT_FALSE(gizmo.follow(camera, *moved, mouse_at(end, false, false), 1.0f).has_value());
  EXPECT_FALSE(gizmo.dragging());
}

TEST(Gizmo, DragsTheModelItselfAndLetsGo)
{
  OrbitCamera const camera = from_south();
  Pose const pose = at({});
  Gizmo gizmo;
  gizmo.grab_model(camera, pose, {500.0, 400.0}, {}, false);
  auto const moved = gizmo.follow(camera, pose, mouse_at({560.0, 400.0}, false, true), 1.0f);
  ASSERT_TRUE(moved.has_value());
  EXPECT_NEAR(camera.to_canvas(moved->translation)->x, 560.0, 0.05);
  gizmo.deselect();
  EXPECT_FALSE(gizmo.follow(camera, pose, mouse_at({600.0, 400.0}, false, true), 1.0f).has_value());
}

}  // namespace
}  // namespace slotscape
