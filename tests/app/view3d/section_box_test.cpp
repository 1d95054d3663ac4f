#include "app/view3d/section_box.hpp"

#include <gtest/gtest.h>
#include <glm/geometric.hpp>

#include <array>

namespace slotscape {
namespace {

using spatial::Section;
using spatial::Vector;

OrbitCamera camera_on_section()
{
  OrbitCamera camera(3.0, 1000.0, 800.0);
  camera.look({glm::dvec3(0.0), -1.2, 0.4, 9.0});
  return camera;
}

Section const some_box{.shown = true, .low = {-0.5f, -0.7f, -0.3f}, .high = {0.6f, 0.4f, 0.9f}};

/// Drags a handle from where it is seen to where a place is seen.
Section dragged(Section const& section, int handle, Vector to)
{
  OrbitCamera const camera = camera_on_section();
  SectionHandles handles;
  Point const from = *camera.to_canvas(SectionHandles::handle(section, handle).origin);
  EXPECT_FALSE(handles.follow(camera, section, {.at = from, .over = true, .pressed = true, .down = true}, 1.0f));
  EXPECT_TRUE(handles.dragging());
  auto const moved = handles.follow(camera, section, {.at = *camera.to_canvas(to), .over = true, .down = true}, 1.0f);
  EXPECT_TRUE(moved);
  return moved.value_or(section);
}

TEST(SectionHandles, AFaceFollowsTheMouseAndTheOthersStay)
{
  for (int face = 0; face < spatial::face_count; ++face) {
    auto const [origin, direction] = SectionHandles::handle(some_box, face);
    for (float const by : {0.25f, -0.15f}) {
      Section const moved = dragged(some_box, face, origin + by * direction);
      Section expected = some_box;
      std::array const low{&expected.low.x, &expected.low.y, &expected.low.z};
      std::array const high{&expected.high.x, &expected.high.y, &expected.high.z};
      auto const axis = static_cast<std::size_t>(face / 2);
      if (face % 2 == 0) {
        *low[axis] -= by;
      } else {
        *high[axis] += by;
      }
      EXPECT_LT(length(moved.low - expected.low), 1e-3f) << face;
      EXPECT_LT(length(moved.high - expected.high), 1e-3f) << face;
    }
  }
}

TEST(SectionHandles, AFaceStopsBeforeTheOneOppositeIt)
{
  Section const moved = dragged(some_box, 1, {-1.4f, 0.0f, 0.3f});
  EXPECT_GT(moved.high.x, moved.low.x);
  EXPECT_LT(moved.high.x, moved.low.x + 0.01f);
  EXPECT_EQ(moved.low, some_box.low);
}

TEST(SectionHandles, ThePlaneMovesAlongItsNormal)
{
  Section section = some_box;
  section.cuts = true;
  section.normal = spatial::normalized({0.3f, 1.0f, 0.2f});
  section.offset = 0.05f;
  auto const [origin, direction] = SectionHandles::handle(section, SectionHandles::plane);
  EXPECT_NEAR(dot(section.normal, origin), section.offset, 1e-5f);
  Section const moved = dragged(section, SectionHandles::plane, origin + 0.2f * direction);
  EXPECT_NEAR(moved.offset, 0.25f, 1e-3f);
  EXPECT_EQ(moved.low, section.low);
}

TEST(SectionHandles, AreWhereTheyAreSeenAndNowhereElse)
{
  OrbitCamera const camera = camera_on_section();
  for (int face = 0; face < spatial::face_count; ++face) {
    Point const at = *camera.to_canvas(SectionHandles::handle(some_box, face).origin);
    EXPECT_EQ(SectionHandles::handle_at(camera, some_box, at, 1.0f), face);
  }
  EXPECT_FALSE(SectionHandles::handle_at(camera, some_box, {20.0, 20.0}, 1.0f));
  Section hidden = some_box;
  hidden.shown = false;
  SectionHandles handles;
  Point const at = *camera.to_canvas(SectionHandles::handle(hidden, 0).origin);
  handles.follow(camera, hidden, {.at = at, .over = true, .pressed = true, .down = true}, 1.0f);
  EXPECT_FALSE(handles.hovered() || handles.dragging());
}

TEST(SectionBox, TakesInAllPointsAndACutFacesTheEye)
{
  std::array const points{Vector{0.1f, 2.0f, -1.0f}, Vector{-0.4f, 1.0f, 3.0f}, Vector{0.0f, 1.5f, 0.0f}};
  Section section = section_around(points);
  for (Vector const& point : points) { EXPECT_TRUE(section.contains(point)); }
  EXPECT_FALSE(section.contains({0.1f, 2.0f, -1.2f}));
  OrbitCamera const camera = camera_on_section();
  cut_towards_eye(section, camera);
  glm::dvec3 const middle = 0.5 * (to_glm(section.low) + to_glm(section.high));
  EXPECT_FALSE(section.contains(from_glm(middle - 0.01 * camera.forward())));
  EXPECT_TRUE(section.contains(from_glm(middle + 0.01 * camera.forward())));
}

TEST(SectionBox, APlaneMeetsTheFacesInAClosedLine)
{
  Section section = some_box;
  EXPECT_EQ(lines_of(section, Color{}).size(), 12u);
  section.cuts = true;
  section.normal = {0.0f, 0.0f, 1.0f};
  section.offset = 0.2f;
  std::vector<HighlightLine> const lines = lines_of(section, Color{});
  ASSERT_EQ(lines.size(), 16u) << "across four faces";
  for (std::size_t i = 12; i < lines.size(); ++i) {
    EXPECT_NEAR(lines[i].from.z, 0.2f, 1e-6f);
    EXPECT_NEAR(lines[i].to.z, 0.2f, 1e-6f);
  }
}

}  // namespace
}  // namespace slotscape
