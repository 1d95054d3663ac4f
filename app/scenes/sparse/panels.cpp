#include "app/base/fixed.hpp"
#include "app/base/text.hpp"
#include "app/clouds/builtin.hpp"
#include "app/scenes/sparse/gui.hpp"
#include "app/widgets/hash_row.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {
namespace {

using sparse::Mode;
using sparse::Search;

void source_row(Look const& look, SparseState& state)
{
  SiteSource& source = state.settings.source;
  float const button = ImGui::CalcTextSize("Open…").x + 2.0f * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x);
  if (ImGui::BeginCombo("##sites", translated(label_of_sites(source.name)).c_str(), ImGuiComboFlags_HeightLargest)) {
    for (std::string_view const name : builtin_sources()) {
      if (ImGui::Selectable(translated_label(label_of_sites(std::string(name))).c_str(), source.name == name)) {
        source.name = name;
      }
    }
    ImGui::EndCombo();
  }
  hint(look, "Active sites: the cells of a grid that the points of a shape or a model fall into, or a drawing.");
  ImGui::SameLine();
  if (text_button("Open…")) { state.ask(AskForSites{}); }
  hint(look, "A model, a point cloud, or a .npy file with batch, x, y and z of a site in each row (Ctrl+O).");
}

/// Arrays of sites have their own extents; only points need a grid.
bool has_grid(SparseState const& state)
{
  return state.points > 0 || !state.settings.source.name.ends_with(".npy");
}

void grid_row(Look const& look, SparseState& state)
{
  if (!has_grid(state)) { return; }
  SiteSource& source = state.settings.source;
  row_label(look, "Grid");
  ImGui::SetNextItemWidth(-FLT_MIN);
  bool const by_voxel = source.voxel > 0.0;
  sparse::Extents const& extents = state.input_extents;
  std::string const shown = by_voxel ? tr("{} × {} × {} sites", extents.x, extents.y, extents.z)
                                     : tr("{} sites along each axis", source.grid);
  if (ImGui::BeginCombo("##grid", shown.c_str(), ImGuiComboFlags_HeightLargest)) {
    for (std::uint32_t const grid : site_grids) {
      if (!ImGui::Selectable(std::to_string(grid).c_str(), !by_voxel && source.grid == grid)) { continue; }
      source.grid = grid;
      source.voxel = 0.0;
    }
    ImGui::EndCombo();
  }
  hint(look,
       "The tensor's extents. They are virtual: only active sites take memory. The comma key makes the grid "
       "coarser, the period key finer.");
}

/// The side of a cell in the file's units, for files whose points fall into cells.
void voxel_row(Look const& look, SparseState& state)
{
  if (!(state.voxel_size > 0.0)) { return; }
  Setting<SiteSource> const& setting = setting_named<SiteSource>("voxel");
  setting_label(look, setting.text);
  ImGui::SetNextItemWidth(look(84.0f));
  if (auto const typed = number_field("##voxel", state.voxel_size)) {
    state.settings.source.voxel = std::clamp(*typed, setting.range.low, setting.range.high);
  }
  hint(look, std::string(setting.text.hint));
  ImGui::SameLine();
  ImGui::TextUnformatted(clouds::units_text(state.system, tr("units of the file")).c_str());
}

/// A few points far outside leave few cells for all others; this option ignores them.
void outliers_row(Look const& look, SparseState& state)
{
  SiteSource& source = state.settings.source;
  bool const asked = source.ignore_outliers && state.voxel_size > 0.0;
  if (state.outliers == 0 && !asked) { return; }
  row_label(look, "Outliers");
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(state.outliers == 0 ? tr("none found") : grouped(state.outliers).c_str());
  if (state.outliers == 0) { return; }
  ImGui::SameLine();
  if (text_button(source.ignore_outliers ? translatable("Bring back") : translatable("Leave out"))) {
    source.ignore_outliers = !source.ignore_outliers;
  }
  hint(look, "Points far from all others. With them, the others share a few cells of the grid.");
}

void slice_rows(Look const& look, SparseState& state)
{
  SparseSceneSettings& settings = state.settings;
  if (!state.is_flat()) {
    setting_row(look, "view", settings, {.by = ChoiceBy::buttons});
    setting_row(look, "slice_across", settings, {.by = ChoiceBy::buttons});
    std::int32_t const lowest = state.slice_coordinate - state.slice_index;
    auto const number = [](std::int32_t coordinate) { return with_minus(std::to_string(coordinate)); };
    std::string const shown =
        tr("{} ({} to {})", number(state.slice_coordinate), number(lowest), number(lowest + state.slice_depth - 1));
    setting_row(look, "slice_at", settings, {.shown = shown});
  }
  std::int32_t const batches = std::max(state.input_extents.batch, 1);
  if (batches > 1) {
    row_label(look, "Batch");
    auto batch = static_cast<double>(settings.batch);
    double const lowest = state.input_extents.low.batch;
    if (slider(look, "##batch", batch, lowest, lowest + batches - 1.0, std::to_string(settings.batch))) {
      settings.batch = static_cast<std::int32_t>(std::lround(batch));
    }
  }
}

std::string kernel_text(SparseState const& state, int size)
{
  return state.is_flat() ? fmt::format("{0} × {0}", size) : fmt::format("{0} × {0} × {0}", size);
}

}  // namespace

void sites_panel(Look const& look, SparseState& state)
{
  heading(look, "SITES");
  source_row(look, state);
  grid_row(look, state);
  voxel_row(look, state);
  outliers_row(look, state);
  slice_rows(look, state);
}

void convolution_panel(Look const& look, SparseState& state)
{
  sparse::SparseSettings& convolution = state.settings.convolution;
  heading(look, "CONVOLUTION");
  setting_row(look, "mode", convolution);
  setting_row(look, "kernel", convolution, {.shown = kernel_text(state, convolution.kernel)});
  if (convolution.mode != Mode::submanifold) { setting_row(look, "stride", convolution); }
  setting_row(look, "dilation", convolution);
  auto const offers = [&](std::size_t i) {
    sparse::SparseSettings wanted = convolution;
    wanted.search = enum_names<Search>()[i].value;
    reconcile(wanted);
    return wanted.search == enum_names<Search>()[i].value;
  };
  setting_row(look, "search", convolution, {.offers = offers});
  reconcile(convolution);
}

void site_table_panel(Look const& look, SparseState& state)
{
  sparse::SparseSettings& convolution = state.settings.convolution;
  heading(look, "TABLE");
  row_label(look, "Family");
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (ImGui::BeginCombo("##family", translated(family_info(convolution.family).title).c_str())) {
    for (std::string_view const name : sparse::table_families) {
      std::string const family_name(name);
      FamilyInfo const& family = family_info(family_name);
      bool const offered = family.wide || state.snapshot.key_bits == 32;
      auto const flags = offered ? ImGuiSelectableFlags_None : ImGuiSelectableFlags_Disabled;
      if (ImGui::Selectable(translated_label(family.title).c_str(), convolution.family == name, flags)) {
        convolution.family = name;
      }
    }
    ImGui::EndCombo();
  }
  hint(look, fmt::format("{}\n\n{}", translated(family_info(convolution.family).idea),
                         family_info(convolution.family).source));
  setting_row(look, "load_factor", convolution);
  if (family_info(convolution.family).uses_hash) {
    hash_setting_row(look, &sparse::SparseSettings::hash, convolution, state.hash_field);
  }
  setting_row(look, "order", convolution);
  reconcile(convolution);
}

}  // namespace slotscape
