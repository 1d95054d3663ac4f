#include "app/base/text.hpp"
#include "app/table_map/palette.hpp"
#include "app/table_scene/gui.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "gpu/analysis/theory.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace slotscape {
namespace {

/// Indexed by `RunKind`.
constexpr std::array<theme::Role, run_kind_count> kind_colors{insert_flash, find_flash, erase_flash, theme::series[4]};

/// All plots share the rest of the panel, within reason.
float plot_height(Look const& look, int plots)
{
  float const title = ImGui::GetTextLineHeight() + 3.0f * ImGui::GetStyle().ItemSpacing.y;
  float const room = ImGui::GetWindowHeight() - ImGui::GetCursorPosY() - look(16.0f);
  return std::clamp(room / static_cast<float>(plots) - title, look(66.0f), look(190.0f));
}

/// The histogram bins under the cursor, in words.
std::string read_bins(ChartCursor const& cursor, Distribution const& seen, std::string const& what, char const* counted)
{
  return fmt::format("{} {}: {} {}", what, cursor.bins_text(), grouped(cursor.sum(bars_of(seen))), tr(counted));
}

/// The contents of a histogram of whole numbers.
struct Histogram {
  char const* id;
  Measure measure;
  Distribution const& distribution;
  char const* counted;
  char const* while_empty;
  std::function<double(double)> theory;
  std::vector<ChartSeries> landmarks;  ///< vertical lines at certain values
};

Chart histogram_chart(Histogram const& histogram)
{
  Distribution const& seen = histogram.distribution;
  Measure const& measure = histogram.measure;
  std::string const title = fmt::format("{}, {}", measure.name, measure.unit);
  double right = std::max(static_cast<double>(seen.max) * 1.04, 10.0);
  for (ChartSeries const& landmark : histogram.landmarks) {
    right = std::max(right, std::get<Vertical>(landmark.shape).x * 1.04);
  }
  Chart chart{.id = histogram.id,
              .title = title,
              .x = {title, {-0.5, right}, 0.5},
              .y = count_axis(histogram.counted, highest_bar(bars_of(seen)))};
  chart.series.push_back({histogram.counted, theme::accent, bars_of(seen)});
  if (seen.count == 0) { chart.remark = histogram.while_empty; }
  std::ranges::copy(histogram.landmarks, std::back_inserter(chart.series));
  if (histogram.theory && seen.count > 0) {
    chart.series.push_back({translatable("theory"), theme::theory, Curve{histogram.theory}});
  }
  chart.reading = [&seen, histogram](Chart const&, ChartCursor const& cursor) {
    std::string text = read_bins(cursor, seen, in_sentence(translated(histogram.measure.name)), histogram.counted);
    if (histogram.theory) {
      text += "\n" + tr("theory: {} each", short_number(histogram.theory(std::max(std::round(cursor.x), 0.0))));
    }
    return text;
  };
  return chart;
}

Chart measure_chart(TableState const& state, TheoryFit const& fit)
{
  FamilyInfo const& family = family_of(state);
  Distribution const& seen = state.statistics.probe_length;
  std::vector<ChartSeries> landmarks;
  if (seen.count > 0) { landmarks.push_back({translatable("mean"), theme::text, Vertical{seen.mean}}); }
  auto const curve = keys_by_measure(family, fit, state.statistics, seen.max);
  if (fit.measure_mean && !curve) {
    landmarks.push_back({translatable("theory mean"), theme::theory, Vertical{*fit.measure_mean}});
  }
  if (fit.largest_measure) {
    landmarks.push_back({translatable("expected max"), theme::theory, Vertical{*fit.largest_measure}});
  }
  if (fit.measure_bound) { landmarks.push_back({translatable("bound"), theme::warning, Vertical{*fit.measure_bound}}); }
  return histogram_chart(
      {"probes", family.measure, seen, translatable("keys"), translatable("no keys yet"), curve, landmarks});
}

Chart groups_chart(TableState const& state, TheoryFit const& fit)
{
  FamilyInfo const& family = family_of(state);
  Distribution const& seen = state.statistics.groups;
  auto const curve = buckets_by_size(family, fit, state.statistics);
  std::vector<ChartSeries> landmarks;
  if (fit.fullest_group) {
    landmarks.push_back({translatable("expected max"), theme::theory, Vertical{*fit.fullest_group}});
  }
  return histogram_chart(
      {"groups", family.groups, seen, translatable("groups"), translatable("none yet"), curve, landmarks});
}

Chart moves_chart(TableState const& state)
{
  Distribution const& seen = state.statistics.moves;
  return histogram_chart(
      {"moves", family_of(state).moves, seen, translatable("insertions"), translatable("none yet"), {}, {}});
}

Chart cluster_chart(TableState const& state, TheoryFit const& fit)
{
  Statistics const& statistics = state.statistics;
  Distribution const& clusters = statistics.clusters;
  double const right =
      std::pow(10.0, std::ceil(std::log10(std::max<double>(static_cast<double>(clusters.max) + 1.0, 10.0))));
  Chart chart{.id = "clusters",
              .title = "Cluster length, slots",
              .x = {translatable("cluster length, slots"), {1.0, right, true}, 0.5},
              .y = count_axis(translatable("clusters"), highest_bar(bars_of(clusters, 1)))};
  chart.series.push_back({translatable("measured"), theme::accent, bars_of(clusters, 1)});
  if (clusters.count == 0) { chart.remark = translatable("no clusters yet"); }
  if (clusters.max == statistics.slots) { chart.remark = translatable("one cluster: the whole table"); }
  auto const expected = [slots = static_cast<double>(statistics.slots), taken = taken_slots(statistics)](
                            double length) { return theory::expected_clusters(slots, taken, length); };
  bool const applies = fit.clusters && chart.remark.empty();
  if (applies) { chart.series.push_back({translatable("theory"), theme::theory, Curve{expected}}); }
  if (applies && fit.longest_cluster) {
    chart.series.push_back({translatable("expected max"), theme::theory, Vertical{*fit.longest_cluster}});
  }
  chart.reading = [&clusters, expected, applies](Chart const&, ChartCursor const& cursor) {
    std::string text = read_bins(cursor, clusters, tr("length"), "clusters");
    if (applies) { text += "\n" + tr("theory: {} of each length", short_number(expected(std::floor(cursor.x)))); }
    return text;
  };
  return chart;
}

Chart throughput_chart(TableState const& state, TheoryFit const& fit)
{
  Chart chart{.id = "throughput",
              .title = "Speed vs. α, M/s",
              .x = {"α", {0.0, guarantees_of(state).max_load}},
              .y = {"M/s", {}, 0.1}};
  double most = 0.0;
  for (int kind = 0; kind < run_kind_count; ++kind) {
    auto const number = static_cast<std::size_t>(kind);
    Line line{.points = {}, .dots = true, .widest_gap = 0.08};
    for (ThroughputCurve::Point const& point : state.history.throughput.points(static_cast<RunKind>(kind))) {
      line.points.push_back({point.load_factor, point.mops});
      most = std::max(most, point.mops);
    }
    chart.series.push_back(
        {std::string(run_kind_names[number]), theme::with_alpha(kind_colors[number], 0.8f), std::move(line)});
  }
  chart.y.range.high = round_up(most);
  if (most == 0.0) { chart.remark = translatable("fills in as operations run"); }
  chart.reading = [&state](Chart const&, ChartCursor const& cursor) {
    std::string text = fmt::format("α {:.3f}", halves_up(cursor.x));
    for (int kind = 0; kind < run_kind_count; ++kind) {
      auto const number = static_cast<std::size_t>(kind);
      text += reading_of(translated(run_kind_names[number]),
                         state.history.throughput.points(static_cast<RunKind>(kind)), cursor.x, cursor.reach);
    }
    return text;
  };
  if (fit.load_threshold) {
    chart.series.push_back({translatable("threshold"), theme::theory, Vertical{*fit.load_threshold}});
  }
  return chart;
}

Chart history_chart(TableState const& state)
{
  std::vector<LoadHistory::Sample> const& samples = state.history.loads.samples();
  double const start = samples.empty() ? 0.0 : samples.front().time;
  double const end = samples.empty() ? 10.0 : std::max(samples.back().time, start + 10.0);
  Line loads;
  Line effective;
  for (LoadHistory::Sample const& sample : samples) {
    loads.points.push_back({sample.time - start, sample.load_factor});
    effective.points.push_back({sample.time - start, sample.effective_load});
  }
  Chart chart{.id = "history",
              .title = "Load over time, s",
              .x = {translatable("seconds"), {0.0, end - start}},
              .y = {translatable("load factor"), {0.0, guarantees_of(state).max_load}}};
  chart.series.push_back({translatable("effective load"), effective_load_color, std::move(effective)});
  chart.series.push_back({"α", live_color, std::move(loads)});
  chart.reading = [&samples, start](Chart const&, ChartCursor const& cursor) {
    if (samples.empty()) { return std::string(tr("nothing yet")); }
    auto const nearest = std::ranges::min_element(samples, {}, [&](auto const& sample) {
      return std::abs(sample.time - start - cursor.x);
    });
    return tr("after {:.1f} s\nα {:.4f}\neffective load {:.4f}", nearest->time - start, halves_up(nearest->load_factor),
              halves_up(nearest->effective_load));
  };
  return chart;
}

Line means_of(std::vector<std::uint32_t> const& accesses)
{
  Line line;
  double sum = 0.0;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    sum += accesses[i];
    line.points.push_back({static_cast<double>(i + 1), sum / static_cast<double>(i + 1)});
  }
  return line;
}

std::string read_costs(CostsOfTable const& table, ChartCursor const& cursor)
{
  std::vector<std::uint32_t> const& accesses = table.costs.accesses();
  double const place = std::clamp(std::round(cursor.x), 1.0, static_cast<double>(accesses.size()));
  auto const number = static_cast<std::size_t>(place);
  double const mean = means_of(accesses).points[number - 1].y;
  return tr("{}: insertion {} takes {} accesses; mean so far {:.1f}", table.name, number, accesses[number - 1], mean);
}

}  // namespace

Chart insertion_costs_chart(std::vector<CostsOfTable> const& tables)
{
  Chart chart{.id = "costs",
              .title = "Accesses per insertion",
              .x = {translatable("insertions into an empty table"), {0.0, static_cast<double>(InsertionCosts::most)}},
              .y = {translatable("accesses"), {}, 0.5}};
  std::uint32_t most = 10;
  for (CostsOfTable const& table : tables) {
    Line each;
    for (std::uint32_t const accesses : table.costs.accesses()) {
      most = std::max(most, accesses);
      each.points.push_back({static_cast<double>(each.points.size() + 1), static_cast<double>(accesses)});
    }
    chart.series.push_back({table.name, theme::with_alpha(table.color, 0.9f), std::move(each)});
    chart.series.push_back({table.name, theme::with_alpha(table.color, 0.5f), means_of(table.costs.accesses())});
  }
  chart.y.range.high = round_up(most);
  chart.reading = [tables](Chart const&, ChartCursor const& cursor) {
    std::string text;
    for (CostsOfTable const& table : tables) { text += (text.empty() ? "" : "\n") + read_costs(table, cursor); }
    return text;
  };
  return chart;
}

void plots_panel(Look const& look, TableState const& state, Charts& charts, std::vector<Chart> more)
{
  heading(look, "PLOTS");
  TheoryFit const fit = theory_fit(state);
  std::vector<Chart> shown;
  if (!family_of(state).measure.name.empty()) { shown.push_back(measure_chart(state, fit)); }
  if (family_of(state).clusters) { shown.push_back(cluster_chart(state, fit)); }
  if (state.statistics.groups.count > 0) { shown.push_back(groups_chart(state, fit)); }
  if (state.statistics.moves.count > 0) { shown.push_back(moves_chart(state)); }
  if (!state.history.costs.accesses().empty()) {
    shown.push_back(insertion_costs_chart({{tr("each"), theme::accent, state.history.costs}}));
  }
  if (state.foreign == nullptr) {
    shown.push_back(throughput_chart(state, fit));
    shown.push_back(history_chart(state));
  }
  std::ranges::move(more, std::back_inserter(shown));
  ImVec2 const size{ImGui::GetContentRegionAvail().x, std::floor(plot_height(look, static_cast<int>(shown.size())))};
  for (Chart const& chart : shown) { charts.draw(look, chart, size); }
}

}  // namespace slotscape
