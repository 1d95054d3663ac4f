#include "app/bench/plot.hpp"

#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "app/widgets/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace slotscape {
namespace {

constexpr float legend_width = 230.0f;  ///< at scale 1

/// The lines of charts, made from rows.
struct Lines {
  std::string x_label = "load factor";
  std::string y_label = "operations a second";
  bool is_logarithmic = false;          ///< whether the x axis is logarithmic
  std::vector<std::string> operations;  ///< in the order of the rows
  std::vector<std::string> names;
  std::map<std::pair<std::string, std::string>, std::vector<ChartPoint>> points;  ///< by operation and name

  Axis x() const
  {
    Axis axis{1e300, -1e300, is_logarithmic};
    for (auto const& [key, line] : points) {
      for (ChartPoint const& point : line) {
        axis.low = std::min(axis.low, point.x);
        axis.high = std::max(axis.high, point.x);
      }
    }
    if (axis.high > axis.low) { return axis; }
    return is_logarithmic ? Axis{axis.low / 2.0, axis.low * 2.0, true} : Axis{axis.low - 0.1, axis.low + 0.1};
  }
  double most(std::string const& operation) const
  {
    double most = 0.0;
    for (auto const& [key, line] : points) {
      if (key.first != operation) { continue; }
      for (ChartPoint const& point : line) { most = std::max(most, point.y); }
    }
    return most;
  }
};

std::size_t different(std::vector<BenchRow> const& rows, char const* column)
{
  std::set<std::string> values;
  for (BenchRow const& row : rows) { values.insert(row.at(column).dump()); }
  return values.size();
}

void add_once(std::vector<std::string>& list, std::string const& item)
{
  if (std::ranges::find(list, item) == list.end()) { list.push_back(item); }
}

Lines lines_of(std::vector<BenchRow> const& rows)
{
  Lines lines;
  bool const over_slots = different(rows, "asked_load") == 1 && different(rows, "slots") > 1;
  if (over_slots) { lines.x_label = "slots"; }
  lines.is_logarithmic = over_slots;
  bool const many_sizes = !over_slots && different(rows, "slots") > different(rows, "family");
  bool const many_widths = different(rows, "key_bits") > 1;
  for (BenchRow const& row : rows) {
    if (!row.at("mops").is_number() || !row.at("load_factor").is_number()) { continue; }  // the case was abandoned
    std::string name = row.at("family").get<std::string>();
    std::string const variant = row.at("variant").is_string() ? row.at("variant").get<std::string>() : "";
    if (!variant.empty()) { name = fmt::format("{} {}", name, variant); }
    if (many_widths) { name += fmt::format(", {}-bit", row.at("key_bits").get<int>()); }
    if (many_sizes) { name += fmt::format(", {}", slots_text(row.at("slots").get<std::uint64_t>())); }
    std::string const operation = row.at("operation");
    add_once(lines.operations, operation);
    add_once(lines.names, name);
    double const x = row.at(over_slots ? "slots" : "load_factor").get<double>();
    lines.points[{operation, name}].push_back({x, 1e6 * row.at("mops").get<double>()});
  }
  for (auto& [key, line] : lines.points) { std::ranges::sort(line, {}, &ChartPoint::x); }
  return lines;
}

constexpr char const* memory = "memory";  ///< the pseudo-operation whose chart shows bytes

Lines lines_of_blocks(std::vector<BenchRow> const& rows)
{
  Lines lines;
  lines.x_label = "side of a voxel";
  lines.y_label = "voxels a second";
  lines.is_logarithmic = true;
  bool const many_loads = different(rows, "load") > 1;
  for (BenchRow const& row : rows) {
    if (!row.at("mvoxels").is_number()) { continue; }  // the case was abandoned
    std::string name = row.at("structure").get<std::string>();
    if (many_loads) { name += fmt::format(", α {:.2g}", row.at("load").get<double>()); }
    std::string const access = row.at("access");
    bool const is_build = access == "build";
    std::string const operation = is_build ? memory : access;
    add_once(lines.operations, operation);
    add_once(lines.names, name);
    double const y = is_build ? row.at("bytes_per_voxel").get<double>() : 1e6 * row.at("mvoxels").get<double>();
    lines.points[{operation, name}].push_back({row.at("voxel").get<double>(), y});
  }
  for (auto& [key, line] : lines.points) { std::ranges::sort(line, {}, &ChartPoint::x); }
  return lines;
}

void draw_operation(Paper const& paper, Lines const& lines, std::string const& operation, ImVec2 low, ImVec2 high)
{
  Axes const axes(paper, low, high, {lines.x(), lines.x_label},
                  {axis_from_zero(lines.most(operation)), operation == memory ? "bytes a voxel" : lines.y_label});
  axes.draw(operation);
  for (std::size_t i = 0; i < lines.names.size(); ++i) {
    auto const found = lines.points.find({operation, lines.names[i]});
    if (found == lines.points.end()) { continue; }
    axes.line(found->second, i);
    axes.marks(found->second, i);
  }
}

/// Draws a chart for each operation, and a legend. of: the device and what was measured.
void draw_charts(Paper const& paper, ImVec2 size, Lines const& lines, std::string const& of)
{
  Look const& look = paper.look;
  Drawing& drawing = paper.drawing;
  float const edge = look(Paper::margin);
  if (lines.operations.empty()) {
    drawing.text({edge, edge}, look.large, paper.ink(), "Nothing was measured.");
    return;
  }
  drawing.text({edge, edge}, look.body, paper.ink(), fmt::format("{}, medians", of));
  auto const count = lines.operations.size();
  std::size_t const columns = count < 2 ? 1 : count < 5 ? 2 : 3;
  std::size_t const lines_of_charts = (count + columns - 1) / columns;
  float const top = edge + look(2.0f * Paper::row_height);
  float const width = (size.x - look(legend_width) - edge) / static_cast<float>(columns);
  float const height = (size.y - top) / static_cast<float>(lines_of_charts);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t const line = i / columns;
    ImVec2 const low(edge + static_cast<float>(i % columns) * width, top + static_cast<float>(line) * height);
    draw_operation(paper, lines, lines.operations[i], low, {low.x + width - edge, low.y + height - 0.5f * edge});
  }
  std::vector<LegendLine> legend;
  for (std::size_t i = 0; i < lines.names.size(); ++i) {
    legend.push_back({lines.names[i], LegendLine::Mark::line, i});
  }
  draw_legend(paper, {size.x - look(legend_width), top}, {size.x - edge, size.y - edge}, legend);
}

}  // namespace

void draw_table_bench(Look const& look, Drawing& drawing, ImVec2 size, std::vector<BenchRow> const& rows)
{
  std::string const of = rows.empty() ? std::string()
                                      : fmt::format("{}, {} keys", rows.front().at("device").get<std::string>(),
                                                    rows.front().at("keys").get<std::string>());
  draw_charts({look, drawing}, size, lines_of(rows), of);
}

void draw_blocks_bench(Look const& look, Drawing& drawing, ImVec2 size, std::vector<BenchRow> const& rows)
{
  std::string const of = rows.empty() ? std::string()
                                      : fmt::format("{}, {}", rows.front().at("device").get<std::string>(),
                                                    rows.front().at("cloud").get<std::string>());
  draw_charts({look, drawing}, size, lines_of_blocks(rows), of);
}

}  // namespace slotscape
