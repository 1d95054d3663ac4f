#include "app/base/text.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/scenes/spatial/distances.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

using spatial::Model;

/// The distances that the chart shows: up to the 99.5th percentile of either model, on both sides if they are signed.
Axis axis_of(DistanceFacts const& facts)
{
  constexpr double shown = 0.995;
  double end = 0.0;
  double start = 0.0;
  for (Model const model : both_models) {
    std::vector<float> const& values = facts.ascending[model];
    if (values.empty()) { continue; }
    auto const at = [&](double share) {
      return static_cast<double>(values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))]);
    };
    end = std::max(end, at(shown));
    start = std::min(start, at(1.0 - shown));
  }
  if (start == end) { end = start + 1.0; }
  return facts.is_signed ? Axis{std::min(start, -end), std::max(end, -start)} : Axis{0.0, end};
}

/// The outline of a histogram, in per cent of the points.
Line outline_of(std::vector<double> const& shares, Axis const& axis)
{
  Line line;
  double const width = (axis.high - axis.low) / static_cast<double>(shares.size());
  for (std::size_t bin = 0; bin < shares.size(); ++bin) {
    double const left = axis.low + width * static_cast<double>(bin);
    line.points.push_back({left, 100.0 * shares[bin]});
    line.points.push_back({left + width, 100.0 * shares[bin]});
  }
  return line;
}

Chart histogram(SpatialState const& state)
{
  constexpr std::size_t bins = 60;
  DistanceFacts const& facts = *state.distances;
  Axis const axis = axis_of(facts);
  std::string const unit = unit_text(facts.unit);
  Chart chart{.id = "distances",
              .title = tr("Distances, % of points"),
              .x = {unit.empty() ? tr("distance") : tr("distance, {}", unit), axis},
              .y = {"%", {0.0, 1.0}}};
  double most = 0.0;
  for (Model const model : both_models) {
    std::vector<double> const shares = histogram_of(facts.ascending[model], axis.low, axis.high, bins);
    most = std::max(most, 100.0 * *std::ranges::max_element(shares));
    std::string const name = model == Model::a ? tr("A to B") : tr("B to A");
    chart.series.push_back({name, packed(model_colors[static_cast<std::size_t>(model)]), outline_of(shares, axis)});
  }
  chart.y.range.high = round_up(std::max(most, 1.0));
  double const threshold = state.settings.distances.threshold;
  if (threshold > 0.0) {
    chart.series.push_back({tr("threshold"), theme::warning, Vertical{threshold}});
    if (facts.is_signed) { chart.series.push_back({tr("threshold"), theme::warning, Vertical{-threshold}}); }
  }
  chart.reading = read_lines;
  return chart;
}

void threshold_row(Look const& look, DistanceSettings& distances)
{
  Setting<DistanceSettings> const& threshold = setting_named<DistanceSettings>("threshold");
  setting_label(look, threshold.text);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  if (auto const typed = number_field("##threshold", distances.threshold)) {
    distances.threshold = std::clamp(*typed, threshold.range.low, threshold.range.high);
  }
  hint(look, "Points up to this distance count as unchanged: they have the colour of 0. In the units of the file.");
}

}  // namespace

void distances_panel(Look const& look, SpatialState& state)
{
  if (is_one_alone(state)) { return; }
  heading(look, "DISTANCES");
  DistanceSettings& distances = state.settings.distances;
  bool const was_shown = distances.shown;
  setting_row(look, "shown", distances);
  if (distances.shown != was_shown) { show_distances(state.settings, distances.shown); }
  if (!distances.shown) { return; }
  setting_row(look, "signed", distances);
  threshold_row(look, distances);
  if (state.settings.animation.moves()) { remark(look, tr("They are measured again when the models stop moving.")); }
}

void distance_chart(Look const& look, SpatialState const& state, Charts& charts)
{
  if (!state.distances) { return; }
  charts.draw(look, histogram(state), {ImGui::GetContentRegionAvail().x, look(measured_chart_height)});
}

}  // namespace slotscape
