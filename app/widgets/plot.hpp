#pragma once

#include "app/widgets/look.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

/// The range of numbers along one side of a plot.
struct Axis {
  double low = 0.0;
  double high = 1.0;
  bool log = false;  ///< logarithmic; low is above 0

  double share(double value) const;  ///< of the distance from low to high
  double value(double share) const;  ///< the inverse
};

struct Tick {
  double value;
  std::string label;  ///< empty: a minor tick
};

/// About `wanted` round numbers: 1, 2 or 5 times a power of ten, or the powers of ten on a log axis.
std::vector<Tick> ticks(Axis const& axis, int wanted);

/// The smallest 1, 2 or 5 times a power of ten that is at least `value`.
double round_up(double value);

struct PlotPoint {
  double x;
  double y;
};

/// A plot at ImGui's cursor: the constructor draws axes and grid, further calls draw into it in order.
class Plot {
public:
  Plot(Look const& look, char const* id, ImVec2 size, Axis const& x, Axis const& y);

  /// One bar per index of `counts` from `first` on; where bars are narrower than a pixel, the largest in each column.
  void bars(std::span<std::uint32_t const> counts, std::size_t first, ImU32 color);
  /// The outline of such bars, lightly filled. Several on top of one another all stay visible if each is drawn thinner
  /// than the one before.
  void steps(std::span<std::uint32_t const> counts, std::size_t first, ImU32 color, float thickness);
  /// One stacked bar from `from` to `to` along x: the first part at the bottom, each in its colour.
  void stack(double from, double to, std::span<double const> parts, std::span<ImU32 const> colors);
  void line(std::span<PlotPoint const> points, ImU32 color, float thickness = 1.5f);
  /// Lines between points that are close in x; a gap is where nothing was measured.
  void line_with_gaps(std::span<PlotPoint const> points, ImU32 color);
  void dots(std::span<PlotPoint const> points, ImU32 color, float radius);
  /// y = f(x), evaluated at each pixel.
  void curve(std::function<double(double)> const& f, ImU32 color);
  /// A dashed line, with its name beside the top if it has one. `turns` lines in the same place all stay visible if
  /// each has a `turn` of its own.
  void vertical(double x, ImU32 color, std::string const& name = "", int turn = 0, int turns = 1);
  /// A line of text in the middle that says why the plot is empty.
  void remark(std::string const& text);

  /// Marks and returns the x under the cursor; nullopt if the cursor is elsewhere.
  std::optional<double> hovered() const;
  /// The first and the last histogram bin that the pixel at x covers.
  std::pair<std::uint64_t, std::uint64_t> bins_at(double x) const;
  void mark(PlotPoint point, ImU32 color);
  double pixel_width() const { return 1.0 / inner_width(); }  ///< one pixel as a share of the x axis
  Axis const& x_axis() const { return x_; }

private:
  float inner_width() const { return high_.x - low_.x; }
  float inner_height() const { return high_.y - low_.y; }
  /// The largest count in each column of pixels. Where bars are wide, `gap` leaves the last column of each bar empty.
  std::vector<std::uint32_t> heights(std::span<std::uint32_t const> counts, std::size_t first, bool gap) const;
  ImVec2 place(double x, double y) const;
  void draw_axes(Look const& look);

  ImDrawList* list_;
  ImFont* small_;
  Axis x_;
  Axis y_;
  ImVec2 low_;   ///< top left of the inner part
  ImVec2 high_;  ///< bottom right
  bool hovered_;
};

}  // namespace slotscape
