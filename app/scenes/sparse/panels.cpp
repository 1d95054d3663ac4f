#include "app/base/text.hpp"
#include "app/clouds/builtin.hpp"
#include "app/scenes/sparse/gui.hpp"
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
  if (ImGui::BeginCombo("##sites", label_of_sites(source.name).c_str(), ImGuiComboFlags_HeightLargest)) {
    for (std::string_view const name : builtin_sources()) {
      if (ImGui::Selectable(label_of_sites(std::string(name)).c_str(), source.name == name)) { source.name = name; }
    }
    ImGui::EndCombo();
  }
  hint(look, "Active sites: the cells of a grid that the points of a shape or a model fall into, or a drawing.");
  ImGui::SameLine();
  if (ImGui::Button("Open…")) { state.ask(AskForSites{}); }
  hint(look, "A model, a point cloud, or a .npy file with batch, x, y and z of a site in each row (Ctrl+O).");
}

/// Arrays of sites have their own extents; points fall into the cells of a grid.
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
  if (ImGui::BeginCombo("##grid", fmt::format("{} sites along each axis", source.grid).c_str(),
                        ImGuiComboFlags_HeightLargest)) {
    for (std::uint32_t const grid : site_grids) {
      if (ImGui::Selectable(std::to_string(grid).c_str(), source.grid == grid)) { source.grid = grid; }
    }
    ImGui::EndCombo();
  }
  hint(look,
       "The tensor's extents. They are virtual: only active sites take memory. The comma key makes the grid "
       "coarser, the period key finer.");
}

void slice_rows(Look const& look, SparseState& state)
{
  SparseSceneSettings& settings = state.settings;
  if (!state.is_flat()) {
    row_label(look, "View");
    constexpr std::array<std::string_view, 2> views{"Space", "Slice"};
    int view = static_cast<int>(settings.view);
    if (segmented(look, "view", views, view)) { settings.view = static_cast<SiteView>(view); }
    hint(look, "Voxels in space, or a slice of them that shows every number (V).");
    row_label(look, "Across");
    constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};
    int axis = static_cast<int>(settings.slice_across);
    if (segmented(look, "across", axes, axis)) { settings.slice_across = static_cast<SliceAxis>(axis); }
    hint(look, "The axis that the slice is cut across.");
    row_label(look, "Slice");
    std::int32_t const lowest = state.slice_coordinate - state.slice_index;
    slider(look, "##slice", settings.slice_at, 0.0, 1.0,
           fmt::format("{} ({} to {})", state.slice_coordinate, lowest, lowest + state.slice_depth - 1));
    hint(look, "Which slice is shown. Up and Down move it by one.");
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

/// A slider over a few whole numbers.
bool whole_slider(Look const& look, char const* id, int& value, int low, int high, std::string const& text)
{
  auto number = static_cast<double>(value);
  if (!slider(look, id, number, low, high, text)) { return false; }
  int const chosen = static_cast<int>(std::lround(number));
  return std::exchange(value, chosen) != chosen;
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
  slice_rows(look, state);
}

void convolution_panel(Look const& look, SparseState& state)
{
  sparse::SparseSettings& convolution = state.settings.convolution;
  heading(look, "CONVOLUTION");
  row_label(look, "Mode");
  ImGui::SetNextItemWidth(-FLT_MIN);
  choose("##mode", convolution.mode);
  hint(look,
       "Submanifold: outputs are the active sites, so that a network stays sparse. Sparse: every site that reads "
       "an active one; with a stride, on a coarser grid. Transposed: back from the outputs of a strided "
       "convolution to its inputs.");
  row_label(look, "Kernel");
  whole_slider(look, "##kernel", convolution.kernel, 1, sparse::max_kernel, kernel_text(state, convolution.kernel));
  hint(look, "How many sites an output reads along each axis.");
  if (convolution.mode != Mode::submanifold) {
    row_label(look, "Stride");
    whole_slider(look, "##stride", convolution.stride, 1, 4, std::to_string(convolution.stride));
    hint(look, "Sites between the outputs along each axis.");
  }
  row_label(look, "Dilation");
  whole_slider(look, "##dilation", convolution.dilation, 1, 4, std::to_string(convolution.dilation));
  hint(look, "Sites between those that an output reads.");
  row_label(look, "Search");
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (ImGui::BeginCombo("##search", std::string(to_label(convolution.search)).c_str())) {
    for (EnumName<Search> const& name : enum_names<Search>()) {
      sparse::SparseSettings wanted = convolution;
      wanted.search = name.value;
      reconcile(wanted);
      bool const offered = wanted.search == name.value;
      auto const flags = offered ? ImGuiSelectableFlags_None : ImGuiSelectableFlags_Disabled;
      if (ImGui::Selectable(std::string(name.label).c_str(), convolution.search == name.value, flags)) {
        convolution.search = name.value;
      }
    }
    ImGui::EndCombo();
  }
  hint(look,
       "How neighbours are found. By symmetry: where b is the neighbour of a, a is that of b at the opposite "
       "offset (submanifold, odd kernels). Shared: along z, rows in row-major order tell the next neighbour of "
       "one that is there.");
  reconcile(convolution);
}

void site_table_panel(Look const& look, SparseState& state)
{
  sparse::SparseSettings& convolution = state.settings.convolution;
  heading(look, "TABLE");
  row_label(look, "Family");
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (ImGui::BeginCombo("##family", std::string(family_info(convolution.family).title).c_str())) {
    for (std::string_view const name : sparse::table_families) {
      std::string const family_name(name);
      FamilyInfo const& family = family_info(family_name);
      bool const offered = family.wide || state.snapshot.key_bits == 32;
      auto const flags = offered ? ImGuiSelectableFlags_None : ImGuiSelectableFlags_Disabled;
      if (ImGui::Selectable(std::string(family.title).c_str(), convolution.family == name, flags)) {
        convolution.family = name;
      }
    }
    ImGui::EndCombo();
  }
  hint(look, fmt::format("{}\n\n{}", family_info(convolution.family).idea, family_info(convolution.family).source));
  row_label(look, "Load α");
  slider(look, "##load", convolution.load_factor, 0.1, 0.95, fmt::format("{:.2f}", convolution.load_factor));
  hint(look, "Sites / slots.");
  if (family_info(convolution.family).uses_hash) {
    row_label(look, "Hash");
    ImGui::SetNextItemWidth(-FLT_MIN);
    choose("##hash", convolution.hash);
    hint(look, "identity puts neighbouring sites next to each other: watch what happens to the clusters.");
  }
  row_label(look, "Rows");
  ImGui::SetNextItemWidth(-FLT_MIN);
  choose("##order", convolution.order);
  hint(look,
       "The order in which sites are numbered, and so which of them lie side by side in memory. It changes what "
       "caches make of the lookups, and not what they find.");
  reconcile(convolution);
}

}  // namespace slotscape
