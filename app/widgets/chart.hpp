#pragma once

#include "app/widgets/axis.hpp"
#include "app/widgets/look.hpp"
#include "gpu/analysis/statistics.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace slotscape {

/// One bar for each index of `counts` from `first` on, in the bin [index - 0.5, index + 0.5), or [index, index + 1) on
/// a logarithmic axis. If bins are narrower than a pixel, the largest in each column is drawn.
struct Bars {
  std::span<std::uint32_t const> counts;
  std::size_t first = 0;
  /// Above 0: outlines of this many pixels, lightly filled. Overlapping series all stay visible if each is drawn
  /// thinner than the one before.
  float outline = 0.0f;
  double each = 1.0;  ///< height of one count on the y axis: with n items, 100 / n gives per cent
  /// Items past the end of `counts`, drawn as one wide bin that ends at the largest; a single item is in the bin of its
  /// size.
  std::uint32_t beyond = 0;
  std::uint64_t beyond_max = 0;

  std::uint64_t beyond_min() const { return beyond == 1 ? beyond_max : counts.size(); }
};
/// The bars of a distribution, including items past the end of its histogram.
Bars bars_of(Distribution const& distribution, std::size_t first = 0);
/// The largest bar from `first` on; at least 1.
std::uint32_t highest_bar(Bars const& bars);

/// Points in order of x, connected by lines if they are closer than `widest_gap` in x.
struct Line {
  std::vector<ChartPoint> points;
  bool dots = false;
  double widest_gap = std::numeric_limits<double>::infinity();
};
/// y = f(x), evaluated at each pixel.
struct Curve {
  std::function<double(double)> f;
};
/// Steps of width 1 that end at `ends`, each filled from low to high.
struct Band {
  std::vector<double> ends;
  std::vector<double> low;
  std::vector<double> high;
};
/// A dashed line. `turns` lines in the same place all stay visible if each has a different `turn`.
struct Vertical {
  double x;
  int turn = 0;
  int turns = 1;
};

struct ChartSeries {
  std::string name;  ///< in the legend; series with the same name are shown and hidden together
  ImU32 color;
  std::variant<Bars, Line, Curve, Band, Vertical> shape;
};

struct ChartAxis {
  std::string label;  ///< with its unit
  Axis range;         ///< range of the data
  /// Start of the axis after switching between logarithmic and linear; NaN if it cannot be switched.
  double other_low = std::numeric_limits<double>::quiet_NaN();
};

/// The part of the x axis under the cursor.
struct ChartCursor {
  double x;
  Axis pixel;          ///< the range covered by the pixel
  double reach = 0.0;  ///< maximum distance of a point that still counts as here

  /// The first and the last histogram bin covered by the pixel.
  std::pair<std::uint64_t, std::uint64_t> bins() const;
  std::string bins_text() const;  ///< "12" or "1,000–1,023"
  std::uint64_t sum(Bars const& bars) const;
  /// The line's point here, or null.
  ChartPoint const* nearest(Line const& line) const;
};

/// Overlaid curves and histograms. Nothing is copied: valid as long as its data.
struct Chart {
  std::string id;
  std::string title;
  ChartAxis x;
  ChartAxis y;
  std::vector<ChartSeries> series = {};
  std::string remark = {};  ///< why the chart is empty
  /// Describes the data under the cursor.
  std::function<std::string(Chart const&, ChartCursor const&)> reading = {};
};

/// An axis of counts up to `most`: linear for small counts, so that each is visible; else logarithmic, from below 1 to
/// a power of ten.
ChartAxis count_axis(std::string label, double most);
/// An axis of shares in per cent, like `count_axis`. least: the share of a single count.
ChartAxis share_axis(std::string label, double least, double most);

/// The values of lines under the cursor, for `Chart::reading`: "α 0.500", and a line of text for each line nearby.
std::string read_lines(Chart const& chart, ChartCursor const& cursor);

/// The largest count in each of `columns` columns of the axis. If bars are wide, `gap` leaves the last column of each
/// bar empty.
std::vector<std::uint32_t> column_heights(Bars const& bars, Axis const& x, int columns, bool gap);

/// Widens bars of fewer columns than `least` to that width if there is room beside them: a single thin line is easily
/// missed.
void widen_thin_bars(std::vector<std::uint32_t>& heights, std::size_t least);

/// All series as comma-separated values: a header line, then series, x and y. Empty histogram bins are left out.
std::string to_csv(Chart const& chart);

}  // namespace slotscape
