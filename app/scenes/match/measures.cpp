#include "app/base/fixed.hpp"
#include "app/base/text.hpp"
#include "app/scenes/match/gui.hpp"
#include "app/table_map/mean_and_max.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/number_rows.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace slotscape {
namespace {

using matching::MatchSnapshot;

constexpr float chart_height = 150.0f;
constexpr float bar_alpha = 0.35f;  ///< keeps text on bars legible
static_assert(theme::match_stages.size() == matching::match_stage_count);
constexpr std::array stage_titles{translatable("Edges"), translatable("Features"), translatable("Bases"),
                                  translatable("Table"), translatable("Votes"),    translatable("Candidates"),
                                  translatable("Check")};
constexpr std::array<char const*, matching::match_stage_count> stage_help{
    translatable("Gradients of both pictures."),
    translatable("Points on their edges, spread over them and compacted."),
    translatable("Pairs of points, neither too near nor too far from each other, and their numbers."),
    translatable("The coordinates of all points of the reference in all of its bases, grouped by cell."),
    translatable("Each point of the query, in each of its bases, votes for the bases that its cell lists."),
    translatable("The most voted pairs of bases, as transformations."),
    translatable("Candidates are refined, and scored by the edges of the query that lie on edges of the reference.")};

/// Draws a bar filled to a share, over the remaining width, with text on it.
void draw_bar(Look const& look, double share, ImU32 color, std::string const& text)
{
  ImVec2 const at = ImGui::GetCursorScreenPos();
  ImVec2 const size{ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight()};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, theme::frame, look(2.0f));
  float const width = std::max(size.x * static_cast<float>(std::clamp(share, 0.0, 1.0)), look(1.0f));
  list.AddRectFilled(at, {at.x + width, at.y + size.y}, theme::with_alpha(color, bar_alpha), look(2.0f));
  float const text_width = ImGui::CalcTextSize(text.c_str()).x;
  list.AddText({at.x + size.x - text_width - look(4.0f), at.y}, theme::text, text.c_str());
  ImGui::Dummy(size);
}

void candidate_row(Look const& look, MatchState& state, std::size_t i)
{
  MatchSnapshot const& found = state.shown->snapshot;
  matching::Candidate const& candidate = found.candidates[i];
  bool const is_match = i == 0 && found.found;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(static_cast<int>(i));
  std::string const name = is_match ? tr("Match") : i == 1 && found.found ? tr("Runner-up") : tr("Number {}", i + 1);
  if (ImGui::Selectable(name.c_str(), state.overlaid() == i, ImGuiSelectableFlags_SpanAllColumns)) {
    state.candidate = state.candidate == i ? std::nullopt : std::optional(i);
  }
  hint(look,
       tr("{}\n{} votes of basis {} of the query for basis {} of the reference. Click to lay it over the reference.",
          text_of(candidate.transformation), grouped(candidate.votes), candidate.query_basis,
          candidate.reference_basis));
  ImGui::PopID();
  ImGui::TableNextColumn();
  text_right(theme::text, grouped(candidate.votes));
  ImGui::TableNextColumn();
  draw_bar(look, candidate.score, is_match ? found_color : theme::text_faint, fmt::format("{:.2f}", candidate.score));
}

/// Compares the latest matches of both methods, for the stages that differ.
void compare_methods(Look const& look, MatchState const& state)
{
  std::array<double, 2> seconds{};
  for (MatchTimes const& times : state.times) {
    if (times.reused_table) { continue; }
    auto const stage = [&](matching::MatchStage which) { return times.stage_seconds[static_cast<std::size_t>(which)]; };
    seconds[static_cast<std::size_t>(times.method)] =
        stage(matching::MatchStage::bases) + stage(matching::MatchStage::table) + stage(matching::MatchStage::votes);
  }
  if (seconds[0] <= 0.0 || seconds[1] <= 0.0) {
    return remark(look, "Bases, table and votes can also be computed by sorting: X switches.");
  }
  remark(look, tr("Bases, table and votes: {} by hashing, {} by sorting ({:.2f} ×).", milliseconds(seconds[0]),
                  milliseconds(seconds[1]), seconds[1] / seconds[0]));
}

/// The stages of the latest matches, stacked.
Chart chart_of_times(MatchState const& state)
{
  Chart chart{.id = "match_times",
              .title = translatable("Time of the latest matches"),
              .x = {translatable("matches ago"), {}},
              .y = {"ms", {}}};
  std::size_t const count = state.times.size();
  std::vector<double> low(count, 0.0);
  std::vector<double> ends;
  for (std::size_t i = 0; i < count; ++i) { ends.push_back(static_cast<double>(i) - static_cast<double>(count) + 1.0); }
  for (std::size_t stage = 0; stage < theme::match_stages.size(); ++stage) {
    Band band{ends, low, low};
    for (std::size_t i = 0; i < count; ++i) { band.high[i] += 1e3 * state.times[i].stage_seconds[stage]; }
    low = band.high;
    chart.series.push_back({stage_titles[stage], theme::match_stages[stage], std::move(band)});
  }
  double const most = low.empty() ? 0.0 : *std::ranges::max_element(low);
  chart.x.range = {-static_cast<double>(std::max<std::size_t>(count, 8)), 0.0};
  chart.y.range = {0.0, most > 0.0 ? round_up(most) : 1.0};
  chart.reading = [](Chart const& read, ChartCursor const& cursor) {
    std::string text;
    for (ChartSeries const& series : read.series) {
      Band const& band = std::get<Band>(series.shape);
      for (std::size_t i = 0; i < band.ends.size(); ++i) {
        if (cursor.x <= band.ends[i] - 1.0 || cursor.x > band.ends[i]) { continue; }
        text += fmt::format("{}{}: {:.2f} ms", text.empty() ? "" : "\n", series.name, band.high[i] - band.low[i]);
      }
    }
    return text;
  };
  return chart;
}

}  // namespace

std::string listed_bases(std::vector<std::uint32_t> const& bases, std::size_t max_characters)
{
  std::string text;
  for (std::uint32_t const basis : bases) {
    std::string const next = fmt::format("{}{}", text.empty() ? "" : " ", basis);
    if (text.size() + next.size() > max_characters) { return text + " …"; }
    text += next;
  }
  return text;
}

void candidates_panel(Look const& look, MatchState& state)
{
  heading(look, "CANDIDATES");
  if (!state.shown) { return; }
  MatchSnapshot const& found = state.shown->snapshot;
  if (found.candidates.empty()) { return remark(look, "None: no pair of bases has enough votes."); }
  if (ImGui::BeginTable("candidates", 3, ImGuiTableFlags_SizingStretchProp)) {
    ImGui::TableSetupColumn("which", ImGuiTableColumnFlags_WidthStretch, 1.1f);
    ImGui::TableSetupColumn("votes", ImGuiTableColumnFlags_WidthStretch, 0.6f);
    ImGui::TableSetupColumn("score", ImGuiTableColumnFlags_WidthStretch, 1.3f);
    for (std::size_t i = 0; i < std::min(found.candidates.size(), max_candidates); ++i) {
      candidate_row(look, state, i);
    }
    ImGui::EndTable();
  }
  remark(look,
         "Votes, and the score: the share of the query's edges that lie on edges of the reference. If several pairs of "
         "bases give the same transformation, the list shows the one whose edges agree best, even if others have more "
         "votes.");
}

void cell_panel(Look const& look, MatchState& state)
{
  if (!state.shown || state.shown->snapshot.slots == 0) { return; }
  heading(look, "CELL");
  if (!state.chosen) { return remark(look, "Click a slot of the map to see which bases its cell lists."); }
  ShownCell const& cell = *state.chosen;
  double const quantum = state.shown->query.matching.quantum;
  if (begin_number_rows("cell")) {
    number_row(look, "Cell", "Coordinates of points in a basis, in quanta.",
               fmt::format("u {}, v {}", cell.bin.u, cell.bin.v));
    number_row(look, "At", "The same coordinates, in units of the basis length.",
               with_minus(fixed(cell.bin.u * quantum, 3)) + ", " + with_minus(fixed(cell.bin.v * quantum, 3)));
    number_row(look, "Slot", "The slot of its key in the table.", grouped(cell.slot));
    number_row(look, "Values",
               "Values in its run of the value array: one for each point that has these coordinates in a basis.",
               grouped(cell.bases.size()));
    number_row(look, "Bases", "Different bases: the arrows on the reference.", grouped(different_bases(cell).size()));
    ImGui::EndTable();
  }
  std::uint64_t const items = state.shown->snapshot.items;
  remark(look, tr("In the array of values: {}.", run_text(cell, items)));
  draw_run(look, cell, items);
  remark(look, listed_bases(cell.bases, 160));
}

void draw_run(Look const& look, ShownCell const& cell, std::uint64_t items)
{
  ImVec2 const low = ImGui::GetCursorScreenPos();
  ImVec2 const size(ImGui::GetContentRegionAvail().x, look(8.0f));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, {low.x + size.x, low.y + size.y}, theme::frame, look(2.0f));
  double const whole = static_cast<double>(std::max<std::uint64_t>(items, 1));
  auto const place = [&](std::uint64_t value) {
    return low.x + size.x * static_cast<float>(static_cast<double>(value) / whole);
  };
  float const from = place(cell.first);
  float const to = std::max(place(cell.first + cell.bases.size()), from + look(2.0f));
  list.AddRectFilled({from, low.y}, {to, low.y + size.y}, theme::accent);
  ImGui::Dummy({size.x, size.y + look(2.0f)});
}

void match_numbers_panel(Look const& look, MatchState const& state)
{
  heading(look, "POINTS, BASES, ITEMS");
  if (!state.shown || !begin_number_rows("numbers")) { return; }
  MatchSnapshot const& found = state.shown->snapshot;
  auto const both = [](std::array<std::uint64_t, 2> const& of) {
    return fmt::format("{} / {}", grouped(of[0]), grouped(of[1]));
  };
  number_row(look, "Points", "Of the reference / of the query.", both(found.features));
  number_row(look, "Bases", "Of the reference / of the query.", both(found.bases));
  number_row(look, "Items", "Points of the reference in each of its bases.", grouped(found.items));
  number_row(look, "Cells", "Different (u, v): keys of the table.", grouped(found.keys));
  double const mean = found.keys == 0 ? 0.0 : static_cast<double>(found.items) / static_cast<double>(found.keys);
  number_row(look, "Values per key", "Mean / maximum: how many bases a cell lists.",
             fmt::format("{:.2f} / {}", mean, grouped(found.max_values)));
  number_row(look, "Votes", "Votes cast by the query's points.", grouped(found.votes));
  if (found.slots > 0) {
    number_row(look, "Slots", "Slots of the table.", grouped(found.slots));
    number_row(look, "Load factor α", "Keys / slots.", fmt::format("{:.3f}", state.table.statistics.load_factor()));
    number_row(look, "Accesses, hit", "Memory accesses of a lookup that finds its key: mean / maximum.",
               mean_and_max(state.table.statistics.hit_accesses));
  }
  number_row(look, "Memory", "Memory that lookups need.", bytes_text(found.bytes));
  ImGui::EndTable();
}

void multiplicity_panel(Look const& look, MatchState const& state, Charts& charts)
{
  Distribution const& values = state.multiplicity;
  if (values.count == 0) { return; }
  heading(look, "MULTIPLICITY");
  double const max_values = static_cast<double>(std::max<std::uint64_t>(values.max, 2));
  Chart chart;
  chart.id = "match_multiplicity";
  chart.title = "Values of a key";
  chart.x = {translatable("values"), {1.0, max_values * 1.1, true}, 0.0};
  chart.y = count_axis("keys", highest_bar(bars_of(values, 1)));
  chart.series.push_back({"keys", theme::accent, bars_of(values, 1)});
  chart.reading = [&values](Chart const&, ChartCursor const& cursor) {
    return tr("{} values: {} keys", cursor.bins_text(), grouped(cursor.sum(bars_of(values))));
  };
  charts.draw(look, chart, {ImGui::GetContentRegionAvail().x, std::floor(look(chart_height))});
}

void match_stages_panel(Look const& look, MatchState const& state, Charts& charts)
{
  heading(look, "STAGES");
  if (!state.shown) { return; }
  auto const& seconds = state.shown->snapshot.stage_seconds;
  double const all = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  double const most = std::max(*std::ranges::max_element(seconds), 1e-9);
  if (begin_number_rows("stages")) {
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(tr(stage_titles[i]));
      hint(look, stage_help[i]);
      ImGui::TableNextColumn();
      bool const reused = seconds[i] <= 0.0 && state.shown->snapshot.reused_table;
      draw_bar(look, seconds[i] / most, theme::match_stages[i],
               reused ? std::string(tr("reused")) : milliseconds(seconds[i]));
    }
    number_row(look, "All", "By CUDA events on a GPU, by the clock on a CPU.", milliseconds(all));
    number_row(look, "With loading",
               "By the clock, including reading pictures, turning the query, and copying the results for display.",
               milliseconds(state.shown->seconds));
    ImGui::EndTable();
  }
  compare_methods(look, state);
  charts.draw(look, chart_of_times(state), {ImGui::GetContentRegionAvail().x, std::floor(look(chart_height))});
}

void video_panel(Look const& look, MatchState const& state, Charts& charts)
{
  if (state.frame_count < 2) { return; }
  heading(look, "VIDEO");
  Chart chart{.id = "match_video",
              .title = "Score of each frame",
              .x = {translatable("frame"), {}},
              .y = {translatable("score"), {0.0, 1.0}}};
  Line score{.points = {}, .dots = true, .widest_gap = 1.5};
  Line runner_up = score;
  for (auto const& [frame, record] : state.video) {
    if (!record.unreadable.empty()) { continue; }
    auto const x = static_cast<double>(frame + 1);
    score.points.push_back({x, record.score});
    runner_up.points.push_back({x, record.runner_up});
  }
  chart.series.push_back({translatable("best"), found_color, std::move(score)});
  chart.series.push_back({translatable("runner-up"), theme::text_dim, std::move(runner_up)});
  chart.series.push_back({"shown", query_color, Vertical{state.settings.frame + 1.0}});
  chart.x.range = {0.5, static_cast<double>(state.frame_count) + 0.5};
  chart.reading = [](Chart const& read, ChartCursor const& cursor) { return read_lines(read, cursor); };
  charts.draw(look, chart, {ImGui::GetContentRegionAvail().x, std::floor(look(chart_height))});
  auto const count = state.count_video();
  std::string text = tr("Found in {} of {} matched frames.", count.found, count.matched);
  if (!count.unreadable.empty()) { text += tr(" {} cannot be read.", count.unreadable.size()); }
  remark(look, text);
}

}  // namespace slotscape
