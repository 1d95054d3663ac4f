#include "app/base/text.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/findings.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/placement.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/table_map/mean_and_max.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace slotscape {
namespace {

using spatial::Model;
using spatial::VoxelStatus;

/// A column for the names, and one for each shown model.
bool begin_columns(SpatialState const& state, char const* id)
{
  auto const models = shown_models(state);
  if (!ImGui::BeginTable(id, static_cast<int>(models.size()) + 1, ImGuiTableFlags_SizingStretchProp)) { return false; }
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, 1.5f);
  for (Model const model : models) {
    ImGui::TableSetupColumn(letter_of(model), ImGuiTableColumnFlags_WidthStretch, 1.0f);
  }
  return true;
}

void header_row(SpatialState const& state)
{
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  for (Model const model : shown_models(state)) {
    ImGui::TableNextColumn();
    text_right(packed(model_colors[static_cast<std::size_t>(model)]), letter_of(model));
  }
}

void row(
    Look const& look, SpatialState const& state, std::string const& name, std::string const& what,
    std::function<std::string(Model)> const& value,
    std::function<bool(Model)> const& warns = [](Model) { return false; })
{
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(translated(name).c_str());
  hint(look, what);
  for (Model const model : shown_models(state)) {
    ImGui::TableNextColumn();
    text_right(warns(model) ? theme::warning : theme::text, value(model));
    hint(look, what);
  }
}

void warning(Look const& look, std::string const& text)
{
  ImGui::PushFont(look.font, look.small);
  ImGui::PushStyleColor(ImGuiCol_Text, theme::warning);
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

/// Names the models with too few points, if any.
void sparse_remark(Look const& look, SpatialState const& state)
{
  std::string of;
  for (Model const model : both_models) {
    if (is_sparse(state, model)) {
      of +=
          of.empty() ? letter_of(model) : std::string(" ") + tr_in("between two names", "and") + " " + letter_of(model);
    }
  }
  if (of.empty()) { return; }
  warning(look, tr("Too few points per voxel of {}: the surface has holes, where inside and outside are unknown or "
                   "wrong. Use more points or a coarser grid.",
                   of));
}

void model_rows(Look const& look, SpatialState const& state)
{
  auto const& models = state.snapshot.models;
  row(look, state, "Points", "Points of the model.", [&](Model model) { return grouped(models[model].points); });
  bool const some_outside = models[Model::a].outside_grid + models[Model::b].outside_grid > 0;
  if (some_outside) {
    row(
        look, state, "Outside the grid", "Points beyond the grid: they have no voxel.",
        [&](Model model) { return grouped(models[model].outside_grid); },
        [&](Model model) { return models[model].outside_grid > 0; });
  }
  row(look, state, "Voxels", "Voxels with at least one point: the keys of the model's table.",
      [&](Model model) { return grouped(models[model].voxels); });
  if (state.settings.section.shown) {
    row(look, state, "Points in the section", "Points of the model that are in the section box, behind its plane.",
        [&](Model model) { return grouped(models[model].points_in_section); });
    row(look, state, "Voxels in the section", "Voxels whose centres are in the section box, behind its plane.",
        [&](Model model) { return grouped(models[model].voxels_in_section()); });
  }
  row(
      look, state, "Points per voxel", "On average. With fewer than 2, the surface has holes.",
      [&](Model model) { return fmt::format("{:.1f}", points_per_voxel(state, model)); },
      [&](Model model) { return is_sparse(state, model); });
}

/// Warns that cell counts may differ from other programs, which use double precision.
void precision_remark(Look const& look, SpatialState const& state)
{
  if (!state.settings.shows_files()) { return; }
  double const share = 3.0 * rounding_in_voxels(state.settings.hashing.grid);
  remark(look, tr("Points are in single precision: if they are evenly spread, about {:.1g} % may be counted in a "
                  "neighbouring voxel, and more where a wall or a floor lies between two layers of voxels.",
                  100.0 * share));
  hint(look,
       "The sparse scene and other programs count the cells of a file in double precision: numbers of voxels may "
       "differ by a few.");
}

void table_rows(Look const& look, SpatialState const& state)
{
  auto const& tables = state.tables;
  FamilyInfo const& family = family_info(state.settings.hashing.family);
  row(look, state, "Slots", "Slots of the model's table.",
      [&](Model model) { return grouped(tables[model].table.slots); });
  row(look, state, "Load factor α", "Voxels / slots.",
      [&](Model model) { return fmt::format("{:.3f}", tables[model].statistics.load_factor()); });
  row(look, state, std::string(family.measure.name),
      tr("{} of the voxels' keys, in {}: mean / maximum.", translated(family.measure.name),
         translated(family.measure.unit)),
      [&](Model model) { return mean_and_max(tables[model].statistics.probe_length); });
  row(look, state, "Accesses, hit", "Memory accesses of a lookup that finds its voxel: mean / maximum.",
      [&](Model model) { return mean_and_max(tables[model].statistics.hit_accesses); });
  row(look, state, "Memory", "Memory of the table alone.",
      [&](Model model) { return bytes_text(tables[model].memory_bytes); });
}

/// The voxels of a model as a bar: inside, intersection, outside, unknown.
void status_bar(Look const& look, SpatialState const& state, Model model)
{
  spatial::ModelSnapshot const& snapshot = state.snapshot.models[model];
  StatusColors const& colors = status_colors(state.settings);
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(packed(model_colors[static_cast<std::size_t>(model)])), "%s",
                     letter_of(model));
  ImGui::SameLine(0.0f, look(8.0f));
  ImVec2 const at = ImGui::GetCursorScreenPos();
  float const width = ImGui::GetContentRegionAvail().x;
  float const height = look(14.0f);
  float const top = at.y + std::floor((ImGui::GetTextLineHeight() - height) / 2.0f);
  ImGui::Dummy({width, ImGui::GetTextLineHeight()});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({at.x, top}, {at.x + width, top + height}, theme::frame, look(2.0f));
  std::uint64_t const counted = snapshot.voxels_in_section();
  auto const voxels = static_cast<double>(std::max<std::uint64_t>(counted, 1));
  std::string text = tr("{}: {} voxels", letter_of(model), grouped(counted));
  double before = 0.0;
  for (EnumName<VoxelStatus> const& status : enum_names<VoxelStatus>()) {
    std::uint64_t const count = snapshot.status[static_cast<std::size_t>(status.value)];
    double const after = before + static_cast<double>(count) / voxels;
    list.AddRectFilled({at.x + width * static_cast<float>(before), top},
                       {at.x + width * static_cast<float>(after), top + height}, packed(colors[status.value]));
    text += fmt::format("\n{}: {} ({})", translated(label_of_status(state, model, status.value)), grouped(count),
                        percent(after - before));
    before = after;
  }
  hint(look, text);
}

/// A table cell that hides the voxels it counts when clicked.
void hiding_cell(Look const& look, SpatialState& state, std::string const& id, std::uint8_t parts,
                 std::string const& called)
{
  ImVec2 const at = ImGui::GetCursorPos();
  float const width = std::max(ImGui::GetContentRegionAvail().x, 1.0f);
  hiding_button(look, state, id, parts, {width, ImGui::GetTextLineHeight()}, called);
  ImGui::SetCursorPos(at);
}

void status_rows(Look const& look, SpatialState& state)
{
  StatusColors const& colors = status_colors(state.settings);
  for (EnumName<VoxelStatus> const& status : enum_names<VoxelStatus>()) {
    std::string const called = label_of_both(state, status.value);
    std::string const id = std::string(status.text);
    std::uint8_t const both = parts_of_status(status.value);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    hiding_cell(look, state, id, both, called);
    ImVec2 const at = ImGui::GetCursorScreenPos();
    float const side = look(9.0f);
    float const top = at.y + (ImGui::GetTextLineHeight() - side) / 2.0f;
    draw_swatch(*ImGui::GetWindowDrawList(), {at.x, top}, side, packed(colors[status.value]),
                (state.settings.hidden & both) == both);
    ImGui::Dummy({side, side});
    ImGui::SameLine();
    ImGui::TextUnformatted(called.c_str());
    for (Model const model : both_models) {
      ImGui::TableNextColumn();
      std::uint8_t const part = spatial::ShownParts::bit_of(model, status.value);
      hiding_cell(look, state, id + letter_of(model), part,
                  tr("{} of {}", translated(label_of_status(state, model, status.value)), letter_of(model)));
      std::uint64_t const count = state.snapshot.models[model].status[static_cast<std::size_t>(status.value)];
      bool const is_faint = count == 0 || (state.settings.hidden & part) != 0;
      text_right(is_faint ? theme::text_faint : theme::text, grouped(count));
    }
  }
}

/// Explains what "inside" means for an open surface, which encloses nothing.
void open_remark(Look const& look, SpatialState const& state, Model model)
{
  if (!state.clouds[model].open || !state.clouds[model].is_surface) { return; }
  remark(look, tr("{} is an open surface, like a terrain or a scan, and encloses nothing. For {}, inside means behind "
                  "{}, on the side that its normals point away from; it is unknown beside its rim, in holes, and where "
                  "the surfaces are too close for any point of {} to tell the side.",
                  letter_of(model), letter_of(spatial::other(model)), letter_of(model), letter_of(model)));
}

double shown_volume(SpatialState const& state, Model model)
{
  double const voxel = voxel_in_file(state, model).value_or(static_cast<double>(state.settings.hashing.grid.voxel()));
  return static_cast<double>(state.snapshot.models[model].shown) * voxel * voxel * voxel;
}

void volume_row(Look const& look, SpatialState const& state)
{
  row(look, state, translatable("Volume"),
      translatable("Of the shown voxels, in cubic units of the file or of the scene."),
      [&](Model model) { return fmt::format("{:.4g}", shown_volume(state, model)); });
}

/// Three significant digits, since a column is narrow; its heading has the unit.
std::string distance_text(double distance)
{
  return fmt::format("{:.3g}", distance);
}

}  // namespace

void distance_numbers_panel(Look const& look, SpatialState const& state)
{
  if (!state.distances) { return; }
  DistanceFacts const& facts = *state.distances;
  double const threshold = state.settings.distances.threshold;
  heading(look, "DISTANCES");
  if (begin_columns(state, "distances")) {
    header_row(state);
    auto const add = [&](char const* name, char const* what, double DistanceSummary::*number) {
      row(look, state, name, what, [&facts, number](Model model) { return distance_text(facts.of[model].*number); });
    };
    add(translatable("Mean"),
        translatable("Mean of the distances from the points of this model to the other one; signed ones cancel out."),
        &DistanceSummary::mean);
    add(translatable("RMS"), translatable("Root of the mean square."), &DistanceSummary::rms);
    add(translatable("Median"), translatable("Half of the points are at most this far from the other model."),
        &DistanceSummary::median);
    add(translatable("95 %"), translatable("95 % of the points are at most this far from the other model."),
        &DistanceSummary::percentile_95);
    add(translatable("Largest"), translatable("The distance of the farthest point (one-sided Hausdorff distance)."),
        &DistanceSummary::max);
    if (threshold > 0.0) {
      row(look, state, translatable("Beyond"),
          translatable("Share of the points that are farther from the other model than the threshold."),
          [&](Model model) { return fmt::format("{:.3g} %", 100.0 * facts.share_beyond(model, threshold)); });
    }
    ImGui::EndTable();
  }
  std::string const unit = unit_text(facts.unit);
  remark(look, unit.empty()                 ? tr("In the units of the file.")
               : facts.unit.name == "scene" ? tr("In units of the scene.")
                                            : tr("In {}.", unit));
}

void voxel_numbers_panel(Look const& look, SpatialState& state)
{
  heading(look, "VOXELS AND THEIR TABLES");
  if (begin_columns(state, "models")) {
    header_row(state);
    model_rows(look, state);
    table_rows(look, state);
    if (is_one_alone(state)) { volume_row(look, state); }
    ImGui::EndTable();
  }
  precision_remark(look, state);
  if (is_one_alone(state)) { return; }
  sparse_remark(look, state);
  spatial::Changes& changes = state.settings.hashing.changes;
  heading(look, changes.shown ? translatable("CHANGES") : translatable("INSIDE AND OUTSIDE"));
  if (compares_apart(state)) { warning(look, warning_of_comparison()); }
  if (changes.shown) {
    setting_row(look, "min_points", changes, {.high = 100.0});
    setting_row(look, "neighbours", changes);
  }
  for (Model const model : both_models) { status_bar(look, state, model); }
  if (begin_columns(state, "status")) {
    status_rows(look, state);
    row(look, state, "shown", "Voxels in the result of the Boolean that are not hidden.",
        [&](Model model) { return grouped(state.snapshot.models[model].shown); });
    volume_row(look, state);
    ImGui::EndTable();
  }
  if (changes.shown) { return; }
  for (Model const model : both_models) { open_remark(look, state, model); }
  remark(look, tr("Flood fill: {} rounds, {} restarts, {} seeds cleared", state.snapshot.rounds,
                  state.snapshot.restarts, grouped(state.snapshot.cleared)));
  hint(look,
       "A round is one sweep over all voxels. Seeds that contradict each other are cleared, and the fill restarts.");
}

}  // namespace slotscape
