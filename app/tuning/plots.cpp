#include "app/tuning/plots.hpp"

#include "app/base/text.hpp"
#include "app/tuning/candidates.hpp"
#include "app/widgets/plot.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace slotscape::tuning {
namespace {

constexpr float legend_width = 162.0f;  ///< lengths are at scale 1
constexpr float faint = 0.3f;           ///< opacity of coarse measurements
constexpr float ring = 6.0f;
constexpr float mark_size = 4.0f;  ///< half the size of a mark
constexpr float bar = 6.0f;        ///< half the width of a bar through a mark

std::string load_text(double load)
{
  return fmt::format("{:.3g}", load);
}

bool is_divided(Measured const& measured)
{
  return measured.candidate.table.shards != 1;
}

/// Draws one plot.
class Painter {
public:
  Painter(Look const& look, Drawing& drawing, Results const& results, Choice const& choice, PlotOptions const& options)
      : paper_{look, drawing}, results_(results), choice_(choice), options_(options)
  {
    for (Measured const& measured : results.measured) {
      std::string const family = family_title_of(measured.candidate);
      if (std::ranges::find(families_, family) == families_.end()) { families_.push_back(family); }
      if (measured.stage != Stage::coarse) { full_keys_ = std::max(full_keys_, measured.keys); }
      any_checked_ = any_checked_ || measured.stage == Stage::checked;
    }
  }

  std::vector<PlotMark> draw(Plot plot)
  {
    if (results_.measured.empty()) {
      paper_.drawing.text(inner_low(), paper_.look.body, paper_.ink(), tr("Nothing has been measured yet."));
      return {};
    }
    switch (plot) {
      case Plot::tradeoff: draw_tradeoff(); break;
      case Plot::load: draw_load(); break;
      case Plot::latency: draw_latency(); break;
    }
    return std::move(marks_);
  }

private:
  float scaled(float length) const { return paper_.look(length); }
  ImVec2 inner_low() const { return {options_.low.x + scaled(Paper::margin), options_.low.y + scaled(Paper::margin)}; }
  ImVec2 inner_high() const
  {
    return {options_.low.x + options_.size.x - scaled(Paper::margin),
            options_.low.y + options_.size.y - scaled(0.5f * Paper::margin)};
  }
  /// Whether the frontier considers the table: small tables count only until there are full ones, and a table that lost
  /// keys or exceeds the memory budget is no candidate, however fast.
  bool comparable(Measured const& measured) const
  {
    double const most = results_.workload.max_bytes;
    return !is_small(measured) && (most <= 0.0 || measured.bytes_per_key <= most) && measured.throughput > 0.0 &&
           measured.failed == 0 && !measured.clogged_after;
  }

  /// Whether the table was measured with far fewer keys than the closer measurements.
  bool is_small(Measured const& measured) const
  {
    return measured.stage == Stage::coarse && 2 * measured.keys < full_keys_;
  }

  /// A narrow plot has no legend, to leave the room to the chart.
  bool has_legend() const { return options_.size.x >= scaled(3.5f * legend_width); }
  /// The chart ends left of the legend.
  ImVec2 chart_high() const { return {inner_high().x - (has_legend() ? scaled(legend_width) : 0.0f), inner_high().y}; }

  std::size_t number_of(Measured const& measured) const
  {
    auto const found = std::ranges::find(families_, family_title_of(measured.candidate));
    return static_cast<std::size_t>(found - families_.begin());
  }

  /// The axis of rates; logarithmic if printed rates of other machines would squeeze ours against its end.
  Axis rates() const
  {
    constexpr double far_apart = 20.0;
    double least = 1e300;
    double most = 0.0;
    for (Measured const& measured : results_.measured) {
      most = std::max(most, measured.throughput);
      if (measured.throughput > 0.0) { least = std::min(least, measured.throughput); }
    }
    double all = most;
    for (PrintedRate const& printed : options_.printed) { all = std::max(all, printed.rate); }
    if (most > 0.0 && all > far_apart * most) { return decades_around(least, all); }
    return axis_from_zero(all);
  }

  PlotAxis upwards() const
  {
    Axis const range = rates();
    if (results_.workload.join) { return {range, range.log ? tr("rows a second, logarithmic") : tr("rows a second")}; }
    return {range, range.log ? tr("operations a second, logarithmic") : tr("operations a second")};
  }

  /// Draws the printed rates whose x, computed by `x_of`, is on the axis.
  template <class XOf>
  void printed_rates(Axes const& axes, Axis const& x, XOf const& x_of)
  {
    for (std::size_t i = 0; i < options_.printed.size(); ++i) {
      PrintedRate const& rate = options_.printed[i];
      if (x_of(rate) < x.low || x_of(rate) > x.high) { continue; }
      ImVec2 const at = axes.place({x_of(rate), rate.rate});
      draw_diamond(paper_, at);
      marks_.push_back({i, at, true});
    }
  }

  ImU32 color_of(Measured const& measured) const { return paper_.color_of_line(number_of(measured)); }

  /// Marks tables in shards with a bar across the frontier, which rises.
  void bar_through(ImVec2 at, ImU32 color)
  {
    float const half = scaled(bar);
    paper_.drawing.line({at.x - half, at.y - half}, {at.x + half, at.y + half}, color, scaled(1.5f));
    any_divided_ = true;
  }

  void mark(std::size_t i, ImVec2 at)
  {
    Measured const& measured = results_.measured[i];
    bool const small = is_small(measured);
    bool const is_rough = !small && (any_checked_ ? measured.stage != Stage::checked
                                                  : full_keys_ != 0 && measured.stage == Stage::coarse);
    any_small_ = any_small_ || small;
    any_rough_ = any_rough_ || is_rough;
    float const alpha = small || is_rough ? faint : 1.0f;
    draw_mark(paper_, at, number_of(measured), alpha);
    if (is_divided(measured)) { bar_through(at, theme::with_alpha(color_of(measured), alpha)); }
    drawn_.insert(number_of(measured));
    ++marked_;
    if (options_.selected == i) { paper_.drawing.circle(at, scaled(ring + 3.0f), paper_.ink(), scaled(2.0f)); }
    if (options_.compared == i) { paper_.drawing.circle(at, scaled(ring + 3.0f), paper_.ink(), scaled(1.0f)); }
    marks_.push_back({i, at});
  }

  void legend()
  {
    if (!has_legend()) { return; }
    std::vector<LegendLine> lines;
    for (std::size_t const i : drawn_) { lines.push_back({families_[i], LegendLine::Mark::line, i}); }
    std::vector<LegendLine> below = legend_remarks();
    if (!options_.printed.empty()) { below.push_back({tr("printed in a paper"), LegendLine::Mark::diamond}); }
    // Clips, because other plots may lie beside and below.
    paper_.drawing.clip({chart_high().x, options_.low.y}, {inner_high().x, options_.low.y + options_.size.y});
    draw_legend(paper_, {chart_high().x + scaled(Paper::margin), inner_low().y + scaled(2.0f * Paper::row_height)},
                inner_high(), lines, below);
    paper_.drawing.unclip();
  }

  std::string name_of_present() const
  {
    return results_.stands_in() ? tr_in("the table in use", "like yours") : tr_in("the table in use", "present");
  }

  std::vector<LegendLine> legend_remarks() const
  {
    std::vector<LegendLine> lines;
    if (any_rough_) {
      lines.push_back({tr("faint: only roughly\nmeasured so far")});
    } else if (any_small_) {
      lines.push_back({tr("faint: a smaller\ntable")});
    }
    if (any_divided_) { lines.push_back({tr("with a bar: in shards")}); }
    if (std::size_t const hidden = results_.measured.size() - marked_; hides_ && hidden != 0) {
      lines.push_back({tr("not shown: {} that\nare small, too large\nor lost keys", hidden)});
    }
    return lines;
  }

  void draw_tradeoff()
  {
    Axis x{1e300, 0.0, true};
    for (Measured const& measured : results_.measured) {
      x.low = std::min(x.low, measured.bytes_per_key);
      x.high = std::max(x.high, measured.bytes_per_key);
    }
    x.low *= 0.95;
    x.high *= 1.05;
    Axes const axes(paper_, inner_low(), chart_high(), {x, tr("bytes per key")}, upwards());
    axes.draw(translated(title_of(Plot::tradeoff)));
    auto const place = [&](std::size_t i) {
      return axes.place({results_.measured[i].bytes_per_key, results_.measured[i].throughput});
    };
    printed_rates(axes, x, [](PrintedRate const& rate) { return rate.bytes_per_key; });
    std::vector<ImVec2> corners;
    for (std::size_t const i : choice_.frontier) { corners.push_back(place(i)); }
    if (corners.size() > 1) { paper_.drawing.polyline(corners, theme::with_alpha(paper_.ink(), 0.6f), scaled(1.2f)); }
    for (std::size_t i = 0; i < results_.measured.size(); ++i) {
      if (comparable(results_.measured[i]) || results_.present == i) { mark(i, place(i)); }
    }
    label_marks(axes);
    hides_ = true;
    legend();
  }

  /// Names the present table, the knee and the winner.
  void label_marks(Axes const& axes)
  {
    std::map<std::size_t, std::string> labels;
    auto const name = [&](std::optional<std::size_t> const& which, std::string const& what) {
      if (which) { labels[*which] += (labels[*which].empty() ? "" : ", ") + what; }
    };
    name(results_.present, name_of_present());
    name(choice_.knee, tr("knee"));
    name(choice_.winner, tr("chosen"));
    LabelPlaces places(axes.low(), {chart_high().x, axes.high().y});
    float const half = scaled(mark_size);
    for (PlotMark const& mark : marks_) {
      places.occupy({mark.at.x - half, mark.at.y - half}, {mark.at.x + half, mark.at.y + half});
    }
    paper_.drawing.clip(axes.low(), {inner_high().x, axes.high().y});
    for (auto const& [i, text] : labels) {
      label(places, axes.place({results_.measured[i].bytes_per_key, results_.measured[i].throughput}), text);
    }
    paper_.drawing.unclip();
  }

  /// Draws a label, with a line to its mark if there is no room beside it.
  void label(LabelPlaces& places, ImVec2 at, std::string const& text)
  {
    float const radius = scaled(ring);
    ImVec2 const size(paper_.size_of(text).x, paper_.look.small);
    ImVec2 const corner = places.place(at, radius, size);
    paper_.drawing.circle(at, radius, paper_.ink(), scaled(1.5f));
    paper_.text(corner, text);
    ImVec2 const end(std::clamp(at.x, corner.x, corner.x + size.x), std::clamp(at.y, corner.y, corner.y + size.y));
    float const distance = std::hypot(end.x - at.x, end.y - at.y);
    if (distance < 2.0f * radius) { return; }
    float const share = radius / distance;
    ImVec2 const start(std::lerp(at.x, end.x, share), std::lerp(at.y, end.y, share));
    paper_.drawing.line(start, end, paper_.ink(), scaled(1.0f));
  }

  /// The fastest table of one family at each load factor, in shards or in one piece; full tables only, if there are
  /// any.
  std::map<int, std::size_t> best_by_load(std::string const& family, bool divided) const
  {
    auto const belongs = [&](Measured const& each) {
      return family_title_of(each.candidate) == family && is_divided(each) == divided;
    };
    bool const refined = std::ranges::any_of(results_.measured, [&](Measured const& each) {
      return belongs(each) && each.stage != Stage::coarse;
    });
    std::map<int, std::size_t> best;
    for (std::size_t i = 0; i < results_.measured.size(); ++i) {
      Measured const& each = results_.measured[i];
      bool const small = refined && each.stage == Stage::coarse;
      bool const has_load = !is_by_others(each.candidate);
      if (!belongs(each) || small || !has_load || each.throughput <= 0.0) { continue; }
      auto const [place, is_new] = best.try_emplace(static_cast<int>(std::lround(100.0 * each.load())), i);
      if (!is_new && each.throughput > results_.measured[place->second].throughput) { place->second = i; }
    }
    return best;
  }

  void line_of(Axes const& axes, std::size_t family, bool divided)
  {
    std::vector<ChartPoint> points;
    for (auto const& [load, i] : best_by_load(families_[family], divided)) {
      points.push_back({results_.measured[i].load(), results_.measured[i].throughput});
      mark(i, axes.place(points.back()));
    }
    axes.line(points, family);
  }

  void draw_load()
  {
    Axis x{1.0, 0.0};
    for (Measured const& measured : results_.measured) {
      if (is_by_others(measured.candidate)) { continue; }
      x.low = std::min(x.low, measured.load());
      x.high = std::max(x.high, measured.load());
    }
    x.low = std::floor(x.low * 10.0) / 10.0;
    x.high = std::min(1.0, std::ceil(x.high * 10.0) / 10.0);
    if (x.high <= x.low) { x.high = x.low + 0.1; }
    Axes const axes(paper_, inner_low(), chart_high(), {x, tr("load factor"), &load_text}, upwards());
    axes.draw(translated(title_of(Plot::load)));
    printed_rates(axes, x, [](PrintedRate const& rate) { return rate.load; });
    for (std::size_t family = 0; family < families_.size(); ++family) {
      for (bool const divided : {false, true}) { line_of(axes, family, divided); }
    }
    legend();
  }

  /// "Cuckoo hashing, α 0.88, 4 shards (present)"
  std::string row_name(std::size_t i) const
  {
    Measured const& measured = results_.measured[i];
    std::string name = family_title_of(measured.candidate);
    if (!is_by_others(measured.candidate)) { name += fmt::format(", α {:.2f}", measured.load()); }
    if (is_divided(measured)) { name += ", " + tr("{} shards", measured.candidate.table.shards); }
    return results_.present == i ? fmt::format("{} ({})", name, name_of_present()) : name;
  }

  /// A bar each for the frontier and the present setting.
  void draw_latency()
  {
    std::vector<std::size_t> shown = choice_.frontier;
    bool const listed = !results_.present || std::ranges::find(shown, *results_.present) != shown.end();
    if (!listed) { shown.push_back(*results_.present); }
    double longest = 0.0;
    PlotRows rows{{}, std::min(scaled(1.2f * legend_width), 0.45f * options_.size.x) + scaled(46.0f)};
    for (std::size_t const i : shown) {
      Measured const& measured = results_.measured[i];
      longest = std::max({longest, measured.batch_seconds, measured.worst_batch_seconds});
      rows.names.push_back(row_name(i));
    }
    ImVec2 const high(inner_high().x - scaled(Paper::margin), inner_high().y);  // leaves room for the last tick's text
    std::string const x_title = tr("bar: typical; line: the slowest batch seen");
    Axes const axes(paper_, inner_low(), high,
                    {longest > 0.0 ? axis_from_zero(longest) : Axis{0.0, 1e-3}, x_title, &milliseconds},
                    std::move(rows));
    axes.draw(translated(title_of(Plot::latency)));
    for (std::size_t row = 0; row < shown.size(); ++row) { bar_of(axes, row, shown[row]); }
  }

  void bar_of(Axes const& axes, std::size_t row, std::size_t i)
  {
    Measured const& measured = results_.measured[i];
    double const y = static_cast<double>(row) + 0.5;
    float const height = axes.place({0.0, y + 0.5}).y - axes.place({0.0, y - 0.5}).y;
    float const half = 0.5f * std::min(0.6f * height, scaled(16.0f));
    ImVec2 const typical = axes.place({measured.batch_seconds, y});
    paper_.drawing.fill({axes.low().x, typical.y - half}, {typical.x, typical.y + half}, color_of(measured));
    if (measured.worst_batch_seconds > 0.0) {
      float const worst = axes.place({measured.worst_batch_seconds, y}).x;
      paper_.drawing.line({worst, typical.y - half}, {worst, typical.y + half}, paper_.ink(), scaled(2.0f));
    }
    marks_.push_back({i, typical});
  }

  Paper paper_;
  Results const& results_;
  Choice const& choice_;
  PlotOptions const& options_;
  std::vector<std::string> families_;  ///< as in `family_title_of`; each has its own colour and line
  std::uint64_t full_keys_ = 0;        ///< number of keys in measurements that are not coarse
  bool any_checked_ = false;
  std::set<std::size_t> drawn_;  ///< indices of the families that were drawn
  std::size_t marked_ = 0;       ///< number of tables that are marked
  bool hides_ = false;           ///< some unmarked tables are left out on purpose
  bool any_small_ = false;       ///< a small table is drawn
  bool any_rough_ = false;
  bool any_divided_ = false;
  std::vector<PlotMark> marks_;
};

}  // namespace

std::string_view title_of(Plot plot)
{
  switch (plot) {
    case Plot::tradeoff: return translatable("Throughput and memory");
    case Plot::load: return translatable("Throughput and load factor");
    case Plot::latency: break;
  }
  return translatable("Time of a batch");
}

std::vector<PlotMark> draw_plot(Look const& look, Drawing& drawing, Plot plot, Results const& results,
                                Choice const& choice, PlotOptions const& options)
{
  return Painter(look, drawing, results, choice, options).draw(plot);
}

void draw_page(Look const& look, Drawing& drawing, ImVec2 size, Results const& results, Choice const& choice)
{
  float const top = look(2.5f * Paper::margin);
  drawing.text({look(Paper::margin), look(Paper::margin)}, look.body, theme::text_on(look.background),
               tr("{}: {}, {} keys", translated(results.workload.name), results.device, grouped(results.different)));
  float const upper = top + 0.58f * (size.y - top);
  PlotOptions options;
  options.low = {0.0f, top};
  options.size = {size.x, upper - top};
  draw_plot(look, drawing, Plot::tradeoff, results, choice, options);
  options.low = {0.0f, upper};
  options.size = {0.55f * size.x, size.y - upper};
  draw_plot(look, drawing, Plot::load, results, choice, options);
  options.low = {0.55f * size.x, upper};
  options.size = {0.45f * size.x, size.y - upper};
  draw_plot(look, drawing, Plot::latency, results, choice, options);
}

}  // namespace slotscape::tuning
