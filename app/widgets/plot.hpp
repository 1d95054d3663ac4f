#pragma once

#include "app/gui.hpp"
#include "app/widgets/axis.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

struct PlotPoint {
  double x;
  double y;
};

/// A plot at ImGui's cursor: axes and grid at construction, then what is drawn into it, in order.
class Plot {
public:
  Plot(Look const& look, char const* id, ImVec2 size, Axis const& x, Axis const& y);

  /// One bar per index of `counts` from `first` on; where bars are narrower than a pixel, the largest of each column.
  void bars(std::span<std::uint32_t const> counts, std::size_t first, ImU32 color);
  /// The outline of such bars, lightly filled. Of several over one another, each thinner than the one before, all are
  /// seen.
  void steps(std::span<std::uint32_t const> counts, std::size_t first, ImU32 color, float thickness);
  /// One bar from `from` to `to` along x: its parts over one another, the first at the bottom, each in its colour.
  void stack(double from, double to, std::span<double const> parts, std::span<ImU32 const> colors);
  void line(std::span<PlotPoint const> points, ImU32 color, float thickness = 1.5f);
  /// Lines between points that are near in x; a gap is where nothing was measured.
  void line_with_gaps(std::span<PlotPoint const> points, ImU32 color);
  void dots(std::span<PlotPoint const> points, ImU32 color, float radius);
  /// y = f(x), evaluated at each pixel.
  void curve(std::function<double(double)> const& f, ImU32 color);
  /// A dashed line, with its name beside it at the top where there is one. Of `turns` such lines in one place, each
  /// with a `turn` of its own, all are seen.
  void vertical(double x, ImU32 color, std::string const& name = "", int turn = 0, int turns = 1);
  /// A line of text in the middle: why there is nothing to see.
  void remark(std::string const& text);

  /// The x under the cursor, which is marked; nothing where the cursor is elsewhere.
  std::optional<double> hovered() const;
  /// The first and the last bin of a histogram that the pixel at x stands for.
  std::pair<std::uint64_t, std::uint64_t> bins_at(double x) const;
  void mark(PlotPoint point, ImU32 color);
  double pixel_width() const { return 1.0 / inner_width(); }  ///< share of the x axis that one pixel is
  Axis const& x_axis() const { return x_; }

private:
  float inner_width() const { return high_.x - low_.x; }
  float inner_height() const { return high_.y - low_.y; }
  /// The largest count of each column of pixels. Where bars are wide, `gap` leaves the last column of each free.
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
