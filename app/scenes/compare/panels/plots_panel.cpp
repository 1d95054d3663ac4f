#include "app/base/text.hpp"
#include "app/scenes/compare/gui.hpp"
#include "app/table_scene/gui.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {
namespace {

/// One quantity, for all tables.
struct Histogram {
  char const* id;
  std::string title;
  char const* counted;
  Distribution Statistics::*distribution;
  std::size_t first;  ///< bin at the plot's left end; from bin 1 on, the axis is logarithmic
};

Distribution const& of(ComparedTable const& table, Histogram const& histogram)
{
  return table.slots.statistics.*histogram.distribution;
}

bool measured(CompareState const& state, Histogram const& histogram)
{
  return std::ranges::any_of(state.tables, [&](auto const& table) { return of(table, histogram).count > 0; });
}

ChartAxis x_axis(CompareState const& state, Histogram const& histogram)
{
  std::uint64_t most = 0;
  for (ComparedTable const& table : state.tables) { most = std::max(most, of(table, histogram).max); }
  auto const longest = static_cast<double>(most);
  if (histogram.first == 0) { return {histogram.title, {-0.5, std::max(longest * 1.04, 10.0)}, 0.5}; }
  return {histogram.title, {1.0, std::max((longest + 1.0) * 1.1, 10.0), true}, 0.5};
}

/// The share that a single key or lookup of a table amounts to, in per cent.
double share_of_one(Distribution const& distribution)
{
  return distribution.count == 0 ? 0.0 : 100.0 / static_cast<double>(distribution.count);
}

ChartAxis y_axis(CompareState const& state, Histogram const& histogram)
{
  double most = 0.0;
  double least = 100.0;
  for (ComparedTable const& table : state.tables) {
    Distribution const& seen = of(table, histogram);
    if (seen.count == 0) { continue; }
    least = std::min(least, share_of_one(seen));
    most = std::max(most, highest_bar(bars_of(seen)) * share_of_one(seen));
  }
  return share_axis(tr("% of the table's {}", translated(histogram.counted)), least, most);
}

/// The width of a table's lines: the first is below the others and widest, so that identical lines are all visible.
float thickness(std::size_t table, std::size_t tables)
{
  return 1.3f + 1.3f * static_cast<float>(tables - 1 - table);
}

/// The name of a table in legends.
std::string name_of(std::size_t table)
{
  return fmt::format("{}", table + 1);
}

std::string read_bins(ChartCursor const& cursor, CompareState const& state, Histogram const& histogram)
{
  std::string text = cursor.bins_text();
  for (std::size_t i = 0; i < state.tables.size(); ++i) {
    Distribution const& seen = of(state.tables[i], histogram);
    std::uint64_t const sum = cursor.sum(bars_of(seen));
    text += "\n" + tr("{}: {:.3g} % ({} of {} {})", name_of(i), static_cast<double>(sum) * share_of_one(seen),
                      grouped(sum), grouped(seen.count), translated(histogram.counted));
  }
  return text;
}

Chart histogram_chart(CompareState const& state, Histogram const& histogram)
{
  Chart chart{.id = histogram.id,
              .title = fmt::format("{}, {}", translated(histogram.title), tr("% of {}", translated(histogram.counted))),
              .x = x_axis(state, histogram),
              .y = y_axis(state, histogram)};
  std::size_t const tables = state.tables.size();
  for (std::size_t i = 0; i < tables; ++i) {
    Distribution const& distribution = of(state.tables[i], histogram);
    if (distribution.count == 0) { continue; }
    Bars bars = bars_of(distribution, histogram.first);
    bars.outline = thickness(i, tables);
    bars.each = share_of_one(distribution);
    Vertical const mean{distribution.mean, static_cast<int>(i), static_cast<int>(tables)};
    chart.series.push_back({name_of(i), table_color(i), bars});
    chart.series.push_back({name_of(i), table_color(i), mean});
  }
  if (!measured(state, histogram)) { chart.remark = translatable("no keys yet"); }
  chart.reading = [&state, histogram](Chart const&, ChartCursor const& cursor) {
    return read_bins(cursor, state, histogram);
  };
  return chart;
}

void throughput_choice(Look const& look, CompareState& state)
{
  constexpr std::array<std::string_view, 3> labels{"Insert", "Find", "Erase"};
  int chosen = static_cast<int>(state.throughput_of);
  row_label(look, "Speed of");
  if (segmented(look, "throughput_of", labels, chosen, ImGui::GetContentRegionAvail().x)) {
    state.throughput_of = static_cast<RunKind>(chosen);
  }
}

Chart throughput_chart(CompareState const& state)
{
  Chart chart{.id = "throughput", .title = "Speed vs. α, M/s", .x = {"α", {0.0, 1.0}}, .y = {"M/s", {}, 0.1}};
  double most = 0.0;
  for (std::size_t i = 0; i < state.tables.size(); ++i) {
    Line line{.points = {}, .dots = true, .widest_gap = 0.08};
    for (ThroughputCurve::Point const& point : state.tables[i].slots.history.throughput.points(state.throughput_of)) {
      line.points.push_back({point.load_factor, point.mops});
      most = std::max(most, point.mops);
    }
    chart.series.push_back({name_of(i), theme::with_alpha(table_color(i), 0.7f), std::move(line)});
  }
  chart.y.range.high = round_up(most);
  if (most == 0.0) { chart.remark = translatable("fills in as operations run"); }
  chart.reading = [&state](Chart const&, ChartCursor const& cursor) {
    std::string text = fmt::format("α {:.3f}", halves_up(cursor.x));
    for (std::size_t i = 0; i < state.tables.size(); ++i) {
      text += reading_of(name_of(i), state.tables[i].slots.history.throughput.points(state.throughput_of), cursor.x,
                         cursor.reach);
    }
    return text;
  };
  return chart;
}

std::vector<CostsOfTable> costs_of(CompareState const& state)
{
  std::vector<CostsOfTable> costs;
  for (std::size_t i = 0; i < state.tables.size(); ++i) {
    InsertionCosts const& table = state.tables[i].slots.history.costs;
    if (!table.accesses().empty()) { costs.push_back({name_of(i), table_color(i), table}); }
  }
  return costs;
}

/// What `Statistics::probe_length` counts, if it is the same for all families here.
std::string measure_title(CompareState const& state)
{
  auto const measure = [](ComparedTable const& table) {
    return family_info(table.slots.settings.table.family).measure;
  };
  Measure const first = measure(state.tables.front());
  bool const same = std::ranges::all_of(state.tables, [&](ComparedTable const& table) {
    return measure(table).name == first.name && measure(table).unit == first.unit;
  });
  return same ? fmt::format("{}, {}", translated(first.name), translated(first.unit))
              : tr("Probe length, as each family counts it");
}

std::vector<Histogram> histograms(CompareState const& state)
{
  std::vector<Histogram> all{{"hits", translatable("Accesses of a hit"), translatable("keys"),
                              &Statistics::hit_accesses, 1},
                             {"misses", translatable("Accesses of a miss"), translatable("lookups"),
                              &Statistics::miss_accesses, 1},
                             {"probes", measure_title(state), "keys", &Statistics::probe_length, 0}};
  if (!measured(state, all[1])) { all.erase(all.begin() + 1); }
  return all;
}

/// The height of each plot: all plots share the rest of the panel, within limits.
float plot_height(Look const& look, std::size_t plots)
{
  float const title = ImGui::GetFrameHeight() + 2.0f * ImGui::GetStyle().ItemSpacing.y;
  float const room = ImGui::GetWindowHeight() - ImGui::GetCursorPosY() - look(16.0f);
  return std::clamp(room / static_cast<float>(plots) - title, look(84.0f), look(200.0f));
}

}  // namespace

std::vector<Chart> compared_distributions(CompareState const& state)
{
  std::vector<Chart> charts;
  for (Histogram const& histogram : histograms(state)) { charts.push_back(histogram_chart(state, histogram)); }
  return charts;
}

void compared_plots_panel(Look const& look, CompareState& state, Charts& charts)
{
  heading(look, "PLOTS");
  std::vector<Chart> shown = compared_distributions(state);
  if (std::vector<CostsOfTable> const costs = costs_of(state); !costs.empty()) {
    shown.push_back(insertion_costs_chart(costs));
  }
  ImVec2 const size{ImGui::GetContentRegionAvail().x, std::floor(plot_height(look, shown.size() + 1))};
  for (Chart const& chart : shown) { charts.draw(look, chart, size); }
  throughput_choice(look, state);
  charts.draw(look, throughput_chart(state), size);
}

}  // namespace slotscape
