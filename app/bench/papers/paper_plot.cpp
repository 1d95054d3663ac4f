#include "app/bench/papers/paper_plot.hpp"

#include "app/base/text.hpp"
#include "app/widgets/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace slotscape {
namespace {

constexpr float paper_margin = 24.0f;  ///< lengths, at scale 1
constexpr float row_height = 17.0f;
constexpr float label_share = 0.5f;   ///< of the width of a list
constexpr float curve_share = 0.45f;  ///< of the picture's width
constexpr std::size_t min_of_curve = 5;
constexpr theme::Role color_here = theme::lines[0];
constexpr theme::Role color_printed = theme::lines[1];

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

/// Rows of times at many load factors; empty if there are few.
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

/// Draws on one page.
class PaperPage {
public:
  PaperPage(Look const& look, Drawing& drawing)
      : look_(look), drawing_(drawing), ink_(theme::text_on(look.background)), faint_(theme::with_alpha(ink_, 0.25f))
  {
  }

  void text(ImVec2 at, std::string const& words, float size, float wrap = 0.0f)
  {
    drawing_.text(at, size, ink_, words, wrap);
  }

  /// Millions of keys a second over the load factor, here and as printed.
  void curve(std::vector<BenchRow> const& rows, ImVec2 low, ImVec2 high)
  {
    text(low, fmt::format("{}: keys a second", name_of(rows.front())), look_.large);
    std::vector<ChartPoint> here;
    std::vector<ChartPoint> printed;
    for (BenchRow const& row : rows) {
      double const load = row.at("load_factor").get<double>();
      here.push_back({load, 1e3 * row.at("keys").get<double>() / row.at("ours").get<double>()});
      printed.push_back({load, 1e3 * row.at("printed_keys").get<double>() / row.at("printed").get<double>()});
    }
    double most = 0.0;
    double least = HUGE_VAL;
    for (auto const* const line : {&here, &printed}) {
      for (ChartPoint const& point : *line) {
        most = std::max(most, point.y);
        least = std::min(least, point.y);
      }
    }
    low = {low.x + look_(46.0f), low.y + look_(2.0f * row_height)};
    high.y -= look_(2.5f * row_height);
    Axis const x{0.0, 1.0};
    Axis const y = decades(least, most);
    auto const place = [&](ChartPoint const& point) {
      return ImVec2(std::lerp(low.x, high.x, static_cast<float>(x.share(point.x))),
                    std::lerp(high.y, low.y, static_cast<float>(y.share(point.y))));
    };
    for (double tick = y.low; tick <= 1.001 * y.high; tick *= 10.0) {
      float const across = place({0.0, tick}).y;
      drawing_.line({low.x, across}, {high.x, across}, faint_, look_(1.0f));
      text({low.x - look_(46.0f), across - 0.5f * look_.small}, brief_number(tick), look_.small);
    }
    for (int tick = 0; tick <= 4; ++tick) {
      double const load = 0.25 * tick;
      text({place({load, y.low}).x - look_(10.0f), high.y + look_(4.0f)}, short_number(load), look_.small);
    }
    text({low.x, high.y + look_(4.0f + row_height)}, "load factor", look_.small);
    line(here, place, color_here);
    line(printed, place, color_printed);
    legend({low.x + look_(80.0f), high.y + look_(4.0f + row_height)});
  }

  /// How many times as fast as printed, row by row.
  void list(std::vector<BenchRow> const& rows, ImVec2 low, ImVec2 high)
  {
    text(low, "times as fast here as printed, key by key", look_.large);
    low.y += look_(2.0f * row_height);
    double most = 1.0;
    double least = 1.0;
    for (BenchRow const& row : rows) {
      most = std::max(most, row.at("times_as_fast").get<double>());
      least = std::min(least, row.at("times_as_fast").get<double>());
    }
    Axis const x = decades(least, most);
    float const left = std::lerp(low.x, high.x, label_share);
    float const right = high.x - look_(60.0f);  // room for the last number
    auto const place = [&](double value) { return std::lerp(left, right, static_cast<float>(x.share(value))); };
    float const step =
        std::min(look_(1.4f * row_height), (high.y - low.y - look_(2.0f * row_height)) /
                                               static_cast<float>(std::max<std::size_t>(rows.size(), 1)));
    float const bottom = low.y + step * static_cast<float>(rows.size());
    for (double tick = x.low; tick <= 1.001 * x.high; tick *= 10.0) {
      drawing_.line({place(tick), low.y}, {place(tick), bottom}, tick == 1.0 ? ImU32{color_printed} : faint_,
                    look_(1.0f));
      text({place(tick) - look_(8.0f), bottom + look_(4.0f)}, brief_number(tick), look_.small);
    }
    float at = low.y;
    for (BenchRow const& row : rows) {
      double const times = row.at("times_as_fast").get<double>();
      ImVec2 const dot{place(times), at + 0.5f * look_.small};
      text({low.x, at}, label_of(row), look_.small);
      drawing_.line({place(1.0), dot.y}, dot, color_here, look_(1.5f));
      drawing_.disc(dot, look_(3.5f), color_here);
      text({std::max(dot.x, place(1.0)) + look_(7.0f), at}, short_number(times), look_.small);
      at += step;
    }
  }

  /// Quantities that are no speeds; returns where they end.
  float values(std::vector<BenchRow> const& rows, ImVec2 at)
  {
    for (BenchRow const& row : rows) {
      std::string const here = row.at("ours").is_number() ? short_number(row.at("ours").get<double>()) : "none";
      text(at,
           fmt::format("{}: {} {} here, {} printed", label_of(row), here, row.at("unit").get<std::string>(),
                       short_number(row.at("printed").get<double>())),
           look_.small);
      at.y += look_(row_height);
    }
    return at.y;
  }

private:
  /// Whole powers of ten around two numbers above 0.
  static Axis decades(double least, double most)
  {
    double const low = std::pow(10.0, std::floor(std::log10(least)));
    return {low, std::max(10.0 * low, std::pow(10.0, std::ceil(std::log10(most)))), true};
  }

  template <class Place>
  void line(std::vector<ChartPoint> const& points, Place const& place, ImU32 color)
  {
    std::vector<ImVec2> corners(points.size());
    std::ranges::transform(points, corners.begin(), place);
    drawing_.polyline(corners, color, look_(1.5f));
    for (ImVec2 const& corner : corners) { drawing_.disc(corner, look_(2.5f), color); }
  }

  void legend(ImVec2 at)
  {
    for (auto const& [color, name] : {std::pair{color_here, "here"}, std::pair{color_printed, "printed"}}) {
      drawing_.disc({at.x, at.y + 0.5f * look_.small}, look_(3.5f), color);
      text({at.x + look_(8.0f), at.y}, name, look_.small);
      at.x += look_(60.0f);
    }
  }

  Look const& look_;
  Drawing& drawing_;
  ImU32 ink_;
  ImU32 faint_;
};

}  // namespace

void draw_paper(Look const& look, Drawing& drawing, ImVec2 size, std::string const& title,
                std::vector<BenchRow> const& rows)
{
  float const edge = look(paper_margin);
  PaperPage page(look, drawing);
  if (rows.empty()) { return page.text({edge, edge}, "Nothing was measured.", look.large); }
  page.text({edge, edge}, fmt::format("Printed: {}", title), look.body);
  page.text({edge, edge + look(1.3f * row_height)},
            fmt::format("Here: {}, medians", rows.front().at("device").get<std::string>()), look.body);
  std::vector<BenchRow> const curve = curve_in(rows);
  std::vector<BenchRow> speeds;
  std::vector<BenchRow> others;
  for (BenchRow const& row : rows) {
    if (!curve.empty() && name_of(row) == name_of(curve.front())) { continue; }
    (row.at("times_as_fast").is_number() ? speeds : others).push_back(row);
  }
  float const top = page.values(others, {edge, edge + look(3.0f * row_height)}) + look(row_height);
  float const middle = curve.empty() ? edge : std::lerp(edge, size.x, curve_share);
  if (!curve.empty()) { page.curve(curve, {edge, top}, {middle - edge, size.y - edge}); }
  if (!speeds.empty()) { page.list(speeds, {middle, top}, {size.x - edge, size.y - edge}); }
}

}  // namespace slotscape
