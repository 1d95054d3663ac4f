#pragma once

#include "app/gui.hpp"
#include "app/widgets/axis.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

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
  void line(std::span<PlotPoint const> points, ImU32 color, float thickness = 1.5f);
  void dots(std::span<PlotPoint const> points, ImU32 color, float radius);
  /// y = f(x), evaluated at each pixel.
  void curve(std::function<double(double)> const& f, ImU32 color);
  /// A dashed line, with its name beside it at the top where there is one.
  void vertical(double x, ImU32 color, std::string const& name = "");
  /// A line of text in the middle: why there is nothing to see.
  void remark(std::string const& text);

  /// The x under the cursor, which is marked; nothing where the cursor is elsewhere.
  std::optional<double> hovered() const;
  void mark(PlotPoint point, ImU32 color);
  double pixel_width() const { return 1.0 / inner_width(); }  ///< share of the x axis that one pixel is
  Axis const& x_axis() const { return x_; }

private:
  float inner_width() const { return high_.x - low_.x; }
  float inner_height() const { return high_.y - low_.y; }
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
