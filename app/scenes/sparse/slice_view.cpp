#include "app/scenes/sparse/slice_view.hpp"

#include "app/base/text.hpp"
#include "app/widgets/canvas_window.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace slotscape {
namespace {

using sparse::no_row;
using sparse::Site;

constexpr double slice_wheel_zoom = 1.22;
constexpr double smallest_cell = 0.25;       ///< pixels
constexpr double largest_cell = 120.0;       ///< pixels
constexpr double gap_from = 6.0;             ///< pixels: larger cells have gaps
constexpr float min_numbered_width = 18.0f;  ///< pixels: wider cells show their row's number

std::uint64_t cell_key(std::int32_t u, std::int32_t v)
{
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(v)) << 32 | static_cast<std::uint32_t>(u);
}

/// The depth of a site along the axis, and its position in the plane: u to the right, v upwards.
struct InPlane {
  std::int32_t depth;
  std::int32_t u;
  std::int32_t v;
};
InPlane in_plane(Site const& site, SliceAxis across)
{
  switch (across) {
    case SliceAxis::x: return {site.x, site.y, site.z};
    case SliceAxis::y: return {site.y, site.x, site.z};
    case SliceAxis::z: break;
  }
  return {site.z, site.x, site.y};
}
Site from_plane(std::int32_t batch, InPlane const& at, SliceAxis across)
{
  switch (across) {
    case SliceAxis::x: return {batch, at.depth, at.u, at.v};
    case SliceAxis::y: return {batch, at.u, at.depth, at.v};
    case SliceAxis::z: break;
  }
  return {batch, at.u, at.v, at.depth};
}

}  // namespace

std::optional<std::uint32_t> SliceView::Sites::row_at(std::int32_t u, std::int32_t v) const
{
  auto const found = rows.find(cell_key(sparse::floor_div(u, stride), sparse::floor_div(v, stride)));
  return found == rows.end() ? std::nullopt : std::optional(found->second);
}

void SliceView::cut(ShownTensor const& tensor, SliceAxis across, double at, std::int32_t batch)
{
  tensor_ = tensor;
  sparse::Extents const shown = tensor.shown_extents();
  InPlane const size = in_plane({0, shown.x, shown.y, shown.z}, across);
  InPlane const low = in_plane(shown.low, across);
  depth_ = size.depth;
  index_ = std::clamp(static_cast<std::int32_t>(std::floor(at * size.depth)), 0, size.depth - 1);
  lowest_ = low.depth;
  Cut const wanted{tensor.version, across, index_, batch};
  if (cut_ == wanted) { return; }
  Box const box{low.u, low.v, size.u, size.v};
  if (!cut_ || cut_->across != across || box_ != box) { moved_ = false; }
  cut_ = wanted;
  box_ = box;
  inputs_ = gather(*tensor.inputs, tensor.transposed);
  outputs_ = gather(*tensor.outputs, !tensor.transposed);
}

SliceView::Sites SliceView::gather(std::vector<Site> const& sites, bool coarse) const
{
  Sites found;
  found.stride = coarse ? tensor_.kernel.stride[0] : 1;
  found.depth_stride = coarse ? tensor_.kernel.stride[static_cast<int>(cut_->across)] : 1;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    InPlane const at = in_plane(sites[i], cut_->across);
    bool const is_cut = at.depth == sparse::floor_div(coordinate(), found.depth_stride);
    if (sites[i].batch != cut_->batch || !is_cut) { continue; }
    found.cells.push_back({at.u, at.v, static_cast<std::uint32_t>(i)});
    found.rows[cell_key(at.u, at.v)] = static_cast<std::uint32_t>(i);
  }
  std::ranges::sort(found.cells, {}, [](Cell const& cell) { return std::pair(cell.v, cell.u); });
  return found;
}

ImVec2 SliceView::corner_of(double u, double v) const
{
  return {static_cast<float>(place_.x + place_.width / 2.0 + (u - camera_.u) * camera_.scale),
          static_cast<float>(place_.y + place_.height / 2.0 - (v - camera_.v) * camera_.scale)};
}

/// Without room for gaps, adjoining cells of the same row of the slice are drawn as one.
void SliceView::draw_cells(ImDrawList& list, Sites const& sites, ImU32 color) const
{
  double const side = camera_.scale * sites.stride;
  bool const apart = side >= gap_from;
  float const gap = apart ? static_cast<float>(std::max(1.0, side / 24.0)) : 0.0f;
  std::vector<Cell> const& cells = sites.cells;
  for (std::size_t i = 0; i < cells.size();) {
    std::size_t end = i + 1;
    while (!apart && end < cells.size() && cells[end].v == cells[i].v &&
           cells[end].u == cells[i].u + static_cast<std::int32_t>(end - i)) {
      ++end;
    }
    ImVec2 const low = corner_of(sites.stride * cells[i].u, sites.stride * (cells[i].v + 1));
    ImVec2 const high =
        corner_of(sites.stride * (cells[i].u + static_cast<std::int32_t>(end - i)), sites.stride * cells[i].v);
    list.AddRectFilled({low.x + gap, low.y + gap}, {high.x - gap, high.y - gap}, color, 2.0f * gap);
    i = end;
  }
}

/// The numbers of the given sites' rows, where their cells are wide enough.
void SliceView::draw_rows(ImDrawList& list, Look const& look) const
{
  if (camera_.scale < static_cast<double>(look(min_numbered_width))) { return; }
  for (Cell const& cell : (tensor_.transposed ? outputs_ : inputs_).cells) {
    std::string const text = std::to_string(cell.row);
    ImVec2 const size = look.font->CalcTextSizeA(look.small, 1e9f, 0.0f, text.c_str());
    if (static_cast<double>(size.x) > camera_.scale - 4.0) { continue; }
    ImVec2 const middle = corner_of(cell.u + 0.5, cell.v + 0.5);
    list.AddText(look.font, look.small, {middle.x - size.x / 2.0f, middle.y - size.y / 2.0f}, theme::panel,
                 text.c_str());
  }
}

/// Marks the cells in this slice that the chosen output reads: a ring around each site, a cross where a site is
/// missing, and a cage around all cells.
void SliceView::draw_chosen(ImDrawList& list, Look const& look, ShownOutput const& chosen) const
{
  sparse::Kernel const& kernel = tensor_.kernel;
  if (chosen.output.batch != cut_->batch) { return; }
  double const side = inputs_.stride;
  auto const corners = [&](Site const& site, double stride) {
    InPlane const at = in_plane(site, cut_->across);
    return std::pair(corner_of(stride * at.u, stride * (at.v + 1)), corner_of(stride * (at.u + 1), stride * at.v));
  };
  ImVec2 cage_low{1e9f, 1e9f};
  ImVec2 cage_high{-1e9f, -1e9f};
  for (std::uint32_t offset = 0; offset < kernel.offsets(); ++offset) {
    auto const in = tensor_.read_at(chosen.output, offset);
    if (!in || !is_in_slice(*in, inputs_)) { continue; }
    auto const [low, high] = corners(*in, side);
    cage_low = {std::min(cage_low.x, low.x), std::min(cage_low.y, low.y)};
    cage_high = {std::max(cage_high.x, high.x), std::max(cage_high.y, high.y)};
    bool const found = chosen.neighbours[offset] != no_row;
    ImU32 const color = chosen.offset == offset ? pointed_color : found ? hit_color : miss_color;
    float const thickness = look(chosen.offset == offset ? 3.0f : 2.0f);
    if (found) {
      list.AddRect(low, high, color, look(2.0f), 0, thickness);
    } else {
      float const arm = std::clamp((high.x - low.x) * 0.22f, look(1.5f), look(7.0f));
      ImVec2 const middle{(low.x + high.x) / 2.0f, (low.y + high.y) / 2.0f};
      list.AddLine({middle.x - arm, middle.y - arm}, {middle.x + arm, middle.y + arm}, color, thickness);
      list.AddLine({middle.x - arm, middle.y + arm}, {middle.x + arm, middle.y - arm}, color, thickness);
    }
  }
  float const margin = look(3.0f);
  if (cage_low.x < cage_high.x) {
    list.AddRect({cage_low.x - margin, cage_low.y - margin}, {cage_high.x + margin, cage_high.y + margin}, theme::text,
                 look(3.0f), 0, look(1.5f));
  }
  if (!is_in_slice(chosen.output, outputs_)) { return; }
  auto const [low, high] = corners(chosen.output, outputs_.stride);
  list.AddRect(low, high, theme::text, look(2.0f), 0, look(2.5f));
}

Site SliceView::hovered_site() const
{
  return from_plane(cut_->batch, {coordinate(), hovered_->first, hovered_->second}, cut_->across);
}

bool SliceView::is_in_slice(Site const& site, Sites const& of) const
{
  return in_plane(site, cut_->across).depth == sparse::floor_div(coordinate(), of.depth_stride);
}

double SliceView::share_of(ShownTensor const& tensor, SliceAxis across, Site const& site)
{
  sparse::Extents const shown = tensor.shown_extents();
  std::int32_t const steps = in_plane(site, across).depth - in_plane(shown.low, across).depth;
  return (steps + 0.5) / in_plane({0, shown.x, shown.y, shown.z}, across).depth;
}

void SliceView::draw_tooltip() const
{
  auto const [u, v] = *hovered_;
  auto const input = inputs_.row_at(u, v);
  auto const output = outputs_.row_at(u, v);
  Site const site = hovered_site();
  ImGui::BeginTooltip();
  auto const place_on = [&](bool coarse) {
    Site const at = coarse ? tensor_.kernel.coarse(site) : site;
    return fmt::format("x {}, y {}, z {}", at.x, at.y, at.z);
  };
  std::string const in = place_on(tensor_.transposed);
  ImGui::TextUnformatted((input ? tr("input row {} at {}", grouped(*input), in) : tr("no input at {}", in)).c_str());
  std::string const out = place_on(!tensor_.transposed);
  ImGui::TextUnformatted(
      (output ? tr("output row {} at {}", grouped(*output), out) : tr("no output at {}", out)).c_str());
  ImGui::EndTooltip();
}

void SliceView::draw(Look const& look, Rectangle const& place, std::optional<ShownOutput> const& chosen)
{
  place_ = place;
  ImVec2 const size{static_cast<float>(place.width), static_cast<float>(place.height)};
  begin_canvas_window("##slice", place);
  ImGui::InvisibleButton("slice", size);
  bool const hovered = ImGui::IsItemHovered();
  follow_mouse(place, hovered, ImGui::IsItemActive());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec2 const low = corner_of(box_.u, box_.v + box_.height);
  ImVec2 const high = corner_of(box_.u + box_.width, box_.v);
  list.AddRectFilled(low, high, theme::panel);
  list.AddRect(low, high, theme::line, 0.0f, 0, look(1.0f));
  draw_cells(list, tensor_.transposed ? inputs_ : outputs_, reached_color);
  draw_cells(list, tensor_.transposed ? outputs_ : inputs_, given_color);
  draw_rows(list, look);
  if (chosen) { draw_chosen(list, look, *chosen); }
  if (hovered_ && !dragged_) { draw_tooltip(); }
  ImGui::End();
}

void SliceView::zoom_by(double factor)
{
  camera_.scale = std::clamp(camera_.scale * factor, smallest_cell, largest_cell);
  moved_ = true;
}

void SliceView::follow_mouse(Rectangle const& place, bool hovered, bool active)
{
  if (!moved_) {
    double const margin = 0.94;
    camera_ = {std::min(largest_cell, margin * std::min(place.width / static_cast<double>(box_.width),
                                                        place.height / static_cast<double>(box_.height))),
               box_.u + box_.width / 2.0, box_.v + box_.height / 2.0};
  }
  ImGuiIO const& io = ImGui::GetIO();
  auto const u_at = [&] { return camera_.u + (io.MousePos.x - place.x - place.width / 2.0) / camera_.scale; };
  auto const v_at = [&] { return camera_.v - (io.MousePos.y - place.y - place.height / 2.0) / camera_.scale; };
  if (hovered && io.MouseWheel != 0.0f) {
    double const u = u_at();
    double const v = v_at();
    double const factor = std::pow(slice_wheel_zoom, static_cast<double>(io.MouseWheel));
    double const scale = std::clamp(camera_.scale * factor, smallest_cell, largest_cell);
    camera_.u = u - (u - camera_.u) * camera_.scale / scale;
    camera_.v = v - (v - camera_.v) * camera_.scale / scale;
    camera_.scale = scale;
    moved_ = true;
  }
  if (ImGui::IsItemActivated()) { dragged_ = false; }
  if (active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4.0f)) {
    dragged_ = moved_ = true;
    camera_.u -= static_cast<double>(io.MouseDelta.x) / camera_.scale;
    camera_.v += static_cast<double>(io.MouseDelta.y) / camera_.scale;
  }
  hovered_.reset();
  auto const u = static_cast<std::int32_t>(std::floor(u_at()));
  auto const v = static_cast<std::int32_t>(std::floor(v_at()));
  bool const in_box = u >= box_.u && v >= box_.v && u < box_.u + box_.width && v < box_.v + box_.height;
  if (hovered && in_box) { hovered_ = {u, v}; }
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    moved_ = false;
    dragged_ = true;  // so that releasing the button chooses nothing
  } else if (ImGui::IsItemDeactivated()) {
    if (!dragged_) { click_ = SiteClick{hovered_ ? std::optional(hovered_site()) : std::nullopt}; }
    dragged_ = false;
  }
}

ImVec2 SliceView::middle_of(Site const& output) const
{
  InPlane const at = in_plane(output, cut_->across);
  return corner_of(outputs_.stride * (at.u + 0.5), outputs_.stride * (at.v + 0.5));
}

}  // namespace slotscape
