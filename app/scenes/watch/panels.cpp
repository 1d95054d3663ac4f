#include "app/base/text.hpp"
#include "app/scenes/watch/advice.hpp"
#include "app/scenes/watch/gui.hpp"
#include "app/table_map/palette.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

std::string share_of_check(watch::Check const& check)
{
  if (check.not_followed == 0) { return tr("{} of {} keys", grouped(check.found), grouped(check.sampled)); }
  return tr("{} of {} keys; {} lookups were given up after {} accesses", grouped(check.found), grouped(check.sampled),
            grouped(check.not_followed), grouped(check.followed));
}

void better_descriptions(Look const& look, WatchState& state)
{
  for (std::size_t i = 0; i < state.check.better.size(); ++i) {
    watch::Check::Better const& better = state.check.better[i];
    std::string const preset = better.description.preset.empty() ? "" : better.description.preset + ": ";
    ImGui::PushID(static_cast<int>(i));
    remark(look, tr("{}{} finds {}.", preset, watch::text_of(better.description), grouped(better.found)));
    if (ImGui::SmallButton(translated_label("Use it").c_str())) { state.ask(UseDescription{better.description}); }
    ImGui::PopID();
  }
}

/// A prominent warning, because lost keys go unnoticed when using the table.
void lost_keys(Look const& look, WatchState& state)
{
  if (state.warnings.empty()) { return; }
  ImGui::PushStyleColor(ImGuiCol_Text, theme::warning);
  for (std::string const& sentence : state.warnings) { ImGui::TextWrapped("%s", sentence.c_str()); }
  ImGui::PopStyleColor();
  watch::LostKeys const& lost = state.lost.keys;
  if (lost.unreachable != 0) {
    if (ImGui::SmallButton(translated_label("Show a lost key").c_str())) {
      state.ask(ShowSlot{lost.first_unreachable});
    }
    hint(look, "Moves the map to it. Type the key (K) to see where its lookup ends.");
  }
  if (lost.unreachable != 0 && lost.twice != 0) { ImGui::SameLine(); }
  if (lost.twice != 0) {
    if (ImGui::SmallButton(translated_label("Show a second copy").c_str())) { state.ask(ShowSlot{lost.first_twice}); }
    hint(look, "Moves the map to it.");
  }
}

void preset_list(Look const& look, WatchState& state)
{
  row_label(look, "Preset");
  std::string const& chosen = state.description.preset;
  // A dump without a description has no original one to return to.
  bool const has_own = state.own_layout ? state.is_live || !state.own_layout->empty() : chosen.empty();
  bool const is_own = !state.own_layout && chosen.empty();
  char const* const shown = is_own ? tr("as described") : chosen.empty() ? tr("as suggested") : chosen.c_str();
  if (!ImGui::BeginCombo("##preset", shown)) { return; }
  if (has_own) {
    if (ImGui::Selectable(tr("as described"), is_own)) { state.ask(UseOwnDescription{}); }
    hint(look, "Your own description, or the program's.");
  }
  for (watch::Preset const& preset : watch::presets()) {
    if (ImGui::Selectable(std::string(preset.name).c_str(), preset.name == chosen)) {
      state.ask(UsePreset{std::string(preset.name)});
    }
    hint(look, translated(preset.what) + ".");
  }
  ImGui::EndCombo();
}

Chart over_time(WatchState const& state, char const* id, char const* title, char const* unit)
{
  auto const& samples = state.history.samples();
  double const start = samples.empty() ? 0.0 : samples.front().time;
  double const end = samples.empty() ? 10.0 : std::max(samples.back().time, start + 10.0);
  Chart chart{.id = id, .title = title, .x = {"seconds", {0.0, end - start}}, .y = {unit, {0.0, 1.0}}};
  if (samples.empty()) { chart.remark = "nothing yet"; }
  return chart;
}

/// Draws the marks as lines across the chart, and their texts under the cursor.
void add_marks(Chart& chart, WatchState const& state)
{
  auto const& samples = state.history.samples();
  chart.reading = read_lines;
  if (samples.empty()) { return; }
  double const start = samples.front().time;
  for (WatchHistory::Mark const& mark : state.history.marks()) {
    if (mark.time >= start) { chart.series.push_back({"marks", theme::text_dim, Vertical{mark.time - start}}); }
  }
  chart.reading = [&state, start](Chart const& shown, ChartCursor const& cursor) {
    std::string text = read_lines(shown, cursor);
    for (WatchHistory::Mark const& mark : state.history.marks()) {
      if (std::abs(mark.time - start - cursor.x) <= cursor.reach) { text += "\n" + mark.text; }
    }
    return text;
  };
}

}  // namespace

void watched_panel(Look const& look, WatchState& state)
{
  heading(look, "TABLE");
  if (state.has_table || !state.name.empty()) {
    ImGui::TextUnformatted(state.name.c_str());
    std::string how = state.manner;
    if (state.is_live && !state.alive) { how += (how.empty() ? "" : ", ") + std::string(tr("ended")); }
    if (!how.empty()) { remark(look, how); }
  }
  if (state.has_table && (state.is_live || state.paused)) {
    if (ImGui::Button(translated_label(state.paused ? translatable("Go on") : translatable("Pause")).c_str())) {
      state.ask(PauseWatch{});
    }
    hint(look, "Shows a copy while the program runs on. (Space)");
    ImGui::SameLine();
  }
  if (text_button("Open a dump…")) { state.ask(OpenDump{}); }
  hint(look, "A .npy or .npz file, or raw bytes, with a description beside it. (O)");
}

void description_panel(Look const& look, WatchState& state)
{
  heading(look, "DESCRIPTION");
  preset_list(look, state);
  if (text_button("Open a description…")) { state.ask(OpenLayout{}); }
  hint(look, "A JSON file that describes the layout of the table: docs/watching-your-table.md lists its fields.");
  if (!state.has_table) { return; }
  remark(look, watch::text_of(state.description));
  watch::Check const& check = state.check;
  if (check.was_checked && check.sampled > 0) {
    remark(look, tr("Found as described: {}.", share_of_check(check)));
    std::string const label = translated_label("Check");
    float const width = ImGui::CalcTextSize(label.c_str(), nullptr, true).x + 2.0f * ImGui::GetStyle().FramePadding.x;
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < width) { ImGui::NewLine(); }
    if (ImGui::SmallButton(label.c_str())) { state.ask(CheckAgain{}); }
    hint(look, "Looks up a sample of the keys by the description. (C)");
  }
  better_descriptions(look, state);
}

void advice_panel(Look const& look, WatchState& state)
{
  heading(look, "DIAGNOSIS");
  ImGui::TextWrapped("%s.", summary_of(state.table.statistics).c_str());
  lost_keys(look, state);
  for (std::size_t i = state.warnings.size(); i < state.advice.size(); ++i) { remark(look, state.advice[i]); }
  if (ImGui::SmallButton(translated_label("Compare").c_str())) { state.ask(SameKeysIn{"compare"}); }
  hint(look, "The same keys in other tables, side by side.");
  ImGui::SameLine();
  if (ImGui::SmallButton(translated_label("Tune").c_str())) { state.ask(SameKeysIn{"tune"}); }
  hint(look, "The table that suits these keys best.");
}

void running_panel(Look const& look, WatchState& state)
{
  heading(look, "RUNNING TABLES");
  if (state.running.empty()) {
    remark(look,
           "No running program shows its table. One line of code does it: docs/watching-your-table.md, or watch() in "
           "Python.");
    return;
  }
  for (std::size_t i = 0; i < state.running.size(); ++i) {
    Announcement const& each = state.running[i];
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(each.name.c_str(),
                          state.is_live && each.pid == state.pid && each.name == state.settings.running)) {
      state.ask(WatchRunning{each});
    }
    ImGui::PopID();
    remark(look, each.on_device ? tr("{}, {} on a GPU", each.program, bytes_text(each.bytes))
                                : fmt::format("{}, {}", each.program, bytes_text(each.bytes)));
  }
}

void draw_nothing_to_see(Look const& look, WatchState& state, Rectangle const& canvas)
{
  constexpr float width = 460.0f;
  ImGui::SetNextWindowPos({static_cast<float>(canvas.x) + static_cast<float>(canvas.width) / 2.0f,
                           static_cast<float>(canvas.y) + static_cast<float>(canvas.height) / 3.0f},
                          ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({look(width), 0.0f});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::Begin("##nothing_to_see", nullptr, strip_flags);
  ImGui::PopStyleColor();
  if (state.problem.empty()) {
    ImGui::TextWrapped("%s", tr("Look at a table of your own, in a running program or from a file."));
  } else {
    ImGui::TextWrapped("%s", state.problem.c_str());
  }
  if (primary_button("Open a dump…", {0.0f, 0.0f})) { state.ask(OpenDump{}); }
  ImGui::SameLine();
  if (text_button("Open a description…")) { state.ask(OpenLayout{}); }
  for (Announcement const& each : state.running) {
    if (ImGui::Button(fmt::format("{}  ·  {}", each.name, each.program).c_str())) { state.ask(WatchRunning{each}); }
  }
  ImGui::End();
}

std::vector<Chart> history_charts(WatchState const& state)
{
  if (!state.is_live) { return {}; }
  auto const& samples = state.history.samples();
  double const start = samples.empty() ? 0.0 : samples.front().time;
  Line loads;
  Line effective;
  Line longest;
  double most = 8.0;
  for (WatchHistory::Sample const& sample : samples) {
    double const x = sample.time - start;
    loads.points.push_back({x, sample.load_factor});
    effective.points.push_back({x, sample.effective_load});
    longest.points.push_back({x, static_cast<double>(sample.longest_probe)});
    most = std::max(most, static_cast<double>(sample.longest_probe));
  }
  std::vector<Chart> charts{
      over_time(state, "watched_load", translatable("Load over time, s"), translatable("load factor"))};
  charts[0].series.push_back({translatable("with tombstones"), effective_load_color, std::move(effective)});
  charts[0].series.push_back({"α", live_color, std::move(loads)});
  add_marks(charts[0], state);
  if (state.table.foreign == nullptr || state.table.foreign->measure.name.empty()) { return charts; }
  Chart probes =
      over_time(state, "watched_longest", translatable("Longest probe over time, s"), translatable("longest probe"));
  probes.y.range.high = round_up(most);
  probes.series.push_back({"longest probe", theme::accent, std::move(longest)});
  add_marks(probes, state);
  charts.push_back(std::move(probes));
  return charts;
}

}  // namespace slotscape
