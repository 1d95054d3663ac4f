#include "app/view3d/grid_box.hpp"

#include "app/base/fixed.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

constexpr float edge_alpha = 0.55f;
constexpr float axis_alpha = 0.85f;
constexpr float floor_alpha = 0.16f;
constexpr int floor_cells = 8;

/// A corner of the cube, with a sign for each axis.
glm::dvec3 corner(spatial::VoxelGrid const& grid, glm::dvec3 const& signs)
{
  return 0.5 * static_cast<double>(grid.extent) * signs;
}

/// For each axis, the side of the cube that is behind everything in it.
glm::dvec3 back_sides(OrbitCamera const& camera)
{
  glm::dvec3 const eye = camera.eye();
  auto const away = [](double at) { return at > 0.0 ? -1.0 : 1.0; };
  return {away(eye.x), away(eye.y), away(eye.z)};
}

struct Edge {
  glm::dvec3 low;
  glm::dvec3 high;
};

Edge edge_along(spatial::VoxelGrid const& grid, int axis, glm::dvec3 signs)
{
  signs[axis] = -1.0;
  glm::dvec3 const low = corner(grid, signs);
  signs[axis] = 1.0;
  return {low, corner(grid, signs)};
}

/// The edge that is labelled with an axis's name: x and y along the front of the floor, z on the left.
Edge named_edge(spatial::VoxelGrid const& grid, int axis, OrbitCamera const& camera)
{
  glm::dvec3 const back = back_sides(camera);
  if (axis == 0) { return edge_along(grid, 0, {0.0, -back.y, -1.0}); }
  if (axis == 1) { return edge_along(grid, 1, {-back.x, 0.0, -1.0}); }
  glm::dvec3 const first{back.x, -back.y, 0.0};
  glm::dvec3 const second{-back.x, back.y, 0.0};
  bool const first_is_left = glm::dot(first, camera.right()) < glm::dot(second, camera.right());
  return edge_along(grid, 2, first_is_left ? first : second);
}

void add_floor(LineBatch& lines, spatial::VoxelGrid const& grid)
{
  for (int line = 1; line < floor_cells; ++line) {
    double const at = 2.0 * line / floor_cells - 1.0;
    lines.add(from_glm(corner(grid, {at, -1.0, -1.0})), from_glm(corner(grid, {at, 1.0, -1.0})), theme::box,
              floor_alpha, 1.0f);
    lines.add(from_glm(corner(grid, {-1.0, at, -1.0})), from_glm(corner(grid, {1.0, at, -1.0})), theme::box,
              floor_alpha, 1.0f);
  }
}

/// Non-overlapping labels over a canvas with its top left corner at `corner` on the screen.
class BoxLabels {
public:
  BoxLabels(Drawing& drawing, Look const& look, ImVec2 corner, OrbitCamera const& camera)
      : drawing_(drawing), look_(look), corner_(corner), camera_(camera)
  {
  }

  /// Writes a text at `distance` from a place on the canvas in the direction `outwards`, or farther away if another
  /// label is in the way. Moves texts that the canvas would cut off into it; omits labels of edges out of view.
  void write(Point const& at, Point const& outwards, float distance, ImU32 color, std::string const& text)
  {
    constexpr float step = 4.0f;
    constexpr float farthest = 40.0f;
    ImVec2 const size = look_.font->CalcTextSizeA(look_.small, 1e9f, 0.0f, text.c_str());
    float const sideways = size.x / 2.0f / look_.scale * std::abs(static_cast<float>(outwards.x));
    for (float more = 0.0f; more < farthest; more += step) {
      Point const wanted = at + static_cast<double>(look_(std::max(distance, 10.0f + sideways) + more)) * outwards;
      auto const place = within(wanted, size);
      if (!place) { return; }
      Area const area{*place, {place->x + size.x, place->y + size.y}};
      if (std::ranges::any_of(taken_, [&](Area const& other) { return touch(area, other); })) { continue; }
      taken_.push_back(area);
      return drawing_.text(*place, look_.small, color, text);
    }
  }

private:
  struct Area {
    ImVec2 low;
    ImVec2 high;
  };

  bool touch(Area const& a, Area const& b) const
  {
    float const gap = look_(4.0f);
    return a.low.x < b.high.x + gap && b.low.x < a.high.x + gap && a.low.y < b.high.y && b.low.y < a.high.y;
  }
  /// The top left corner of a text around a place, within the canvas.
  std::optional<ImVec2> within(Point const& wanted, ImVec2 size) const
  {
    auto const moved = [&](double place, double length, float half) {
      return std::max(std::min(static_cast<float>(place), static_cast<float>(length) - half), half);
    };
    ImVec2 const inside{moved(wanted.x, camera_.width(), size.x / 2.0f + look_(4.0f)),
                        moved(wanted.y, camera_.height(), size.y / 2.0f + look_(2.0f))};
    auto const away = [](float inside_at, double wanted_at) {
      return std::abs(inside_at - static_cast<float>(wanted_at));
    };
    bool const is_in_view = away(inside.y, wanted.y) < look_(24.0f) && away(inside.x, wanted.x) < look_(24.0f) + size.x;
    if (!is_in_view) { return std::nullopt; }
    return ImVec2{corner_.x + inside.x - size.x / 2.0f, corner_.y + inside.y - size.y / 2.0f};
  }

  Drawing& drawing_;
  Look const& look_;
  ImVec2 corner_;
  OrbitCamera const& camera_;
  std::vector<Area> taken_;
};

}  // namespace

void add_grid_box(LineBatch& lines, spatial::VoxelGrid const& grid, OrbitCamera const& camera)
{
  glm::dvec3 const back = back_sides(camera);
  for (int axis = 0; axis < 3; ++axis) {
    int const second = (axis + 1) % 3;
    int const third = (axis + 2) % 3;
    for (auto const& [a, b] : {std::pair{1.0, 1.0}, std::pair{1.0, -1.0}, std::pair{-1.0, 1.0}}) {
      glm::dvec3 signs(0.0);
      signs[second] = a * back[second];
      signs[third] = b * back[third];
      Edge const edge = edge_along(grid, axis, signs);
      lines.add(from_glm(edge.low), from_glm(edge.high), theme::box, edge_alpha, 1.0f);
    }
    Edge const named = named_edge(grid, axis, camera);
    lines.add(from_glm(named.low), from_glm(named.high), theme::axes[static_cast<std::size_t>(axis)], axis_alpha, 1.5f);
  }
  add_floor(lines, grid);
}

OrbitPlace place_for_whole_grid(OrbitCamera const& camera)
{
  std::vector<spatial::Vector> corners;
  auto const half = static_cast<float>(camera.extent() / 2.0);
  for (float const x : {-half, half}) {
    for (float const y : {-half, half}) {
      for (float const z : {-half, half}) { corners.push_back({x, y, z}); }
    }
  }
  OrbitCamera at_home(camera.extent(), camera.width(), camera.height());
  at_home.frame(corners);
  return at_home.destination();
}

void label_grid_box(Drawing& drawing, ImVec2 corner, spatial::VoxelGrid const& grid, OrbitCamera const& camera,
                    Look const& look, std::array<std::int32_t, 3> const& lowest,
                    std::array<std::string, 3> const& sides)
{
  auto const middle = camera.to_canvas({});
  if (!middle) { return; }
  constexpr std::array<char const*, 3> names{"x", "y", "z"};
  BoxLabels labels(drawing, look, corner, camera);
  for (std::size_t axis = 0; axis < names.size(); ++axis) {
    Edge const edge = named_edge(grid, static_cast<int>(axis), camera);
    auto const low = camera.to_canvas(from_glm(edge.low));
    auto const high = camera.to_canvas(from_glm(edge.high));
    if (!low || !high) { continue; }
    Point const along = *high - *low;
    double const length = glm::length(along);
    if (length < static_cast<double>(look(60.0f))) { continue; }
    Point outwards{-along.y / length, along.x / length};
    if (glm::dot(outwards, (*low + *high) / 2.0 - *middle) < 0.0) { outwards = -outwards; }
    auto const write = [&](double share, float distance, ImU32 color, std::string const& text) {
      labels.write(*low + share * along, outwards, distance, color, text);
    };
    // The ends of an edge show coordinates, its middle shows the length.
    std::int64_t const end = std::int64_t{lowest[axis]} + grid.side;
    write(0.04, 14.0f, theme::text_faint, with_minus(std::to_string(lowest[axis])));
    write(0.96, 14.0f, theme::text_faint, with_minus(std::to_string(end)));
    write(0.5, 16.0f, theme::axes[axis], names[axis]);
    std::string const in_units = sides[axis].empty() ? "" : " · " + sides[axis];
    write(0.5, 30.0f, theme::text_faint, tr("{} voxels", grid.side) + in_units);
  }
}

}  // namespace slotscape
