#include "app/base/text.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace slotscape {
namespace {

using spatial::Stage;

static_assert(theme::series.size() == spatial::stage_count);
constexpr std::array<char const*, spatial::stage_count> stage_help{
    translatable("Moves every point to its model's pose and rounds it to a voxel."),
    translatable(
        "Builds both tables from the points' keys: each voxel once, with a dense index, its mean normal and number of "
        "points."),
    translatable("Looks up each voxel of one model in the other's table, and its six neighbours in its own."),
    translatable(
        "Seeds voxels next to the intersection by their normals, then flood-fills over the neighbours until nothing "
        "changes; seeds that contradict each other are cleared."),
    translatable("Counts and marks the voxels in the result of the Boolean.")};

constexpr float min_plot_height = 92.0f;
constexpr float max_plot_height = 260.0f;

std::size_t number_of(Stage stage)
{
  return static_cast<std::size_t>(stage);
}

/// A model that is shown alone is not compared with the other one.
std::vector<EnumName<Stage>> listed_stages(SpatialState const& state)
{
  bool const is_alone = is_one_alone(state);
  std::vector<EnumName<Stage>> listed;
  for (EnumName<Stage> const& stage : enum_names<Stage>()) {
    bool const compares_models = stage.value == Stage::intersect || stage.value == Stage::classify;
    if (!is_alone || !compares_models) { listed.push_back(stage); }
  }
  return listed;
}

double total_of_listed(SpatialState const& state, StageTimes::Seconds const& seconds)
{
  double total = 0.0;
  for (EnumName<Stage> const& stage : listed_stages(state)) { total += seconds[number_of(stage.value)]; }
  return total;
}

/// Whether the stage finds changes by neighbour lookups instead of a flood fill.
bool compares(SpatialState const& state, Stage stage)
{
  return stage == Stage::classify && state.settings.hashing.changes.shown;
}

std::string label_of(SpatialState const& state, EnumName<Stage> const& stage)
{
  return std::string(compares(state, stage.value) ? translatable("compare") : stage.label);
}

char const* help_of(SpatialState const& state, Stage stage)
{
  return compares(state, stage)
             ? translatable("Finds voxels that only one survey has, from its points and the neighbours of its voxels.")
             : stage_help[number_of(stage)];
}

void stage_row(Look const& look, SpatialState const& state, EnumName<Stage> const& stage, double latest, double median)
{
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImVec2 const at = ImGui::GetCursorScreenPos();
  float const side = look(9.0f);
  float const top = at.y + (ImGui::GetTextLineHeight() - side) / 2.0f;
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side},
                                            theme::series[number_of(stage.value)], look(2.0f));
  ImGui::Dummy({side, side});
  ImGui::SameLine();
  ImGui::TextUnformatted(translated(label_of(state, stage)).c_str());
  hint(look, help_of(state, stage.value));
  ImGui::TableNextColumn();
  text_right(theme::text, milliseconds(latest));
  ImGui::TableNextColumn();
  text_right(theme::text_dim, milliseconds(median));
}

void stage_table(Look const& look, SpatialState const& state)
{
  StageTimes::Seconds const latest = state.snapshot.stage_seconds;
  StageTimes::Seconds const medians = state.stages.medians();
  if (!ImGui::BeginTable("stages", 3, ImGuiTableFlags_SizingStretchProp)) { return; }
  ImGui::TableSetupColumn("stage", ImGuiTableColumnFlags_WidthStretch, 1.5f);
  ImGui::TableSetupColumn("latest", ImGuiTableColumnFlags_WidthStretch, 1.0f);
  ImGui::TableSetupColumn("median", ImGuiTableColumnFlags_WidthStretch, 1.0f);
  ImGui::TableNextRow();
  ImGui::PushFont(look.font, look.small);
  char const* const clock = tr("timed by CUDA events on a GPU, by the clock on a CPU.");
  for (auto const& [label, what] :
       {std::pair{"", std::string()}, std::pair{tr("latest"), tr("The latest update alone, {}", clock)},
        std::pair{tr("median"), tr("The latest {} updates, {} The plot below shows their distribution.",
                                   state.stages.frames().size(), clock)}}) {
    ImGui::TableNextColumn();
    text_right(theme::text_dim, label);
    if (!what.empty()) { hint(look, what); }
  }
  ImGui::PopFont();
  for (EnumName<Stage> const& stage : listed_stages(state)) {
    stage_row(look, state, stage, latest[number_of(stage.value)], medians[number_of(stage.value)]);
  }
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(tr("all stages"));
  ImGui::TableNextColumn();
  text_right(theme::accent, milliseconds(total_of_listed(state, latest)));
  ImGui::TableNextColumn();
  text_right(theme::text_dim, milliseconds(total_of_listed(state, medians)));
  ImGui::EndTable();
}

std::string in_words(SpatialState const& state, StageTimes::Seconds const& frame, std::size_t age)
{
  std::string text =
      age == 0 ? std::string(tr("the latest update")) : tr_plural("{} update ago", "{} updates ago", age, age);
  for (EnumName<Stage> const& stage : listed_stages(state)) {
    text += fmt::format("\n{}: {}", translated(label_of(state, stage)), milliseconds(frame[number_of(stage.value)]));
  }
  return text + "\n" + tr("all: {}", milliseconds(total_of_listed(state, frame)));
}

/// The stages of the latest updates, stacked, from left to right with the newest at the right edge.
Chart strip_chart(SpatialState const& state)
{
  std::vector<StageTimes::Seconds> const& frames = state.stages.frames();
  std::vector<EnumName<Stage>> const listed = listed_stages(state);
  std::array<Band, spatial::stage_count> bands;
  double most = 0.0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    double sum = 0.0;
    for (EnumName<Stage> const& each : listed) {
      std::size_t const stage = number_of(each.value);
      bands[stage].ends.push_back(static_cast<double>(i + 1) - static_cast<double>(frames.size()));
      bands[stage].low.push_back(sum);
      sum += frames[i][stage] * 1e3;
      bands[stage].high.push_back(sum);
    }
    most = std::max(most, sum);
  }
  auto const kept = static_cast<double>(StageTimes::frames_kept);
  Chart chart{.id = "strip",
              .title = tr("The latest {} updates, ms", StageTimes::frames_kept),
              .x = {translatable("update"), {-kept, 0.0}},
              .y = {"ms", {0.0, round_up(std::max(most, 1e-3))}}};
  for (EnumName<Stage> const& stage : listed) {
    std::size_t const i = number_of(stage.value);
    chart.series.push_back({label_of(state, stage), theme::series[i], std::move(bands[i])});
  }
  if (frames.empty()) { chart.remark = translatable("fills in as the models move"); }
  chart.reading = [&state, &frames](Chart const&, ChartCursor const& cursor) {
    auto const age = static_cast<std::size_t>(std::max(0.0, std::floor(-cursor.x)));
    return age < frames.size() ? in_words(state, frames[frames.size() - 1 - age], age)
                               : std::string(tr("no update yet"));
  };
  return chart;
}

}  // namespace

void stages_panel(Look const& look, SpatialState const& state, Charts& charts)
{
  heading(look, "STAGES OF AN UPDATE");
  stage_table(look, state);
  float const room = ImGui::GetContentRegionAvail().y - look(36.0f);
  charts.draw(look, strip_chart(state),
              {ImGui::GetContentRegionAvail().x,
               std::floor(std::clamp(room, look(min_plot_height), look(max_plot_height)))});
}

}  // namespace slotscape
