#include "app/view3d/grid_box.hpp"

#include "app/widgets/look.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
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

/// The side of the cube that is behind everything in it, for each axis.
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

/// The edge that an axis is named at: x and y along the front of the floor, z at the left.
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

void write(Drawing& drawing, Look const& look, ImVec2 center, ImU32 color, std::string const& text)
{
  float const size = look.small;
  ImVec2 const extent = look.font->CalcTextSizeA(size, 1e9f, 0.0f, text.c_str());
  drawing.text({center.x - extent.x / 2.0f, center.y - extent.y / 2.0f}, size, color, text);
}

/// A canvas, with its top left corner on the screen.
struct LabelledCanvas {
  ImVec2 corner;
  OrbitCamera const& camera;
};

/// Moves what is cut off by the canvas into it; leaves out what belongs to an edge out of view.
void write_within(Drawing& drawing, Look const& look, LabelledCanvas const& canvas, ImVec2 at, ImU32 color,
                  std::string const& text)
{
  ImVec2 const size = look.font->CalcTextSizeA(look.small, 1e9f, 0.0f, text.c_str());
  auto const moved = [&](float place, float first, double length, float half) {
    return std::max(std::min(place, first + static_cast<float>(length) - half), first + half);
  };
  ImVec2 const inside{moved(at.x, canvas.corner.x, canvas.camera.width(), size.x / 2.0f + look(4.0f)),
                      moved(at.y, canvas.corner.y, canvas.camera.height(), size.y / 2.0f + look(2.0f))};
  bool const is_in_view = std::abs(inside.y - at.y) < look(24.0f) && std::abs(inside.x - at.x) < look(24.0f) + size.x;
  if (is_in_view) { write(drawing, look, inside, color, text); }
}

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
    auto const place = [&](double share, float distance) {
      Point const at = *low + share * along + static_cast<double>(look(distance)) * outwards;
      return ImVec2{corner.x + static_cast<float>(at.x), corner.y + static_cast<float>(at.y)};
    };
    ImU32 const tint = theme::axes[axis];
    write_within(drawing, look, {corner, camera}, place(0.5, 16.0f), tint, names[axis]);
    write_within(drawing, look, {corner, camera}, place(0.04, 14.0f), theme::text_faint, std::to_string(lowest[axis]));
    std::int64_t const end = std::int64_t{lowest[axis]} + grid.side;
    std::string const in_units = sides[axis].empty() ? "" : " · " + sides[axis];
    std::string const text = fmt::format("{}{}{}", end, lowest[axis] == 0 ? " voxels" : "", in_units);
    float const half = look.font->CalcTextSizeA(look.small, 1e9f, 0.0f, text.c_str()).x / 2.0f;
    float const clear_of_edge = 10.0f + half / look.scale * std::abs(static_cast<float>(outwards.x));
    write_within(drawing, look, {corner, camera}, place(0.96, std::max(14.0f, clear_of_edge)), theme::text_faint, text);
  }
}

}  // namespace slotscape
