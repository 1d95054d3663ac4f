#include "app/scenes/sparse/space_view.hpp"

#include "app/clouds/coordinate_steps.hpp"
#include "app/view3d/grid_box.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace slotscape {
namespace {

using sparse::no_row;
using sparse::Site;
using spatial::Vector;

constexpr float grid_extent = 2.0f;

}  // namespace

SpaceView::SpaceView() : view_(grid_extent) {}

/// The site's corner, in cells from the corner of the shown box.
Vector SpaceView::corner_of(Site const& site) const
{
  auto const steps = [](std::int32_t from, std::int32_t to) { return static_cast<float>(to - from); };
  return {steps(box_.low.x, site.x), steps(box_.low.y, site.y), steps(box_.low.z, site.z)};
}

Vector SpaceView::middle_of(Site const& site) const
{
  return grid_.to_world(corner_of(site) + Vector{0.5f, 0.5f, 0.5f});
}

void SpaceView::show(ShownTensor const& tensor, std::int32_t batch)
{
  tensor_ = tensor;
  Shown const wanted{tensor.version, batch, model_colors.back()};
  if (shown_ == wanted) { return; }
  shown_ = wanted;
  sparse::Extents const& extents = tensor.given_extents();
  box_ = shows_reached() ? tensor.shown_extents() : extents;
  grid_ = {static_cast<std::uint32_t>(std::max({box_.x, box_.y, box_.z})), grid_extent};
  keys_.clear();
  heights_ = {std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()};
  for (Site const& site : tensor.given()) {
    if (site.batch != batch) { continue; }
    keys_.push_back(extents.flatten(site));
    heights_ = {std::min(heights_[0], site.z), std::max(heights_[1], site.z)};
  }
  std::ranges::sort(keys_);
  upload();
}

std::uint32_t SpaceView::paint_of(Site const& site) const
{
  constexpr float lowest = 0.45f;  // relative to the colour at mid-height
  constexpr float palest = 0.35f;  // share of white in the palest colour
  auto const [low, high] = heights_;
  float const share =
      high > low ? static_cast<float>(std::clamp(site.z, low, high) - low) / static_cast<float>(high - low) : 0.5f;
  auto const shade = [&](float part) {
    float const pale = part + palest * (1.0f - part);
    return lowest * part + share * (pale - lowest * part);
  };
  Color const& middle = shown_->color;
  return rgb_of({shade(middle.red), shade(middle.green), shade(middle.blue)});
}

/// Uploads the given sites first, then further sites of the same grid that the convolution reaches.
void SpaceView::upload()
{
  sparse::Extents const& extents = tensor_.given_extents();
  std::vector<spatial::Instance> instances;
  auto const add = [&](Site const& site) { instances.push_back({middle_of(site), paint_of(site), 0}); };
  for (Key const key : keys_) { add(extents.site_of(key)); }
  std::uint64_t const given = instances.size();
  if (shows_reached()) {
    for (Site const& site : tensor_.reached()) {
      if (site.batch == shown_->batch && !std::ranges::binary_search(keys_, extents.flatten(site))) { add(site); }
    }
  }
  view_.set(instances, given);
}

void SpaceView::measure(double voxel_size, clouds::CoordinateSystem const& system)
{
  voxel_size_ = voxel_size;
  system_ = system;
}

/// Draws a cage around the region that the chosen output reads, and a cube around each site that it looks up.
void SpaceView::mark_chosen(ShownOutput const& chosen, Marks& marks) const
{
  if (chosen.output.batch != shown_->batch) { return; }
  bool const coarse_inputs = tensor_.transposed && tensor_.kernel.stride[0] > 1;
  Vector low{std::numeric_limits<float>::max(), std::numeric_limits<float>::max(), std::numeric_limits<float>::max()};
  Vector high = -1.0f * low;
  for (std::uint32_t offset = 0; offset < tensor_.kernel.offsets(); ++offset) {
    auto in = tensor_.read_at(chosen.output, offset);
    if (!in) { continue; }
    if (coarse_inputs) { in = tensor_.kernel.fine(*in); }
    Vector const corner = corner_of(*in);
    low = {std::min(low.x, corner.x), std::min(low.y, corner.y), std::min(low.z, corner.z)};
    high = {std::max(high.x, corner.x + 1.0f), std::max(high.y, corner.y + 1.0f), std::max(high.z, corner.z + 1.0f)};
    bool const found = chosen.neighbours[offset] != no_row;
    Color const color = chosen.offset == offset ? pointed_color : found ? hit_color : miss_color;
    if (found || chosen.offset == offset) { marks.cubes.push_back({middle_of(*in), color}); }
  }
  if (low.x >= high.x) { return; }
  constexpr float margin = 0.15f;
  Vector const out{margin, margin, margin};
  auto const corner = [&](int bits) {
    Vector const a = low - out;
    Vector const b = high + out;
    return grid_.to_world({(bits & 1) != 0 ? b.x : a.x, (bits & 2) != 0 ? b.y : a.y, (bits & 4) != 0 ? b.z : a.z});
  };
  for (int from = 0; from < 8; ++from) {
    for (int const axis : {1, 2, 4}) {
      if ((from & axis) == 0) { marks.lines.push_back({corner(from), corner(from | axis), theme::cage}); }
    }
  }
}

void SpaceView::mark_slice(Slice const& slice, Marks& marks) const
{
  std::array<float, 3> const size{static_cast<float>(box_.x), static_cast<float>(box_.y), static_cast<float>(box_.z)};
  std::array<std::int32_t, 3> const low{box_.low.x, box_.low.y, box_.low.z};
  auto const axis = static_cast<std::size_t>(slice.across);
  float const depth = static_cast<float>(slice.coordinate - low[axis]) + 0.5f;
  auto const corner = [&](bool second, bool third) {
    std::array<float, 3> at{};
    at[axis] = depth;
    at[(axis + 1) % 3] = second ? size[(axis + 1) % 3] : 0.0f;
    at[(axis + 2) % 3] = third ? size[(axis + 2) % 3] : 0.0f;
    return grid_.to_world({at[0], at[1], at[2]});
  };
  std::array<Vector, 4> const corners{corner(false, false), corner(true, false), corner(true, true),
                                      corner(false, true)};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    marks.lines.push_back({corners[i], corners[(i + 1) % corners.size()], theme::slice});
  }
}

void SpaceView::draw_picture(std::optional<ShownOutput> const& chosen, std::optional<Slice> const& slice,
                             Color const& background, int framebuffer_height)
{
  if (!shown_) { return; }
  Marks marks;
  if (slice) { mark_slice(*slice, marks); }
  if (chosen) { mark_chosen(*chosen, marks); }
  view_.draw_picture(
      {.grid = grid_, .models = {}, .highlights = marks.cubes, .lines = marks.lines, .background = background},
      {.ghosts = true}, framebuffer_height);
}

void SpaceView::draw(Look const& look)
{
  view_.begin("##sites_in_space");
  if (auto const click = view_.mouse().take_click()) { click_ = SiteClick{site_under(*click)}; }
  ScreenDrawing drawing(*ImGui::GetWindowDrawList(), look.font);
  draw_labels(look, drawing);
  ImGui::End();
}

std::array<std::string, 3> SpaceView::sides_in_file() const
{
  std::array<std::string, 3> sides;
  if (!(voxel_size_ > 0.0)) { return sides; }
  for (std::size_t axis = 0; axis < sides.size(); ++axis) {
    std::string const& unit = system_.unit_along(axis);
    sides[axis] =
        fmt::format("{} {}", clouds::text_of_length(grid_.side * voxel_size_), unit.empty() ? tr("in the file") : unit);
  }
  return sides;
}

void SpaceView::draw_labels(Look const& look, Drawing& drawing) const
{
  label_grid_box(drawing, view_.corner(), grid_, view_.camera(), look, {box_.low.x, box_.low.y, box_.low.z},
                 sides_in_file());
}

/// Traverses the grid from cell to cell (Amanatides & Woo 1987).
std::optional<Site> SpaceView::site_under(Point on_canvas) const
{
  if (!shown_) { return std::nullopt; }
  sparse::Extents const& extents = tensor_.given_extents();
  spatial::Ray const ray = view_.camera().ray(on_canvas);
  Vector const from = grid_.to_grid(ray.origin);
  Vector const lowest = corner_of(extents.low);
  std::array<double, 3> const origin{from.x - lowest.x, from.y - lowest.y, from.z - lowest.z};
  std::array<double, 3> const direction{ray.direction.x, ray.direction.y, ray.direction.z};
  std::array<double, 3> const size{static_cast<double>(extents.x), static_cast<double>(extents.y),
                                   static_cast<double>(extents.z)};
  double enters = 0.0;
  double leaves = std::numeric_limits<double>::infinity();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double const a = (0.0 - origin[axis]) / direction[axis];
    double const b = (size[axis] - origin[axis]) / direction[axis];
    enters = std::max(enters, std::min(a, b));
    leaves = std::min(leaves, std::max(a, b));
  }
  if (!(enters < leaves)) { return std::nullopt; }
  std::array<std::int32_t, 3> cell{};
  std::array<double, 3> next{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double const at = std::clamp(origin[axis] + enters * direction[axis], 0.0, size[axis] - 1e-9);
    cell[axis] = static_cast<std::int32_t>(at);
    double const border = cell[axis] + (direction[axis] > 0.0 ? 1.0 : 0.0);
    next[axis] =
        direction[axis] != 0.0 ? (border - origin[axis]) / direction[axis] : std::numeric_limits<double>::infinity();
  }
  while (true) {
    Site const site{shown_->batch, extents.low.x + cell[0], extents.low.y + cell[1], extents.low.z + cell[2]};
    if (!extents.contain(site)) { return std::nullopt; }
    if (std::ranges::binary_search(keys_, extents.flatten(site))) { return site; }
    auto const axis = static_cast<std::size_t>(std::ranges::min_element(next) - next.begin());
    cell[axis] += direction[axis] > 0.0 ? 1 : -1;
    next[axis] += std::abs(1.0 / direction[axis]);
  }
}

}  // namespace slotscape
