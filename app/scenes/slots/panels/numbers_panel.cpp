#include "app/scenes/slots/palette.hpp"
#include "app/scenes/slots/panels/panels.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/format.hpp"
#include "app/widgets/theme.hpp"
#include "gpu/analysis/theory.hpp"

#include <fmt/format.h>

#include <optional>

namespace slotscape {
namespace {

ImU32 packed(Color const& color)
{
  return ImGui::ColorConvertFloat4ToU32({color.red, color.green, color.blue, 1.0f});
}

/// The three states as one bar: live, tombstones, and what is left.
void load_bar(Look const& look, Statistics const& statistics)
{
  ImVec2 const at = ImGui::GetCursorScreenPos();
  float const width = ImGui::GetContentRegionAvail().x;
  float const height = look(10.0f);
  ImGui::Dummy({width, height});
  auto const live = at.x + width * static_cast<float>(statistics.load_factor());
  auto const used = at.x + width * static_cast<float>(statistics.effective_load());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, theme::frame, look(3.0f));
  list.AddRectFilled(at, {live, at.y + height}, packed(live_color), look(3.0f));
  list.AddRectFilled({live, at.y}, {used, at.y + height}, packed(tombstone_color));
}

void count_line(Look const& look, char const* label, ImU32 color, std::uint64_t count, double share)
{
  ImVec2 const at = ImGui::GetCursorScreenPos();
  float const side = look(9.0f);
  float const top = at.y + (ImGui::GetTextLineHeight() - side) / 2.0f;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({at.x, top}, {at.x + side, top + side}, color, look(2.0f));
  list.AddRect({at.x, top}, {at.x + side, top + side}, theme::frame_active, look(2.0f));
  ImGui::Dummy({side, side});
  ImGui::SameLine();
  ImGui::TextUnformatted(label);
  ImGui::SameLine();
  float const percent_width = look(64.0f);
  std::string const number = grouped(count);
  float const room = ImGui::GetContentRegionAvail().x - percent_width - ImGui::CalcTextSize(number.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(room, 0.0f));
  ImGui::TextUnformatted(number.c_str());
  ImGui::SameLine();
  text_right(theme::text_dim, percent(share));
}

void load_block(Look const& look, SlotsState const& state)
{
  Statistics const& statistics = state.statistics;
  heading(look, "LOAD");
  ImGui::PushFont(look.large);
  ImGui::Text("α %.4f", statistics.load_factor());
  ImGui::PopFont();
  hint(look, "Load factor α: live keys / slots.");
  ImGui::SameLine();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + look(6.0f));
  text_right(theme::text_dim, fmt::format("effective load {:.4f}", statistics.effective_load()));
  hint(look, "(Live keys + tombstones) / slots: how full the table is for a lookup.");
  load_bar(look, statistics);
  auto const slots = static_cast<double>(std::max<std::uint64_t>(statistics.slots, 1));
  auto const line = [&](char const* label, ImU32 color, std::uint64_t count) {
    count_line(look, label, color, count, static_cast<double>(count) / slots);
  };
  line("live", packed(live_color), statistics.live);
  line("tombstones", packed(tombstone_color), statistics.tombstones);
  line("empty", packed(empty_color), statistics.empty());
}

void cell(ImU32 color, std::string const& text)
{
  ImGui::TableNextColumn();
  text_right(color, text);
}

void header(Look const& look, std::initializer_list<char const*> labels)
{
  ImGui::TableNextRow();
  ImGui::PushFont(look.small);
  for (char const* label : labels) { cell(theme::text_dim, label); }
  ImGui::PopFont();
}

bool begin_numbers(char const* id, int columns)
{
  if (!ImGui::BeginTable(id, columns, ImGuiTableFlags_SizingStretchProp)) { return false; }
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, 1.45f);
  for (int i = 1; i < columns; ++i) { ImGui::TableSetupColumn("number", ImGuiTableColumnFlags_WidthStretch, 1.0f); }
  return true;
}

void row_name(Look const& look, char const* name, char const* what)
{
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  hint(look, what);
}

std::string number_or_dash(std::optional<double> number)
{
  if (!number) { return "–"; }
  return *number >= 1000.0 ? short_number(*number) : fmt::format("{:.3f}", *number);
}

void structure_block(Look const& look, SlotsState const& state)
{
  Statistics const& statistics = state.statistics;
  heading(look, "MEASURED AND THEORY");
  double const load = statistics.effective_load();
  bool const applies = load < 1.0 && statistics.live > 0;
  TheoryFit const fit = theory_fit(state);
  ImU32 const hit_color = fit.probe_lengths ? theme::theory : theme::text_faint;
  ImU32 const other_color = fit.clusters ? theme::theory : theme::text_faint;
  auto const predicted = [&](double (*formula)(double)) {
    return applies ? std::optional(formula(load)) : std::nullopt;
  };
  if (!begin_numbers("structure", 4)) { return; }
  header(look, {"", "mean", "theory", "max"});
  row_name(look, "Probe length",
           "Slots between home and where a live key is, 0 at home. Theory: Knuth 1963, ½(1 + 1/(1−α)) − 1.");
  cell(theme::text, number_or_dash(statistics.probe_length.mean));
  cell(hit_color, number_or_dash(predicted(theory::mean_probe_length)));
  cell(theme::text, grouped(statistics.probe_length.max));
  row_name(look, "Slots of a miss",
           "Slots that a lookup of an absent key reads, on average over all homes; counted from the clusters. "
           "Theory: Knuth 1963, ½(1 + 1/(1−α)²).");
  cell(theme::text, number_or_dash(theory::measured_probes_of_a_miss(statistics)));
  cell(other_color, number_or_dash(predicted(theory::mean_probes_of_a_miss)));
  cell(theme::text, grouped(std::min(statistics.clusters.max + 1, statistics.slots)));
  row_name(look, "Cluster length", "Slots of a maximal run of non-empty slots. Theory: with its empty slot, Borel(α).");
  cell(theme::text, number_or_dash(statistics.clusters.mean));
  cell(other_color, number_or_dash(predicted(theory::mean_cluster_length)));
  cell(theme::text, grouped(statistics.clusters.max));
  row_name(look, "Clusters", "How many maximal runs of non-empty slots there are.");
  cell(theme::text, short_number(static_cast<double>(statistics.clusters.count)));
  cell(other_color, applies ? short_number(theory::expected_clusters(static_cast<double>(statistics.slots), load))
                            : std::string("–"));
  ImGui::TableNextColumn();
  ImGui::EndTable();
  if (!fit.reason.empty()) { remark(look, fit.reason); }
}

void speed_block(Look const& look, SlotsState const& state)
{
  heading(look, "SPEED");
  RateMeter::Rates const rates = state.rates.rates(state.now);
  if (!begin_numbers("speed", 4)) { return; }
  header(look, {"", "insert", "find", "erase"});
  row_name(look, "Operations/s", "Over the last second, by kind. In a mix, an erase that misses counts as a find.");
  for (double const rate : {rates.insert, rates.find, rates.erase}) {
    cell(rate > 0.0 ? theme::text : theme::text_faint, short_number(rate));
  }
  header(look, {"", "whole", "analysis", "present"});
  row_name(look, "Frame",
           "Median of the latest frames: the whole frame; from table to finished picture and statistics, "
           "in the device's time; and CPU time to bring the picture to OpenGL.");
  for (double const seconds : {state.frames.frame, state.frames.analyse, state.frames.present}) {
    cell(theme::text, milliseconds(seconds));
  }
  ImGui::EndTable();
}

}  // namespace

void numbers_panel(Look const& look, SlotsState& state)
{
  load_block(look, state);
  structure_block(look, state);
  speed_block(look, state);
}

}  // namespace slotscape
