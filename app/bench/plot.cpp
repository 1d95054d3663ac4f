#include "app/bench/plot.hpp"

#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "app/widgets/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace slotscape {
namespace {

constexpr float margin = 24.0f;  ///< lengths and sizes of text, at scale 1
constexpr float legend_width = 230.0f;
constexpr float label_width = 46.0f;
constexpr float row_height = 17.0f;
constexpr int ticks = 4;  ///< of an axis

constexpr std::array<ImU32, 10> colors{IM_COL32(0x1f, 0x77, 0xb4, 0xff), IM_COL32(0xd6, 0x60, 0x0a, 0xff),
                                       IM_COL32(0x2a, 0x8a, 0x2a, 0xff), IM_COL32(0xc6, 0x27, 0x28, 0xff),
                                       IM_COL32(0x7a, 0x52, 0xa8, 0xff), IM_COL32(0x7c, 0x51, 0x47, 0xff),
                                       IM_COL32(0xc9, 0x4f, 0xa0, 0xff), IM_COL32(0x60, 0x60, 0x60, 0xff),
                                       IM_COL32(0x8f, 0x90, 0x14, 0xff), IM_COL32(0x0f, 0x95, 0xa3, 0xff)};

/// Rows as lines of charts.
struct Lines {
  bool over_slots = false;
  std::vector<std::string> operations;  ///< in the order of the rows
  std::vector<std::string> names;
  std::map<std::pair<std::string, std::string>, std::vector<ChartPoint>> points;  ///< by operation and name

  Axis x() const
  {
    Axis axis{1e300, -1e300, over_slots};
    for (auto const& [key, line] : points) {
      for (ChartPoint const& point : line) {
        axis.low = std::min(axis.low, point.x);
        axis.high = std::max(axis.high, point.x);
      }
    }
    if (axis.high > axis.low) { return axis; }
    return over_slots ? Axis{axis.low / 2.0, axis.low * 2.0, true} : Axis{axis.low - 0.1, axis.low + 0.1};
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
  lines.over_slots = different(rows, "load_factor") == 1 && different(rows, "slots") > 1;
  bool const many_sizes = !lines.over_slots && different(rows, "slots") > different(rows, "family");
  bool const many_widths = different(rows, "key_bits") > 1;
  for (BenchRow const& row : rows) {
    std::string name = row.at("family").get<std::string>();
    std::string const variant = row.at("variant").is_string() ? row.at("variant").get<std::string>() : "";
    if (!variant.empty()) { name = fmt::format("{} {}", name, variant); }
    if (many_widths) { name += fmt::format(", {}-bit", row.at("key_bits").get<int>()); }
    if (many_sizes) { name += fmt::format(", {}", slots_text(row.at("slots").get<std::uint64_t>())); }
    std::string const operation = row.at("operation");
    add_once(lines.operations, operation);
    add_once(lines.names, name);
    double const x = row.at(lines.over_slots ? "slots" : "load_factor").get<double>();
    lines.points[{operation, name}].push_back({x, row.at("mops").get<double>()});
  }
  for (auto& [key, line] : lines.points) { std::ranges::sort(line, {}, &ChartPoint::x); }
  return lines;
}

/// Draws the charts of one page.
class Page {
public:
  Page(Look const& look, Drawing& drawing, Lines const& lines) : look_(look), drawing_(drawing), lines_(lines) {}

  void chart(std::string const& operation, ImVec2 low, ImVec2 high)
  {
    ImU32 const ink = theme::text_on(look_.background);
    ImU32 const faint = theme::with_alpha(ink, 0.25f);
    drawing_.text(low, look_.large, ink, operation);
    low.y += look_(2.0f * row_height);
    low.x += look_(label_width);
    high.y -= look_(2.0f * row_height);
    Axis const x = lines_.x();
    Axis const y{0.0, round_up(lines_.most(operation))};
    auto const place = [&](ChartPoint const& point) {
      return ImVec2(std::lerp(low.x, high.x, static_cast<float>(x.share(point.x))),
                    std::lerp(high.y, low.y, static_cast<float>(y.share(point.y))));
    };
    for (int tick = 0; tick <= ticks; ++tick) {
      double const share = static_cast<double>(tick) / ticks;
      float const across = place({x.low, y.value(share)}).y;
      drawing_.line({low.x, across}, {high.x, across}, faint, look_(1.0f));
      drawing_.text({low.x - look_(label_width), across - 0.5f * look_.small}, look_.small, ink,
                    brief_number(1e6 * y.value(share)));
      float const down = place({x.value(share), 0.0}).x;
      drawing_.text({down - look_(10.0f), high.y + look_(4.0f)}, look_.small, ink, short_number(x.value(share)));
    }
    drawing_.text({low.x, high.y + look_(4.0f + row_height)}, look_.small, ink,
                  lines_.over_slots ? "slots; operations a second upwards"
                                    : "load factor; operations a second upwards");
    for (std::size_t i = 0; i < lines_.names.size(); ++i) { line(operation, i, place); }
  }

  void legend(ImVec2 at)
  {
    ImU32 const ink = theme::text_on(look_.background);
    for (std::size_t i = 0; i < lines_.names.size(); ++i, at.y += look_(row_height)) {
      mark({at.x, at.y + 0.5f * look_.small}, i);
      drawing_.text({at.x + look_(12.0f), at.y}, look_.small, ink, lines_.names[i], look_(legend_width - margin));
    }
  }

private:
  template <class Place>
  void line(std::string const& operation, std::size_t number, Place const& place)
  {
    auto const found = lines_.points.find({operation, lines_.names[number]});
    if (found == lines_.points.end()) { return; }
    std::vector<ImVec2> corners;
    for (ChartPoint const& point : found->second) { corners.push_back(place(point)); }
    drawing_.polyline(corners, color_of(number), look_(1.5f));
    for (ImVec2 const& corner : corners) { mark(corner, number); }
  }

  static ImU32 color_of(std::size_t number) { return colors[number % colors.size()]; }

  /// Lines of one colour have marks of different shapes.
  void mark(ImVec2 at, std::size_t number)
  {
    float const r = look_(3.0f);
    ImU32 const color = color_of(number);
    switch (number / colors.size() % 4) {
      case 0: return drawing_.disc(at, r, color);
      case 1: return drawing_.fill({at.x - r, at.y - r}, {at.x + r, at.y + r}, color);
      case 2: return drawing_.triangle({at.x - r, at.y + r}, {at.x + r, at.y + r}, {at.x, at.y - r}, color);
      default: return drawing_.circle(at, r, color, look_(1.2f));
    }
  }

  Look const& look_;
  Drawing& drawing_;
  Lines const& lines_;
};

}  // namespace

void draw_table_bench(Look const& look, Drawing& drawing, ImVec2 size, std::vector<BenchRow> const& rows)
{
  float const edge = look(margin);
  if (rows.empty()) {
    drawing.text({edge, edge}, look.large, theme::text_on(look.background), "Nothing was measured.");
    return;
  }
  Lines const lines = lines_of(rows);
  Page page(look, drawing, lines);
  std::string const device = rows.front().at("device");
  drawing.text({edge, edge}, look.body, theme::text_on(look.background),
               fmt::format("{}, {} keys, medians", device, rows.front().at("keys").get<std::string>()));
  auto const count = lines.operations.size();
  std::size_t const columns = count < 2 ? 1 : count < 5 ? 2 : 3;
  std::size_t const lines_of_charts = (count + columns - 1) / columns;
  float const top = edge + look(2.0f * row_height);
  float const width = (size.x - look(legend_width) - edge) / static_cast<float>(columns);
  float const height = (size.y - top) / static_cast<float>(lines_of_charts);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t const line = i / columns;
    ImVec2 const low(edge + static_cast<float>(i % columns) * width, top + static_cast<float>(line) * height);
    page.chart(lines.operations[i], low, {low.x + width - edge, low.y + height - 0.5f * edge});
  }
  page.legend({size.x - look(legend_width), top});
}

}  // namespace slotscape
