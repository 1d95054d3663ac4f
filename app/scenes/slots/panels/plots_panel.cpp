#include "app/base/text.hpp"
#include "app/scenes/slots/panels/panels.hpp"
#include "app/table_map/palette.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "app/widgets/plot.hpp"
#include "gpu/analysis/theory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace slotscape {
namespace {

constexpr ImU32 live_line = IM_COL32(0xa9, 0xd9, 0xee, 0xff);
constexpr ImU32 tombstone_line = IM_COL32(0xd8, 0x78, 0x56, 0xff);
constexpr std::array<ImU32, run_kind_count> kind_colors{IM_COL32(0xff, 0xd8, 0x4d, 0xff),
                                                        IM_COL32(0x5f, 0xb3, 0xf0, 0xff),
                                                        IM_COL32(0xff, 0x6d, 0x95, 0xff),
                                                        IM_COL32(0xa8, 0xb2, 0xbf, 0xff)};

struct SeriesName {
  char const* label;
  ImU32 color;
};

/// A plot's title, with the names of its series in their colours at the right. The part after its comma is dropped if
/// these leave no room.
void title(Look const& look, std::string const& text, std::span<SeriesName const> keys)
{
  ImGui::PushFont(look.small);
  float width = 0.0f;
  for (SeriesName const& key : keys) { width += ImGui::CalcTextSize(key.label).x + look(10.0f); }
  ImGui::PopFont();
  bool const fits = ImGui::CalcTextSize(text.c_str()).x + width + look(12.0f) < ImGui::GetContentRegionAvail().x;
  ImGui::TextUnformatted(fits ? text.c_str() : text.substr(0, text.find(',')).c_str());
  ImGui::PushFont(look.small);
  ImGui::SameLine();
  align_right(width);
  for (SeriesName const& key : keys) {
    ImGui::PushStyleColor(ImGuiCol_Text, key.color);
    ImGui::TextUnformatted(key.label);
    ImGui::PopStyleColor();
    ImGui::SameLine(0.0f, look(10.0f));
  }
  ImGui::NewLine();
  ImGui::PopFont();
}

/// All plots share the rest of the panel, within reason.
float plot_height(Look const& look, int plots)
{
  float const title = ImGui::GetTextLineHeight() + 3.0f * ImGui::GetStyle().ItemSpacing.y;
  float const room = ImGui::GetWindowHeight() - ImGui::GetCursorPosY() - look(16.0f);
  return std::clamp(room / static_cast<float>(plots) - title, look(66.0f), look(190.0f));
}

double highest(std::vector<std::uint32_t> const& histogram, std::size_t first)
{
  std::uint32_t most = 1;
  for (std::size_t i = first; i < histogram.size(); ++i) { most = std::max(most, histogram[i]); }
  return static_cast<double>(most);
}

/// The bins of a histogram that the pixel under the cursor covers, in words.
std::string read_histogram(Plot const& plot, double x, std::vector<std::uint32_t> const& histogram, char const* what,
                           char const* counted)
{
  auto const [from, to] = plot.bins_at(x);
  std::uint64_t sum = 0;
  for (std::uint64_t i = from; i <= to && i < histogram.size(); ++i) { sum += histogram[i]; }
  std::string const range = from == to ? grouped(from) : fmt::format("{}–{}", grouped(from), grouped(to));
  return fmt::format("{} {}: {} {}", what, range, grouped(sum), counted);
}

/// A line across a histogram: a mean, or a bound.
struct Landmark {
  double x;
  ImU32 color;
  char const* name;
};

/// What a histogram of whole numbers shows.
struct Histogram {
  char const* id;
  Measure measure;
  Distribution const& distribution;
  char const* counted;
  char const* while_empty;
  std::function<double(double)> theory;
  std::vector<Landmark> landmarks;
};

std::vector<SeriesName> series_of(Histogram const& histogram)
{
  std::vector<SeriesName> series;
  for (Landmark const& landmark : histogram.landmarks) { series.push_back({landmark.name, landmark.color}); }
  if (histogram.theory) { series.push_back({"theory", theme::theory}); }
  return series;
}

void histogram_plot(Look const& look, Histogram const& histogram, ImVec2 size)
{
  Distribution const& seen = histogram.distribution;
  Measure const& measure = histogram.measure;
  title(look, fmt::format("{}, {}", measure.name, measure.unit), series_of(histogram));
  double right = std::max(static_cast<double>(seen.max) * 1.04, 10.0);
  for (Landmark const& landmark : histogram.landmarks) { right = std::max(right, landmark.x * 1.04); }
  double const top = std::pow(10.0, std::ceil(std::log10(highest(seen.histogram, 0) * 1.2)));
  Plot plot(look, histogram.id, size, {-0.5, right, false}, {0.7, top, true});
  plot.bars(seen.histogram, 0, theme::accent);
  if (seen.count == 0) { return plot.remark(histogram.while_empty); }
  for (Landmark const& landmark : histogram.landmarks) { plot.vertical(landmark.x, landmark.color); }
  if (histogram.theory) { plot.curve(histogram.theory, theme::theory); }
  auto const x = plot.hovered();
  if (!x) { return; }
  std::string const name = uncapitalised(measure.name);
  std::string text = read_histogram(plot, *x, seen.histogram, name.c_str(), histogram.counted);
  if (histogram.theory) {
    text += fmt::format("\ntheory: {} each", short_number(histogram.theory(std::max(std::round(*x), 0.0))));
  }
  ImGui::SetTooltip("%s", text.c_str());
}

void measure_plot(Look const& look, TableState const& state, TheoryFit const& fit, ImVec2 size)
{
  FamilyInfo const& family = family_of(state);
  Distribution const& seen = state.statistics.probe_length;
  std::vector<Landmark> landmarks;
  if (seen.count > 0) { landmarks.push_back({seen.mean, theme::text, "mean"}); }
  auto const curve = keys_by_measure(family, fit, state.statistics, seen.max);
  if (fit.measure_mean && !curve) { landmarks.push_back({*fit.measure_mean, theme::theory, "theory mean"}); }
  if (fit.measure_bound) { landmarks.push_back({*fit.measure_bound, theme::warning, "bound"}); }
  histogram_plot(look, {"probes", family.measure, seen, "keys", "no keys yet", curve, landmarks}, size);
}

void groups_plot(Look const& look, TableState const& state, TheoryFit const& fit, ImVec2 size)
{
  FamilyInfo const& family = family_of(state);
  Distribution const& seen = state.statistics.groups;
  auto const curve = buckets_by_size(family, fit, state.statistics);
  histogram_plot(look, {"groups", family.groups, seen, "groups", "none yet", curve, {}}, size);
}

void moves_plot(Look const& look, TableState const& state, ImVec2 size)
{
  Distribution const& seen = state.statistics.moves;
  histogram_plot(look, {"moves", family_of(state).moves, seen, "insertions", "none yet", {}, {}}, size);
}

void cluster_plot(Look const& look, TableState const& state, TheoryFit const& fit, ImVec2 size)
{
  Statistics const& statistics = state.statistics;
  Distribution const& clusters = statistics.clusters;
  double const load = statistics.effective_load();
  bool const applies = fit.clusters;
  std::array<SeriesName, 2> const series{
      {{"measured", theme::accent}, {"Borel(α)", applies ? theme::theory : theme::text_faint}}};
  title(look, "Cluster length, slots", series);
  double const right =
      std::pow(10.0, std::ceil(std::log10(std::max<double>(static_cast<double>(clusters.max) + 1.0, 10.0))));
  double const top = std::pow(10.0, std::ceil(std::log10(highest(clusters.histogram, 1) * 1.2)));
  Plot plot(look, "clusters", size, {1.0, right, true}, {0.7, top, true});
  plot.bars(clusters.histogram, 1, theme::accent);
  if (clusters.count == 0) { return plot.remark("no clusters yet"); }
  if (clusters.max == statistics.slots) { return plot.remark("one cluster: the whole table"); }
  auto const slots = static_cast<double>(statistics.slots);
  auto const expected = [&](double length) { return theory::expected_clusters(slots, load, length); };
  if (applies) { plot.curve(expected, theme::theory); }
  if (auto const x = plot.hovered()) {
    std::string text = read_histogram(plot, *x, clusters.histogram, "length", "clusters");
    if (applies) {
      text += fmt::format("\nBorel({:.3f}): {} of each length", load, short_number(expected(std::floor(*x))));
    }
    ImGui::SetTooltip("%s", text.c_str());
  }
}

void throughput_plot(Look const& look, TableState const& state, TheoryFit const& fit, ImVec2 size)
{
  constexpr std::array<SeriesName, 4> names{
      {{"insert", kind_colors[0]}, {"find", kind_colors[1]}, {"erase", kind_colors[2]}, {"mix", kind_colors[3]}}};
  title(look, "Speed vs. α, M/s", names);
  std::array<std::vector<PlotPoint>, run_kind_count> series;
  double most = 0.0;
  for (int kind = 0; kind < run_kind_count; ++kind) {
    for (ThroughputCurve::Point const& point : state.throughput.points(static_cast<RunKind>(kind))) {
      series[static_cast<std::size_t>(kind)].push_back({point.load_factor, point.mops});
      most = std::max(most, point.mops);
    }
  }
  Plot plot(look, "throughput", size, {0.0, 1.0, false}, {0.0, round_up(most), false});
  for (std::size_t kind = 0; kind < series.size(); ++kind) {
    plot.line_with_gaps(series[kind], theme::with_alpha(kind_colors[kind], 0.6f));
    plot.dots(series[kind], kind_colors[kind], look(1.6f));
  }
  if (fit.load_threshold) { plot.vertical(*fit.load_threshold, theme::theory, "threshold"); }
  if (most == 0.0) { return plot.remark("fills in as operations run"); }
  auto const x = plot.hovered();
  if (!x) { return; }
  std::string text = fmt::format("α {:.3f}", *x);
  for (std::size_t kind = 0; kind < series.size(); ++kind) {
    auto const nearest =
        std::ranges::min_element(series[kind], {}, [&](PlotPoint const& point) { return std::abs(point.x - *x); });
    if (nearest == series[kind].end() || std::abs(nearest->x - *x) > 0.02) { continue; }
    plot.mark(*nearest, kind_colors[kind]);
    text += fmt::format("\n{}: {} M/s", run_kind_names[kind], short_number(nearest->y));
  }
  ImGui::SetTooltip("%s", text.c_str());
}

void history_plot(Look const& look, TableState const& state, ImVec2 size)
{
  constexpr std::array<SeriesName, 2> names{{{"α", live_line}, {"effective load", tombstone_line}}};
  title(look, "Load over time, s", names);
  std::vector<LoadHistory::Sample> const& samples = state.loads.samples();
  double const start = samples.empty() ? 0.0 : samples.front().time;
  double const end = samples.empty() ? 10.0 : std::max(samples.back().time, start + 10.0);
  Plot plot(look, "history", size, {0.0, end - start, false}, {0.0, 1.0, false});
  std::vector<PlotPoint> loads;
  std::vector<PlotPoint> effective;
  for (LoadHistory::Sample const& sample : samples) {
    loads.push_back({sample.time - start, sample.load_factor});
    effective.push_back({sample.time - start, sample.effective_load});
  }
  plot.line(effective, tombstone_line);
  plot.line(loads, live_line);
  auto const x = plot.hovered();
  if (!x || samples.empty()) { return; }
  auto const nearest =
      std::ranges::min_element(samples, {}, [&](auto const& sample) { return std::abs(sample.time - start - *x); });
  plot.mark({nearest->time - start, nearest->effective_load}, tombstone_line);
  plot.mark({nearest->time - start, nearest->load_factor}, live_line);
  ImGui::SetTooltip("%s", fmt::format("after {:.1f} s\nα {:.4f}\neffective load {:.4f}", nearest->time - start,
                                      nearest->load_factor, nearest->effective_load)
                              .c_str());
}

}  // namespace

void plots_panel(Look const& look, TableState& state)
{
  heading(look, "PLOTS");
  TheoryFit const fit = theory_fit(state);
  bool const clusters = family_of(state).clusters;
  bool const groups = state.statistics.groups.count > 0;
  bool const moves = state.statistics.moves.count > 0;
  int const plots = 3 + static_cast<int>(clusters) + static_cast<int>(groups) + static_cast<int>(moves);
  ImVec2 const size{ImGui::GetContentRegionAvail().x, std::floor(plot_height(look, plots))};
  measure_plot(look, state, fit, size);
  if (clusters) { cluster_plot(look, state, fit, size); }
  if (groups) { groups_plot(look, state, fit, size); }
  if (moves) { moves_plot(look, state, size); }
  throughput_plot(look, state, fit, size);
  history_plot(look, state, size);
}

}  // namespace slotscape
