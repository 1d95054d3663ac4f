#include "app/base/fixed.hpp"
#include "app/base/text.hpp"
#include "app/clouds/builtin.hpp"
#include "app/scenes/neighbours/gui.hpp"
#include "app/simulation/throughput.hpp"
#include "app/table_map/mean_and_max.hpp"
#include "app/widgets/hash_row.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/number_rows.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

void points_row(Look const& look, NeighbourState& state)
{
  PointSource& source = state.settings.source;
  float const button = ImGui::CalcTextSize("Open…").x + 2.0f * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x);
  if (ImGui::BeginCombo("##points", translated(label_of_points(source.name)).c_str(), ImGuiComboFlags_HeightLargest)) {
    for (clouds::Builtin const& builtin : clouds::builtins()) {
      if (ImGui::Selectable(translated_label(builtin.label).c_str(), source.name == builtin.name)) {
        source.name = builtin.name;
        state.settings.search.radius = 0.0;
      }
    }
    ImGui::EndCombo();
  }
  hint(look, "Points sampled on a shape, or those of a file.");
  ImGui::SameLine();
  if (text_button("Open…")) { state.asks_for_points = true; }
  hint(look, "A model, a point cloud or a .npy file of points (Ctrl+O).");
}

/// The radius can be typed, or chosen so that a point has the usual number of neighbours.
void radius_row(Look const& look, NeighbourState& state)
{
  Setting<NeighbourSearchSettings> const& setting = setting_named<NeighbourSearchSettings>("radius");
  double& radius = state.settings.search.radius;
  setting_label(look, setting.text);
  ImGui::SetNextItemWidth(look(84.0f));
  if (auto const typed = number_field("##radius", state.result.radius)) {
    radius = std::clamp(*typed, static_cast<double>(neighbours::min_radius), setting.range.high);
  }
  hint(look, std::string(setting.text.hint));
  ImGui::SameLine();
  ImGui::BeginDisabled(radius == 0.0);
  if (text_button("Usual")) { radius = 0.0; }
  ImGui::EndDisabled();
  hint(look, "A radius in which a point has about 30 neighbours (Home).");
}

void nearest_row(Look const& look, NeighbourSearchSettings& search)
{
  Setting<NeighbourSearchSettings> const& setting = setting_named<NeighbourSearchSettings>("k");
  setting_label(look, setting.text);
  ImGui::SetNextItemWidth(look(84.0f));
  if (auto const typed = number_field("##k", search.k)) {
    search.k = static_cast<std::uint32_t>(std::clamp(std::floor(*typed), 0.0, setting.range.high));
  }
  hint(look, tr("{} 0: all.", translated(setting.text.hint)));
  ImGui::SameLine();
  ImGui::BeginDisabled(search.k == 0);
  if (text_button("All")) { search.k = 0; }
  ImGui::EndDisabled();
}

double per_point(NeighbourState const& state, std::uint64_t sum)
{
  return static_cast<double>(sum) / static_cast<double>(state.result.points->size());
}
std::string total_and_mean(NeighbourState const& state, std::uint64_t sum)
{
  return fmt::format("{} · {:.1f}", grouped(sum), per_point(state, sum));
}

std::uint64_t cells_with_points(neighbours::Visit const& visit)
{
  return static_cast<std::uint64_t>(
      std::ranges::count_if(visit.cells, [](neighbours::Visit::Cell const& cell) { return cell.points != 0; }));
}

}  // namespace

void points_panel(Look const& look, NeighbourState& state)
{
  heading(look, "POINTS");
  points_row(look, state);
  if (!state.shown || state.result.loaded->is_sampled) { setting_row(look, "points", state.settings.source); }
  setting_row(look, "moves", state.settings);
  setting_row(look, "eye_dome", state.settings);
}

void search_panel(Look const& look, NeighbourState& state)
{
  NeighbourSearchSettings& search = state.settings.search;
  heading(look, "SEARCH");
  radius_row(look, state);
  nearest_row(look, search);
  setting_row(look, "divisor", search);
  setting_row(look, "method", search, {.by = ChoiceBy::buttons});
}

void cell_table_panel(Look const& look, NeighbourState& state)
{
  NeighbourSearchSettings& search = state.settings.search;
  heading(look, "TABLE");
  setting_row(look, "family", search);
  setting_row(look, "load_factor", search);
  if (family_info(search.family).uses_hash) {
    hash_setting_row(look, &NeighbourSearchSettings::hash, search, state.hash_field);
  }
}

std::string text_of_visit(NeighbourState const& state)
{
  neighbours::Visit const& visit = state.result.visit;
  return tr("Point {}: {} cells read, {} with points · {} candidates · {} neighbours", grouped(state.result.point),
            visit.cells.size(), cells_with_points(visit), grouped(visit.candidates.size()),
            grouped(visit.neighbours.size()));
}

void draw_visit_line(Look const& look, NeighbourState const& state, Rectangle const& canvas)
{
  std::string const text = text_of_visit(state);
  ImGui::SetNextWindowPos({static_cast<float>(canvas.x) + look(8.0f), static_cast<float>(canvas.y) + look(8.0f)});
  ImGui::Begin("##visit", nullptr, strip_flags | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs);
  ImGui::PushTextWrapPos(static_cast<float>(canvas.width) - look(16.0f));
  ImGui::TextUnformatted(text.c_str());
  auto const key = [&](char const* name, theme::Role color) {
    ImGui::TextColored(theme::rgba(color), "●");
    ImGui::SameLine(0.0f, look(4.0f));
    ImGui::TextUnformatted(translated(name).c_str());
  };
  key(translatable("neighbours"), hit_color);
  ImGui::SameLine(0.0f, look(12.0f));
  key(translatable("other candidates"), miss_color);
  ImGui::PopTextWrapPos();
  ImGui::End();
}

void visit_panel(Look const& look, NeighbourState const& state)
{
  neighbours::Visit const& visit = state.result.visit;
  heading(look, "THIS POINT");
  if (!begin_number_rows("visit")) { return; }
  number_row(look, "Point", "The point under the mouse; click to hold it.", grouped(state.result.point));
  number_row(look, "Cells read", "Cells looked up by their keys, with or without points.", grouped(visit.cells.size()));
  number_row(look, "With points", "Cells read that hold points.", grouped(cells_with_points(visit)));
  number_row(look, "Candidates", "Points in these cells, whose distances are computed.",
             grouped(visit.candidates.size()));
  number_row(look, "Neighbours", "Points within the radius, not counting the point itself.",
             grouped(visit.neighbours.size()));
  if (!visit.neighbours.empty()) {
    number_row(look, "Nearest", "Distance to the nearest neighbour.",
               fmt::format("{:.4g}", std::sqrt(static_cast<double>(visit.neighbours.front().squared))));
  }
  ImGui::EndTable();
  remark(look,
         state.is_pinned ? tr("Click, or press Esc, to release it.") : tr("Point at another point; click to hold it."));
}

void neighbours_panel(Look const& look, NeighbourState const& state)
{
  NeighboursResult const& result = state.result;
  heading(look, "ALL POINTS");
  if (!begin_number_rows("neighbours")) { return; }
  number_row(look, "Points", "Points in the cells.", grouped(result.points->size()));
  number_row(look, "Cells", "Cells of the grid around the points; most of them are empty.",
             short_number(static_cast<double>(result.cells.cells)));
  if (state.has_table()) { number_row(look, "Occupied", "Cells with points.", grouped(result.cells.listed_cells)); }
  number_row(look, "Neighbours", "Ordered pairs: for all points together, and on average per point.",
             total_and_mean(state, result.counts->neighbours));
  number_row(look, "Cells read", "By all searches together, and on average per search.",
             total_and_mean(state, result.counts->cells_read));
  number_row(look, "Candidates", "Distances computed: for all points together, and on average per point.",
             total_and_mean(state, result.counts->candidates));
  if (state.has_table()) {
    Statistics const& table = state.table.statistics;
    number_row(look, "Slots", "Slots of the table.", grouped(table.slots));
    number_row(look, "Accesses, hit", "Memory accesses of a lookup that finds its cell: mean / maximum.",
               mean_and_max(table.hit_accesses));
    number_row(look, "Table", "Memory of the table alone.", bytes_text(state.table_bytes));
  }
  number_row(look, "Memory", "Memory of the points in their cells.", bytes_text(result.cells.bytes));
  ImGui::EndTable();
}

void neighbour_stages_panel(Look const& look, NeighbourState const& state)
{
  heading(look, "STAGES");
  auto const& seconds = state.result.cells.stage_seconds;
  if (!begin_number_rows("stages")) { return; }
  number_row(look, "Cells", "Sorts the points by cell.", milliseconds(seconds[0]));
  if (state.has_table()) {
    number_row(look, "Table", "Inserts the cells with points into the table.", milliseconds(seconds[1]));
  }
  number_row(look, "Count", "Counts the neighbours of all points.", milliseconds(state.result.counts->seconds));
  ImGui::EndTable();
}

}  // namespace slotscape
