#include "app/base/text.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/loader.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/widgets/controls.hpp"
#include "gpu/tables/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

constexpr std::array<std::uint32_t, 12> sides{32, 48, 64, 96, 128, 192, 256, 384, 512, 1024, 2048, 4096};

/// How wide a voxel is, in the scene and in the units of each file, where it can be typed.
void voxel_rows(Look const& look, SpatialState& state)
{
  row_label(look, "Voxel");
  ImGui::AlignTextToFramePadding();
  ImGui::Text("%.5f in the scene", static_cast<double>(state.settings.hashing.grid.voxel()));
  hint(look, "Side of a voxel. Units of the scene are no units of your files: a model of scale 1 has radius 1 there.");
  for (spatial::Model const model : both_models) {
    auto const width = voxel_in_file(state, model);
    if (!width) { continue; }
    std::string const& unit = state.clouds[model].unit;
    row_label(look, "");
    ImGui::PushID(letter_of(model));
    double typed = *width;
    ImGui::SetNextItemWidth(look(84.0f));
    if (ImGui::InputDouble("##voxel", &typed, 0.0, 0.0, "%.4g", ImGuiInputTextFlags_EnterReturnsTrue)) {
      state.ask(UseVoxel{model, typed});
    }
    hint(look,
         fmt::format("Side of a voxel in {} of {}. Type another one, and Enter: the grid follows, and voxels keep that "
                     "width however the model is placed.",
                     unit.empty() ? "the units of the coordinates (metres, if these are metres)" : unit + ", the unit",
                     label_of_source(state.settings.models[model].source)));
    ImGui::PopID();
    ImGui::SameLine();
    ImGui::TextUnformatted(fmt::format("{}{}in {}'s file", unit, unit.empty() ? "" : " ", letter_of(model)).c_str());
  }
}

void grid_rows(Look const& look, SpatialState& state)
{
  spatial::SpatialSettings& hashing = state.settings.hashing;
  row_label(look, "Grid");
  if (ImGui::BeginCombo("##grid", fmt::format("{}³ voxels", hashing.grid.side).c_str(),
                        ImGuiComboFlags_HeightLargest)) {
    for (std::uint32_t const side : sides) {
      bool const wide = side > spatial::max_narrow_grid_side;
      bool const offered = !wide || hashing.family == "linear_probing";
      std::string const label = fmt::format("{}³{}", side, wide ? "   64-bit keys" : "");
      auto const flags = offered ? ImGuiSelectableFlags_None : ImGuiSelectableFlags_Disabled;
      if (ImGui::Selectable(label.c_str(), side == hashing.grid.side, flags)) { hashing.grid.side = side; }
      if (!offered) { hint(look, "64-bit keys need linear probing."); }
    }
    ImGui::EndCombo();
  }
  hint(look,
       "Voxels along each side of the grid. It is virtual: only voxels with points in them take memory. The comma key "
       "halves it, the period key doubles it.");
  row_label(look, "Extent");
  auto extent = static_cast<double>(hashing.grid.extent);
  if (slider(look, "##extent", extent, 1.0, 20.0, fmt::format("{:.2f}", extent), true)) {
    hashing.grid.extent = static_cast<float>(extent);
  }
  std::string in_files;
  for (spatial::Model const model : both_models) {
    auto const scale = scene_units_per_unit(state, model);
    if (scale) {
      in_files += fmt::format("\n{} in {}'s file", length_in_file(state, model, extent / *scale), letter_of(model));
    }
  }
  hint(look, "Side of the grid in units of the scene. A model of scale 1 has radius 1 there." + in_files);
  voxel_rows(look, state);
}

void family_row(Look const& look, spatial::SpatialSettings& hashing)
{
  constexpr std::array<std::string_view, 2> labels{"Two-level cuckoo", "Linear probing"};
  int chosen = hashing.family == "linear_probing" ? 1 : 0;
  if (segmented(look, "family", labels, chosen, ImGui::GetContentRegionAvail().x)) { exchange_table(hashing); }
  FamilyInfo const& family = family_info(hashing.family);
  hint(look, fmt::format("{}\n\n{}\n\nX switches between the two.", family.idea, family.source));
}

}  // namespace

void hashing_panel(Look const& look, SpatialState& state)
{
  spatial::SpatialSettings& hashing = state.settings.hashing;
  heading(look, "GRID AND TABLES");
  grid_rows(look, state);
  family_row(look, hashing);
  bool const two_level = hashing.family != "linear_probing";
  double const most = two_level ? spatial::max_two_level_load : 0.95;
  row_label(look, "Load α");
  slider(look, "##load", hashing.load_factor, 0.1, most, fmt::format("{:.2f}", hashing.load_factor));
  hint(look, two_level ? "Target for voxels / slots. Cuckoo buckets can be filled up to 0.7."
                       : "Target for voxels / slots. Probe lengths grow with it.");
  if (family_info(hashing.family).uses_hash) {
    row_label(look, "Hash");
    choose("##hash", hashing.hash);
    hint(look, "identity puts neighbouring voxels next to each other: watch what happens to the clusters.");
  }
  if (!disclosure(look, "Inside and outside")) { return; }
  constexpr double widest = 3.0;
  auto below = static_cast<double>(hashing.inside_below);
  auto above = static_cast<double>(hashing.outside_above);
  row_label(look, "Inside <");
  if (slider(look, "##below", below, -widest, 0.0, fmt::format("{:.2f} voxels", below))) {
    hashing.inside_below = static_cast<float>(below);
  }
  hint(look, "Voxels next to the other surface that lie deeper inside than this are seeds of the flood fill.");
  row_label(look, "Outside >");
  if (slider(look, "##above", above, 0.0, widest, fmt::format("{:.2f} voxels", above))) {
    hashing.outside_above = static_cast<float>(above);
  }
  hint(look, "Voxels next to the other surface that lie farther outside than this are seeds of the flood fill.");
}

}  // namespace slotscape
