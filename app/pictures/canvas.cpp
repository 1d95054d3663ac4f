#include "app/pictures/canvas.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace slotscape::pictures {
namespace {

double dot(Point a, Point b)
{
  return a.x * b.x + a.y * b.y;
}

double distance_to_segment(Point p, Point from, Point to)
{
  Point const along = to - from;
  double const length = dot(along, along);
  double const share = length > 0.0 ? std::clamp(dot(p - from, along) / length, 0.0, 1.0) : 0.0;
  Point const beyond = p - from - share * along;
  return std::hypot(beyond.x, beyond.y);
}

/// The distance to the edge of a polygon; negative inside.
double distance_to_polygon(Point p, std::span<Point const> corners)
{
  double distance = std::numeric_limits<double>::max();
  bool inside = false;
  for (std::size_t i = 0, before = corners.size() - 1; i < corners.size(); before = i++) {
    Point const a = corners[before];
    Point const b = corners[i];
    distance = std::min(distance, distance_to_segment(p, a, b));
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y)) { inside = !inside; }
  }
  return inside ? -distance : distance;
}

}  // namespace

Canvas::Canvas(std::uint32_t width, std::uint32_t height, double grey)
    : width_(width), height_(height), greys_(std::size_t{width} * height, static_cast<float>(grey))
{
}

/// A pixel's coverage depends on the distance of its centre from the edge: half at the edge.
template <class Distance>
void Canvas::draw(Box const& box, double grey, Distance const& distance)
{
  auto const first = [](double place) { return static_cast<std::int64_t>(std::floor(std::max(place, 0.0))); };
  auto const last = [](double place, std::uint32_t size) {
    return std::min<std::int64_t>(size, static_cast<std::int64_t>(std::ceil(std::max(place, 0.0))));
  };
  for (std::int64_t y = first(box.top); y < last(box.bottom, height_); ++y) {
    for (std::int64_t x = first(box.left); x < last(box.right, width_); ++x) {
      Point const centre{static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5};
      auto const cover = static_cast<float>(std::clamp(0.5 - distance(centre), 0.0, 1.0));
      float& pixel = greys_[static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)];
      pixel += cover * (static_cast<float>(grey) - pixel);
    }
  }
}

Canvas::Box Canvas::box_around(std::span<Point const> points, double margin)
{
  Box box{points[0].x, points[0].y, points[0].x, points[0].y};
  for (Point const& p : points) {
    box = {std::min(box.left, p.x), std::min(box.top, p.y), std::max(box.right, p.x), std::max(box.bottom, p.y)};
  }
  return {box.left - margin, box.top - margin, box.right + margin, box.bottom + margin};
}

void Canvas::disc(Point centre, double radius, double grey)
{
  draw(box_around(std::span(&centre, 1), radius + 1.0), grey,
       [=](Point p) { return std::hypot(p.x - centre.x, p.y - centre.y) - radius; });
}

void Canvas::ring(Point centre, double radius, double thickness, double grey)
{
  draw(box_around(std::span(&centre, 1), radius + thickness + 1.0), grey,
       [=](Point p) { return std::abs(std::hypot(p.x - centre.x, p.y - centre.y) - radius) - thickness / 2.0; });
}

void Canvas::line(Point from, Point to, double thickness, double grey)
{
  polyline(std::array{from, to}, thickness, grey);
}

void Canvas::polyline(std::span<Point const> points, double thickness, double grey)
{
  for (std::size_t i = 1; i < points.size(); ++i) {
    Point const from = points[i - 1];
    Point const to = points[i];
    draw(box_around(points.subspan(i - 1, 2), thickness + 1.0), grey,
         [=](Point p) { return distance_to_segment(p, from, to) - thickness / 2.0; });
  }
}

void Canvas::polygon(std::span<Point const> corners, double grey)
{
  draw(box_around(corners, 1.0), grey, [=](Point p) { return distance_to_polygon(p, corners); });
}

void Canvas::rectangle(Point centre, double width, double height, double angle, double grey)
{
  std::array<Point, 4> corners{{{-width, -height}, {width, -height}, {width, height}, {-width, height}}};
  for (Point& corner : corners) { corner = centre + turned(0.5 * corner, angle); }
  polygon(corners, grey);
}

matching::Picture Canvas::picture() const
{
  matching::Picture picture{width_, height_, std::vector<std::uint8_t>(greys_.size())};
  std::ranges::transform(greys_, picture.pixels.begin(), [](float grey) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(grey, 0.0f, 255.0f)));
  });
  return picture;
}

}  // namespace slotscape::pictures
