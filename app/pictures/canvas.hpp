#pragma once

#include "gpu/base/random.hpp"
#include "gpu/matching/engine.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace slotscape::pictures {

struct Point {
  double x = 0.0;
  double y = 0.0;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(double factor, Point a) { return {factor * a.x, factor * a.y}; }
};

/// Turns a direction by an angle in radians, from x to y.
inline Point turned(Point a, double angle)
{
  return {std::cos(angle) * a.x - std::sin(angle) * a.y, std::sin(angle) * a.x + std::cos(angle) * a.y};
}

/// A sequence of random numbers, the same on every machine.
class Dice {
public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}

  double between(double low, double high) { return low + (high - low) * random_unit(seed_, next_++); }
  /// A number from 0 to bound - 1.
  int below(int bound) { return static_cast<int>(random_below(seed_, next_++, static_cast<std::uint64_t>(bound))); }
  bool chance(double share) { return between(0.0, 1.0) < share; }

private:
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

/// A grey picture to draw on, with smooth edges. Coordinates are pixels from the upper left corner, greys 0 to 255.
class Canvas {
public:
  Canvas(std::uint32_t width, std::uint32_t height, double grey);

  double width() const { return width_; }
  double height() const { return height_; }

  void disc(Point centre, double radius, double grey);
  void ring(Point centre, double radius, double thickness, double grey);
  /// Draws a line with round ends.
  void line(Point from, Point to, double thickness, double grey);
  void polyline(std::span<Point const> points, double thickness, double grey);
  /// Fills a closed polygon.
  void polygon(std::span<Point const> corners, double grey);
  void rectangle(Point centre, double width, double height, double angle, double grey);

  matching::Picture picture() const;

private:
  struct Box {
    double left, top, right, bottom;
  };
  template <class Distance>
  void draw(Box const& box, double grey, Distance const& distance);
  static Box box_around(std::span<Point const> points, double margin);

  std::uint32_t width_;
  std::uint32_t height_;
  std::vector<float> greys_;
};

}  // namespace slotscape::pictures
