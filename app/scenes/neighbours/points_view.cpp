#include "app/scenes/neighbours/points_view.hpp"

#include "app/view3d/grid_box.hpp"
#include "app/widgets/theme.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace slotscape {
namespace {

using spatial::Vector;

constexpr float world_extent = 2.0f;
constexpr double pointing_pixels = 10.0;
constexpr std::size_t max_joined = 400;  ///< maximum number of lines to neighbours

/// Higher points are paler, to distinguish surfaces that lie above each other.
std::uint32_t paint_at(float height)
{
  constexpr float lowest = 0.3f;  // relative to the colour of the highest points
  Color const highest = given_color;
  float const share = std::clamp(std::lerp(lowest, 1.0f, height / world_extent + 0.5f), lowest, 1.0f);
  return rgb_of({share * highest.red, share * highest.green, share * highest.blue});
}

}  // namespace

PointsView::PointsView() : view_(world_extent) {}

Vector PointsView::to_world(neighbours::Point at) const
{
  auto const along = [&](float coordinate, float low, float high) {
    double const middle = 0.5 * (static_cast<double>(low) + static_cast<double>(high));
    return static_cast<float>((static_cast<double>(coordinate) - middle) * scale_);
  };
  auto const& [low, high] = bounds_;
  return {along(at.x, low.x, high.x), along(at.y, low.y, high.y), along(at.z, low.z, high.z)};
}

/// The grid has enough cells for the longest side of the box around the points.
void PointsView::place_grid(NeighbourState const& state)
{
  bounds_ = state.result.loaded->bounds;
  auto const& [low, high] = bounds_;
  double const longest = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  double const cells = std::clamp(std::ceil(longest / state.grid.width), 1.0, neighbours::max_cells_along);
  grid_ = {static_cast<std::uint32_t>(cells), world_extent};
  scale_ = static_cast<double>(world_extent) / (cells * state.grid.width);
}

void PointsView::show(NeighbourState const& state)
{
  NeighboursResult const& result = state.result;
  Shown const wanted{result.points.get(),   result.point,       result.radius,
                     state.shown->search.k, state.grid.divisor, theme::text};
  if (shown_ == wanted) { return; }
  shown_ = wanted;
  points_ = result.points;
  place_grid(state);
  upload(state);
}

void PointsView::upload(NeighbourState const& state)
{
  std::vector<spatial::Instance> instances;
  instances.reserve(points_->size());
  for (neighbours::Point const& at : *points_) {
    Vector const place = to_world(at);
    instances.push_back({place, paint_at(place.z), 0});
  }
  neighbours::Visit const& visit = state.result.visit;
  for (std::uint32_t const number : visit.candidates) { instances[number].paint = rgb_of(miss_color); }
  for (neighbours::Neighbour const& near : visit.neighbours) { instances[near.number].paint = rgb_of(hit_color); }
  instances[state.result.point].paint = rgb_of(theme::selected_voxel);
  view_.set(instances, instances.size());
}

/// Cells without points come first, so that those with points are drawn over them.
void PointsView::mark_cells(NeighbourState const& state, std::vector<HighlightLine>& lines) const
{
  neighbours::CellGrid const& grid = state.grid;
  auto const corner = [&](neighbours::CellPlace const& cell, unsigned bits) {
    auto const along = [&](int axis, std::uint64_t place, unsigned bit) {
      return static_cast<float>(grid.low[axis] +
                                (static_cast<double>(place) + ((bits & bit) != 0 ? 1 : 0)) * grid.width);
    };
    return to_world({along(0, cell.x, 1), along(1, cell.y, 2), along(2, cell.z, 4)});
  };
  for (bool const occupied : {false, true}) {
    Color const color = occupied ? theme::box : theme::frame;
    for (neighbours::Visit::Cell const& cell : state.result.visit.cells) {
      if ((cell.points != 0) != occupied) { continue; }
      for (unsigned from = 0; from < 8; ++from) {
        for (unsigned const axis : {1u, 2u, 4u}) {
          if ((from & axis) == 0) {
            lines.push_back({corner(cell.place, from), corner(cell.place, from | axis), color});
          }
        }
      }
    }
  }
}

void PointsView::draw_picture(NeighbourState const& state, Color const& background, int framebuffer_height)
{
  if (!shown_) { return; }
  constexpr float share_of_radius = 0.15f;  // smaller than the distance of neighbours on a surface
  std::vector<HighlightLine> lines;
  mark_cells(state, lines);
  Vector const middle = to_world((*points_)[state.result.point]);
  auto const& near = state.result.visit.neighbours;
  for (std::size_t i = 0; i < std::min(near.size(), max_joined); ++i) {
    lines.push_back({middle, to_world((*points_)[near[i].number]), hit_color});
  }
  ModelsViewSettings const settings{.kind = spatial::InstanceKind::points,
                                    .point_size = share_of_radius * static_cast<float>(state.grid.divisor),
                                    .min_pixels = 1.0f,
                                    .eye_dome = state.settings.eye_dome};
  view_.draw_picture({.grid = grid_, .models = {}, .highlights = {}, .lines = lines, .background = background},
                     settings, framebuffer_height);
}

void PointsView::draw(Look const& look)
{
  view_.begin("##points_in_space");
  ScreenDrawing drawing(*ImGui::GetWindowDrawList(), look.font);
  draw_labels(look, drawing);
  ImGui::End();
}

void PointsView::draw_labels(Look const& look, Drawing& drawing) const
{
  if (!shown_) { return; }
  label_grid_box(drawing, view_.corner(), grid_, view_.camera(), look);
}

void PointsView::fly_to(std::uint32_t point, double radius)
{
  constexpr double radii = 3.0;
  if (!points_ || point >= points_->size()) { return; }
  view_.camera().focus(to_world((*points_)[point]), radii * radius * scale_);
}

std::optional<std::uint32_t> PointsView::pointed() const
{
  auto const mouse = view_.mouse().pointed();
  if (!shown_ || !mouse) { return std::nullopt; }
  OrbitCamera const& camera = view_.camera();
  std::optional<std::uint32_t> nearest;
  double nearest_depth = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points_->size(); ++i) {
    Vector const at = to_world((*points_)[i]);
    double const depth = camera.depth(at);
    if (!(depth > 0.0 && depth < nearest_depth)) { continue; }
    auto const on_canvas = camera.to_canvas(at);
    if (!on_canvas || std::hypot(on_canvas->x - mouse->x, on_canvas->y - mouse->y) > pointing_pixels) { continue; }
    nearest = static_cast<std::uint32_t>(i);
    nearest_depth = depth;
  }
  return nearest;
}

}  // namespace slotscape
