#include "app/base/text.hpp"
#include "app/scenes/compare/gui.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "app/widgets/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace slotscape {
namespace {

/// One quantity of every table.
struct Histogram {
  char const* id;
  std::string title;
  char const* counted;
  Distribution Statistics::*distribution;
  std::size_t first;  ///< bin of the plot's left end; from 1 on the axis is logarithmic
};

Distribution const& of(ComparedTable const& table, Histogram const& histogram)
{
  return table.slots.statistics.*histogram.distribution;
}

bool measured(CompareState const& state, Histogram const& histogram)
{
  return std::ranges::any_of(state.tables, [&](auto const& table) { return of(table, histogram).count > 0; });
}

Axis x_axis(CompareState const& state, Histogram const& histogram)
{
  std::uint64_t most = 0;
  for (ComparedTable const& table : state.tables) { most = std::max(most, of(table, histogram).max); }
  auto const longest = static_cast<double>(most);
  if (histogram.first == 0) { return {-0.5, std::max(longest * 1.04, 10.0), false}; }
  return {1.0, std::max((longest + 1.0) * 1.1, 10.0), true};
}

Axis y_axis(CompareState const& state, Histogram const& histogram)
{
  std::uint32_t most = 1;
  for (ComparedTable const& table : state.tables) {
    for (std::uint32_t const count : of(table, histogram).histogram) { most = std::max(most, count); }
  }
  return {0.7, std::pow(10.0, std::ceil(std::log10(most * 1.2))), true};
}

/// The width of a table's lines: the first is below the others and widest, so that identical lines are all visible.
float thickness(std::size_t table, std::size_t tables)
{
  return 1.3f + 1.3f * static_cast<float>(tables - 1 - table);
}

void read_bins(Plot const& plot, double x, CompareState const& state, Histogram const& histogram)
{
  auto const [from, to] = plot.bins_at(x);
  std::string text = from == to ? grouped(from) : fmt::format("{}–{}", grouped(from), grouped(to));
  for (std::size_t i = 0; i < state.tables.size(); ++i) {
    std::vector<std::uint32_t> const& counts = of(state.tables[i], histogram).histogram;
    auto const begin = counts.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(from, counts.size()));
    auto const end = counts.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(to + 1, counts.size()));
    text +=
        fmt::format("\n{}: {} {}", i + 1, grouped(std::accumulate(begin, end, std::uint64_t{0})), histogram.counted);
  }
  ImGui::SetTooltip("%s", text.c_str());
}

void histogram_plot(Look const& look, CompareState const& state, Histogram const& histogram, ImVec2 size)
{
  ImGui::TextUnformatted(histogram.title.c_str());
  Plot plot(look, histogram.id, size, x_axis(state, histogram), y_axis(state, histogram));
  std::size_t const tables = state.tables.size();
  for (std::size_t i = 0; i < tables; ++i) {
    Distribution const& distribution = of(state.tables[i], histogram);
    if (distribution.count == 0) { continue; }
    plot.steps(distribution.histogram, histogram.first, table_color(i), thickness(i, tables));
    plot.vertical(distribution.mean, table_color(i), "", static_cast<int>(i), static_cast<int>(tables));
  }
  if (!measured(state, histogram)) { return plot.remark("no keys yet"); }
  if (auto const x = plot.hovered()) { read_bins(plot, *x, state, histogram); }
}

void throughput_choice(Look const& look, CompareState& state)
{
  constexpr std::array<std::string_view, 3> labels{"Insert", "Find", "Erase"};
  int chosen = static_cast<int>(state.throughput_of);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Speed vs. α, M/s");
  ImGui::SameLine();
  align_right(ImGui::CalcTextSize("InsertFindErase").x + look(60.0f));
  if (segmented(look, "throughput_of", labels, chosen)) { state.throughput_of = static_cast<RunKind>(chosen); }
}

void throughput_plot(Look const& look, CompareState& state, ImVec2 size)
{
  throughput_choice(look, state);
  std::vector<std::vector<PlotPoint>> curves;
  double most = 0.0;
  for (ComparedTable const& table : state.tables) {
    std::vector<PlotPoint>& curve = curves.emplace_back();
    for (ThroughputCurve::Point const& point : table.slots.throughput.points(state.throughput_of)) {
      curve.push_back({point.load_factor, point.mops});
      most = std::max(most, point.mops);
    }
  }
  Plot plot(look, "throughput", size, {0.0, 1.0, false}, {0.0, round_up(most), false});
  for (std::size_t i = 0; i < curves.size(); ++i) {
    plot.line_with_gaps(curves[i], theme::with_alpha(table_color(i), 0.7f));
    plot.dots(curves[i], table_color(i), look(1.7f));
  }
  if (most == 0.0) { return plot.remark("fills in as operations run"); }
  auto const x = plot.hovered();
  if (!x) { return; }
  std::string text = fmt::format("α {:.3f}", *x);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    auto const nearest =
        std::ranges::min_element(curves[i], {}, [&](PlotPoint const& point) { return std::abs(point.x - *x); });
    if (nearest == curves[i].end() || std::abs(nearest->x - *x) > 0.02) { continue; }
    plot.mark(*nearest, table_color(i));
    text += fmt::format("\n{}: {} M/s", i + 1, short_number(nearest->y));
  }
  ImGui::SetTooltip("%s", text.c_str());
}

/// What `Statistics::probe_length` counts, if that is the same for all families here.
std::string measure_title(CompareState const& state)
{
  auto const measure = [](ComparedTable const& table) {
    return family_info(table.slots.settings.table.family).measure;
  };
  Measure const first = measure(state.tables.front());
  bool const same = std::ranges::all_of(state.tables, [&](ComparedTable const& table) {
    return measure(table).name == first.name && measure(table).unit == first.unit;
  });
  return same ? fmt::format("{}, {}", first.name, first.unit) : "Probe length, as each family counts it";
}

std::vector<Histogram> histograms(CompareState const& state)
{
  std::vector<Histogram> all{{"hits", "Accesses of a hit", "keys", &Statistics::hit_accesses, 1},
                             {"misses", "Accesses of a miss", "lookups", &Statistics::miss_accesses, 1},
                             {"probes", measure_title(state), "keys", &Statistics::probe_length, 0}};
  if (!measured(state, all[1])) { all.erase(all.begin() + 1); }
  return all;
}

/// All plots share the rest of the panel, within reason.
float plot_height(Look const& look, std::size_t plots)
{
  float const title = ImGui::GetFrameHeight() + 2.0f * ImGui::GetStyle().ItemSpacing.y;
  float const room = ImGui::GetWindowHeight() - ImGui::GetCursorPosY() - look(16.0f);
  return std::clamp(room / static_cast<float>(plots) - title, look(84.0f), look(200.0f));
}

}  // namespace

void compared_plots_panel(Look const& look, CompareState& state)
{
  heading(look, "PLOTS");
  std::vector<Histogram> const shown = histograms(state);
  ImVec2 const size{ImGui::GetContentRegionAvail().x, std::floor(plot_height(look, shown.size() + 1))};
  for (Histogram const& histogram : shown) { histogram_plot(look, state, histogram, size); }
  throughput_plot(look, state, size);
}

}  // namespace slotscape
