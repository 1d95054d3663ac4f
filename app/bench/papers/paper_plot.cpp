#include "app/bench/papers/paper_plot.hpp"

#include "app/base/text.hpp"
#include "app/widgets/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace slotscape {
namespace {

constexpr float number_width = 60.0f;   ///< width of a number after its bar, at scale 1
constexpr float curve_legend = 100.0f;  ///< width of the curve's legend, at scale 1
constexpr float label_share = 0.5f;     ///< share of a list's width
constexpr float curve_share = 0.45f;    ///< share of the picture's width
constexpr std::size_t min_of_curve = 5;
constexpr std::size_t line_here = 0;  ///< line number for `Paper::color_of_line`
constexpr std::size_t line_printed = 1;

std::string name_of(BenchRow const& row)
{
  return fmt::format("{}, {}", row.at("experiment").get<std::string>(), row.at("quantity").get<std::string>());
}

/// "random_pairs, build, two_level_cuckoo, 5 M keys, α 0.71"
std::string label_of(BenchRow const& row)
{
  std::string label = fmt::format("{}, {}", name_of(row), row.at("family").get<std::string>());
  if (row.at("keys").is_number()) { label += fmt::format(", {} keys", short_number(row.at("keys").get<double>())); }
  if (row.at("load_factor").is_number()) { label += fmt::format(", α {:.2f}", row.at("load_factor").get<double>()); }
  return label;
}

/// Rows with times at many load factors; empty if there are too few.
std::vector<BenchRow> curve_in(std::vector<BenchRow> const& rows)
{
  std::map<std::string, std::vector<BenchRow>> by_name;
  for (BenchRow const& row : rows) {
    bool const has_rates = row.at("unit") == "ms" && row.at("printed_keys").is_number() && row.at("keys").is_number();
    if (has_rates && row.at("load_factor").is_number() && row.at("ours").is_number()) {
      by_name[name_of(row)].push_back(row);
    }
  }
  for (auto& [name, curve] : by_name) {
    if (curve.size() >= min_of_curve) { return curve; }
  }
  return {};
}

/// A logarithmic axis between powers of ten that covers these numbers, all above 0.
Axis axis_around(std::vector<double> const& numbers)
{
  auto const [least, most] = std::ranges::minmax(numbers);
  return decades_around(least, most);
}

/// Plots keys per second against the load factor, here and as printed.
void draw_curve(Paper const& paper, std::vector<BenchRow> const& rows, ImVec2 low, ImVec2 high)
{
  std::array<std::vector<ChartPoint>, 2> lines;
  std::vector<double> rates;
  auto const add = [&](std::size_t line, double load, double keys, double milliseconds) {
    lines[line].push_back({load, 1e3 * keys / milliseconds});
    rates.push_back(lines[line].back().y);
  };
  for (BenchRow const& row : rows) {
    double const load = row.at("load_factor").get<double>();
    add(line_here, load, row.at("keys").get<double>(), row.at("ours").get<double>());
    add(line_printed, load, row.at("printed_keys").get<double>(), row.at("printed").get<double>());
  }
  float const right = high.x - paper.look(curve_legend);
  Axes const axes(paper, low, {right, high.y}, {{0.0, 1.0}, "load factor"}, {axis_around(rates), "keys a second"});
  axes.draw(name_of(rows.front()));
  for (std::size_t const line : {line_here, line_printed}) {
    axes.line(lines[line], line);
    axes.marks(lines[line], line);
  }
  draw_legend(paper, {right + paper.look(Paper::margin), axes.low().y}, high,
              {{"here", LegendLine::Mark::line, line_here}, {"printed", LegendLine::Mark::line, line_printed}});
}

/// Draws the speed relative to the printed one, row by row.
void draw_list(Paper const& paper, std::vector<BenchRow> const& rows, ImVec2 low, ImVec2 high)
{
  PlotRows names{{}, label_share * (high.x - low.x), paper.look(1.4f * Paper::row_height)};
  std::vector<double> times{1.0};
  for (BenchRow const& row : rows) {
    names.names.push_back(label_of(row));
    times.push_back(row.at("times_as_fast").get<double>());
  }
  Axes const axes(paper, low, {high.x - paper.look(number_width), high.y}, {axis_around(times)}, std::move(names));
  axes.draw("times as fast here as printed, key by key");
  float const as_printed = axes.place({1.0, 0.0}).x;
  paper.drawing.line({as_printed, axes.low().y}, {as_printed, axes.high().y}, paper.color_of_line(line_printed),
                     paper.look(1.0f));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    double const here = times[row + 1];
    ImVec2 const at = axes.place({here, static_cast<double>(row) + 0.5});
    paper.drawing.line({as_printed, at.y}, at, paper.color_of_line(line_here), paper.look(1.5f));
    draw_mark(paper, at, line_here);
    paper.text({std::max(at.x, as_printed) + paper.look(7.0f), at.y - 0.5f * paper.look.small}, short_number(here));
  }
}

/// Writes quantities that are not speeds; returns the y coordinate below them.
float write_values(Paper const& paper, std::vector<BenchRow> const& rows, ImVec2 at)
{
  for (BenchRow const& row : rows) {
    std::string const here = row.at("ours").is_number() ? short_number(row.at("ours").get<double>()) : "none";
    paper.text(at, fmt::format("{}: {} {} here, {} printed", label_of(row), here, row.at("unit").get<std::string>(),
                               short_number(row.at("printed").get<double>())));
    at.y += paper.look(Paper::row_height);
  }
  return at.y;
}

}  // namespace

void draw_paper(Look const& look, Drawing& drawing, ImVec2 size, std::string const& title,
                std::vector<BenchRow> const& rows)
{
  Paper const paper{look, drawing};
  float const edge = look(Paper::margin);
  if (rows.empty()) { return drawing.text({edge, edge}, look.large, paper.ink(), "Nothing was measured."); }
  drawing.text({edge, edge}, look.body, paper.ink(), fmt::format("Printed: {}", title));
  drawing.text({edge, edge + look(1.3f * Paper::row_height)}, look.body, paper.ink(),
               fmt::format("Here: {}, medians", rows.front().at("device").get<std::string>()));
  std::vector<BenchRow> const curve = curve_in(rows);
  std::vector<BenchRow> speeds;
  std::vector<BenchRow> others;
  for (BenchRow const& row : rows) {
    if (!curve.empty() && name_of(row) == name_of(curve.front())) { continue; }
    (row.at("times_as_fast").is_number() ? speeds : others).push_back(row);
  }
  float const top =
      write_values(paper, others, {edge, edge + look(3.0f * Paper::row_height)}) + look(Paper::row_height);
  float const middle = curve.empty() ? edge : std::lerp(edge, size.x, curve_share);
  if (!curve.empty()) { draw_curve(paper, curve, {edge, top}, {middle - edge, size.y - edge}); }
  if (!speeds.empty()) { draw_list(paper, speeds, {middle, top}, {size.x - edge, size.y - edge}); }
}

}  // namespace slotscape
