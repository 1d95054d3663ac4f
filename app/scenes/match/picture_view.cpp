#include "app/scenes/match/picture_view.hpp"

#include "app/pictures/transformed.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr double smallest_scale = 1.0 / 64.0;
constexpr double largest_scale = 64.0;
constexpr float veil_alpha = 0.45f;  ///< dims pictures, so that edges stand out
constexpr float rim_alpha = 0.69f;

ImU32 rim()
{
  return theme::with_alpha(theme::rim, rim_alpha);
}

ImU32 color_of(matching::Side side)
{
  return side == matching::Side::reference ? reference_color : query_color;
}

void draw_arrow(ImDrawList& list, Look const& look, ImVec2 from, ImVec2 to, ImU32 color, float thickness)
{
  float const length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1e-3f);
  ImVec2 const along{(to.x - from.x) / length, (to.y - from.y) / length};
  float const head = std::min(look(5.0f) + 1.5f * thickness, length);
  ImVec2 const neck{to.x - along.x * head, to.y - along.y * head};
  float const half = head * 0.45f;
  list.AddLine(from, neck, color, thickness);
  list.AddTriangleFilled(to, {neck.x - along.y * half, neck.y + along.x * half},
                         {neck.x + along.y * half, neck.y - along.x * half}, color);
  list.AddCircleFilled(from, thickness * 1.4f, color);
}

}  // namespace

void draw_outline(ImDrawList& list, std::span<ImVec2 const, 4> corners, ImU32 color, float thickness)
{
  list.AddPolyline(corners.data(), 4, rim(), ImDrawFlags_Closed, thickness * 2.2f);
  list.AddPolyline(corners.data(), 4, color, ImDrawFlags_Closed, thickness);
}

void PictureView::place(Rectangle const& canvas, MatchState const& state, double margin)
{
  canvas_ = canvas;
  SharedPicture const picture = state.shown->pictures[index_of(side_)];
  bool const same_size = picture_ && picture_->width == picture->width && picture_->height == picture->height;
  if (!same_size) { moved_ = false; }
  picture_ = picture;
  if (!moved_) {
    scale_ = std::clamp((1.0 - margin) * std::min(static_cast<double>(canvas.width) / picture->width,
                                                  static_cast<double>(canvas.height) / picture->height),
                        smallest_scale, largest_scale);
    x_ = picture->width / 2.0;
    y_ = picture->height / 2.0;
  }
  grey_.show(picture, scale_);
  edges_.show(state.shown->edges[index_of(side_)], scale_, state.shown->query.matching.threshold);
}

ImVec2 PictureView::on_screen(double x, double y) const
{
  return {static_cast<float>(canvas_.x + canvas_.width / 2.0 + (x - x_) * scale_),
          static_cast<float>(canvas_.y + canvas_.height / 2.0 + (y - y_) * scale_)};
}

ImVec2 PictureView::on_screen(matching::Feature const& point) const
{
  return on_screen(static_cast<double>(point.x), static_cast<double>(point.y));
}

void PictureView::zoom_at(ImVec2 on_screen, double factor)
{
  double const before = scale_;
  scale_ = std::clamp(scale_ * factor, smallest_scale, largest_scale);
  double const gain = 1.0 / before - 1.0 / scale_;
  x_ += (static_cast<double>(on_screen.x) - canvas_.x - canvas_.width / 2.0) * gain;
  y_ += (static_cast<double>(on_screen.y) - canvas_.y - canvas_.height / 2.0) * gain;
  moved_ = true;
}

void PictureView::pan(ImVec2 by)
{
  x_ -= static_cast<double>(by.x) / scale_;
  y_ -= static_cast<double>(by.y) / scale_;
  moved_ = true;
}

std::array<ImVec2, 4> PictureView::corners_of(matching::Picture const& picture, matching::Similarity const& by) const
{
  auto const at = [&](double x, double y) {
    pictures::Point const place = pictures::in_reference(by, {x, y});
    return on_screen(place.x, place.y);
  };
  return {at(0.0, 0.0), at(picture.width, 0.0), at(picture.width, picture.height), at(0.0, picture.height)};
}

void PictureView::draw(ImDrawList& list, Look const& look, MatchState const& state) const
{
  MatchSceneSettings const& settings = state.settings;
  std::array<ImVec2, 4> const at = corners_of(*picture_, {});
  list.AddImage(grey_.id(), at[0], at[2], {0.0f, 0.0f}, grey_.end());
  if (settings.show_edges) {
    list.AddRectFilled(at[0], at[2], theme::with_alpha(theme::veil, veil_alpha));
    list.AddImage(edges_.id(), at[0], at[2], {0.0f, 0.0f}, edges_.end(), theme::with_alpha(color_of(side_), 0.75f));
  }
  if (!settings.show_points) { return; }
  float const half = std::clamp(static_cast<float>(scale_) * 1.2f, look(0.8f), look(2.5f));
  for (matching::Feature const& point : state.shown->features[index_of(side_)]) {
    ImVec2 const middle = on_screen(point);
    list.AddRectFilled({middle.x - half - 1.0f, middle.y - half - 1.0f},
                       {middle.x + half + 1.0f, middle.y + half + 1.0f}, rim());
    list.AddRectFilled({middle.x - half, middle.y - half}, {middle.x + half, middle.y + half}, theme::text);
  }
}

/// Draws a line from the middle of a basis to a place given in its coordinates.
void PictureView::draw_under_basis(ImDrawList& list, Look const& look, ImVec2 from, ImVec2 to, UnderBasis const& point,
                                   ImU32 color) const
{
  auto const u = static_cast<float>(point.u);
  auto const v = static_cast<float>(point.v);
  ImVec2 const along{to.x - from.x, to.y - from.y};
  ImVec2 const middle{(from.x + to.x) / 2.0f, (from.y + to.y) / 2.0f};
  ImVec2 const place{middle.x + u * along.x - v * along.y, middle.y + u * along.y + v * along.x};
  list.AddLine(middle, place, theme::with_alpha(color, 0.5f), look(1.0f));
  list.AddCircleFilled(place, look(4.5f), rim());
  list.AddCircleFilled(place, look(3.0f), color);
}

void PictureView::draw_bases(ImDrawList& list, Look const& look, MatchState const& state,
                             std::span<BasisArrow const> arrows) const
{
  std::vector<matching::Feature> const& points = state.shown->features[index_of(side_)];
  for (auto const& [basis, color, thickness, point] : arrows) {
    if (basis.first >= points.size() || basis.second >= points.size()) { continue; }
    ImVec2 const from = on_screen(points[basis.first]);
    ImVec2 const to = on_screen(points[basis.second]);
    draw_arrow(list, look, from, to, rim(), look(thickness + 1.6f));
    draw_arrow(list, look, from, to, color, look(thickness));
    if (point) { draw_under_basis(list, look, from, to, *point, color); }
  }
}

void PictureView::draw_over(ImDrawList& list, Look const& look, PictureView const& other,
                            matching::Similarity const& by, ImU32 color, bool with_edges) const
{
  std::array<ImVec2, 4> const at = corners_of(*other.picture_, by);
  if (with_edges) {
    ImVec2 const end = other.edges_.end();
    list.AddImageQuad(other.edges_.id(), at[0], at[1], at[2], at[3], {0.0f, 0.0f}, {end.x, 0.0f}, end, {0.0f, end.y},
                      theme::with_alpha(color, 0.85f));
  }
  draw_outline(list, at, color, look(2.0f));
}

}  // namespace slotscape
