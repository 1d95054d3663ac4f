#include "app/widgets/chart.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace slotscape {
namespace {

constexpr int curve_samples = 256;

/// The CSV rows of one series.
class Rows {
public:
  Rows(std::string& text, std::string const& name, Axis const& x, Axis const& y)
      : text_(text), name_(in_csv(name)), x_(x), y_(y)
  {
  }

  void operator()(Bars const& bars)
  {
    for (std::size_t i = bars.first; i < bars.counts.size(); ++i) {
      if (bars.counts[i] != 0) { add(static_cast<double>(i), bars.counts[i] * bars.each); }
    }
    if (bars.beyond != 0) { add(static_cast<double>(bars.beyond_min()), bars.beyond * bars.each); }
  }
  void operator()(Line const& line)
  {
    for (ChartPoint const& point : line.points) { add(point.x, point.y); }
  }
  void operator()(Curve const& curve)
  {
    for (int i = 0; i <= curve_samples; ++i) {
      double const x = x_.value(static_cast<double>(i) / curve_samples);
      add(x, curve.f(x));
    }
  }
  void operator()(Band const& band)
  {
    for (std::size_t i = 0; i < band.ends.size(); ++i) { add(band.ends[i], band.high[i] - band.low[i]); }
  }
  void operator()(Vertical const& vertical)
  {
    add(vertical.x, y_.low);
    add(vertical.x, y_.high);
  }

private:
  void add(double x, double y) { fmt::format_to(std::back_inserter(text_), "{},{},{}\n", name_, x, y); }

  std::string& text_;
  std::string name_;
  Axis x_;
  Axis y_;
};

/// An axis of multiples of `least`, up to `most`, that ends at `limit` at the latest.
ChartAxis axis_of_multiples(std::string label, double least, double most, double limit)
{
  constexpr double few = 20.0;
  constexpr double below_one = 0.7;
  if (most <= few * least) {
    return {std::move(label), {0.0, std::min(round_up(most * 1.05), limit)}, below_one * least};
  }
  double const high = std::pow(10.0, std::ceil(std::log10(most * 1.2)));
  return {std::move(label), {below_one * least, std::min(high, limit), true}, 0.0};
}

}  // namespace

std::pair<std::uint64_t, std::uint64_t> ChartCursor::bins() const
{
  double const shift = pixel.log ? 0.0 : 0.5;
  auto const from = static_cast<std::uint64_t>(std::max(0.0, std::floor(pixel.low + shift)));
  return {from, std::max(from, static_cast<std::uint64_t>(std::max(0.0, std::ceil(pixel.high + shift) - 1.0)))};
}

std::string ChartCursor::bins_text() const
{
  auto const [from, to] = bins();
  return from == to ? grouped(from) : fmt::format("{}–{}", grouped(from), grouped(to));
}

std::uint64_t ChartCursor::sum(Bars const& bars) const
{
  auto const [from, to] = bins();
  std::uint64_t sum = 0;
  for (std::uint64_t i = from; i <= to && i < bars.counts.size(); ++i) { sum += bars.counts[i]; }
  return from <= bars.beyond_max && to >= bars.beyond_min() ? sum + bars.beyond : sum;
}

ChartPoint const* ChartCursor::nearest(Line const& line) const
{
  auto const found =
      std::ranges::min_element(line.points, {}, [this](ChartPoint const& point) { return std::abs(point.x - x); });
  bool const near = found != line.points.end() && std::abs(found->x - x) <= reach;
  return near ? &*found : nullptr;
}

ChartAxis count_axis(std::string label, double most)
{
  return axis_of_multiples(std::move(label), 1.0, most, std::numeric_limits<double>::infinity());
}

ChartAxis share_axis(std::string label, double least, double most)
{
  constexpr double above_all = 110.0;
  return axis_of_multiples(std::move(label), least, most, above_all);
}

std::string read_lines(Chart const& chart, ChartCursor const& cursor)
{
  std::string text = fmt::format("{} {:.3f}", translated(chart.x.label), halves_up(cursor.x));
  for (ChartSeries const& series : chart.series) {
    auto const* const line = std::get_if<Line>(&series.shape);
    ChartPoint const* const point = line == nullptr ? nullptr : cursor.nearest(*line);
    if (point == nullptr) { continue; }
    text += fmt::format("\n{}: {} {}", translated(series.name), short_number(point->y), translated(chart.y.label));
  }
  return text;
}

std::vector<std::uint32_t> column_heights(Bars const& bars, Axis const& x, int columns, bool gap)
{
  std::vector<std::uint32_t> highest(static_cast<std::size_t>(std::max(columns, 1)), 0);
  auto const add = [&](std::uint64_t first, std::uint64_t last, std::uint32_t count) {
    double const shift = x.log ? 0.0 : 0.5;
    double const from = x.share(static_cast<double>(first) - shift);
    double const to = x.share(static_cast<double>(last) + 1.0 - shift);
    if (count == 0 || to <= 0.0 || from >= 1.0) { return; }
    int const left = static_cast<int>(std::clamp(from, 0.0, 1.0) * columns);
    int right = static_cast<int>(std::clamp(to, 0.0, 1.0) * columns);
    if (gap && right - left >= 4) { --right; }
    for (int column = left; column < std::max(right, left + 1) && column < columns; ++column) {
      auto& height = highest[static_cast<std::size_t>(column)];
      height = std::max(height, count);
    }
  };
  for (std::size_t i = bars.first; i < bars.counts.size(); ++i) { add(i, i, bars.counts[i]); }
  add(bars.beyond_min(), bars.beyond_max, bars.beyond);
  return highest;
}

void widen_thin_bars(std::vector<std::uint32_t>& heights, std::size_t least)
{
  std::size_t const columns = heights.size();
  for (std::size_t left = 0; left < columns; ++left) {
    if (heights[left] == 0) { continue; }
    std::size_t right = left;
    while (right < columns && heights[right] != 0) { ++right; }
    std::size_t missing = least - std::min(right - left, least);
    // Leaves one column free before the next bar.
    for (; missing > 0 && right < columns && (right + 1 == columns || heights[right + 1] == 0); --missing, ++right) {
      heights[right] = heights[right - 1];
    }
    for (; missing > 0 && left > 0 && (left == 1 || heights[left - 2] == 0); --missing, --left) {
      heights[left - 1] = heights[left];
    }
    left = right;
  }
}

Bars bars_of(Distribution const& distribution, std::size_t first)
{
  Bars bars{distribution.histogram, first};
  bars.beyond = static_cast<std::uint32_t>(std::min<std::uint64_t>(distribution.beyond, ~std::uint32_t{0}));
  bars.beyond_max = distribution.beyond == 0 ? 0 : distribution.max;
  return bars;
}

std::uint32_t highest_bar(Bars const& bars)
{
  std::uint32_t most = std::max(1u, bars.beyond);
  for (std::size_t i = bars.first; i < bars.counts.size(); ++i) { most = std::max(most, bars.counts[i]); }
  return most;
}

std::string to_csv(Chart const& chart)
{
  std::string text = fmt::format("series,{},{}\n", in_csv(chart.x.label), in_csv(chart.y.label));
  for (ChartSeries const& series : chart.series) {
    std::visit(Rows(text, series.name, chart.x.range, chart.y.range), series.shape);
  }
  return text;
}

}  // namespace slotscape
