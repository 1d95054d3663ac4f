#include "app/base/fixed.hpp"
#include "app/base/text.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/loader.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/hash_row.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

constexpr std::array<std::uint32_t, 12> sides{32, 48, 64, 96, 128, 192, 256, 384, 512, 1024, 2048, 4096};

/// The width of a voxel in the scene and in the units of each file; it can be edited.
void voxel_rows(Look const& look, SpatialState& state)
{
  row_label(look, "Voxel");
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(tr("{:.5f} in the scene", static_cast<double>(state.settings.hashing.grid.voxel())).c_str());
  hint(look,
       "Side of a voxel, in units of the scene. These are not the units of your files: in the scene, a model of scale "
       "1 has radius 1.");
  for (spatial::Model const model : both_models) {
    auto const width = voxel_in_file(state, model);
    if (!width) { continue; }
    clouds::CoordinateSystem const& system = state.clouds[model].system;
    std::string const units = clouds::units_text(system);
    row_label(look, tr("in {}'s file", letter_of(model)).c_str());
    ImGui::PushID(letter_of(model));
    ImGui::SetNextItemWidth(look(84.0f));
    if (auto const typed = number_field("##voxel", *width)) { state.ask(UseVoxel{model, *typed}); }
    hint(look, tr("Side of a voxel in {} of {}. Type another width and press Enter: the grid follows, and voxels keep "
                  "that width however the model is placed.",
                  units.empty()           ? tr("the units of the coordinates (metres, if these are metres)")
                  : system.has_one_unit() ? tr("{}, the unit", units)
                                          : tr("{}, the units", units),
                  translated(label_of_source(state.settings.models[model].source))));
    ImGui::PopID();
    if (units.empty()) { continue; }
    ImGui::SameLine();
    ImGui::TextUnformatted(units.c_str());
  }
}

void grid_rows(Look const& look, SpatialState& state)
{
  spatial::SpatialSettings& hashing = state.settings.hashing;
  SettingText const& side_text = setting_named<spatial::VoxelGrid>("side").text;
  setting_label(look, side_text);
  if (ImGui::BeginCombo("##grid", tr("{}³ voxels", hashing.grid.side).c_str(), ImGuiComboFlags_HeightLargest)) {
    for (std::uint32_t const side : sides) {
      bool const wide = side > spatial::max_narrow_grid_side;
      bool const offered = !wide || hashing.family == "linear_probing";
      std::string const label = wide ? tr("{}³   64-bit keys", side) : fmt::format("{}³", side);
      auto const flags = offered ? ImGuiSelectableFlags_None : ImGuiSelectableFlags_Disabled;
      if (ImGui::Selectable(label.c_str(), side == hashing.grid.side, flags)) { hashing.grid.side = side; }
      if (!offered) { hint(look, "64-bit keys need linear probing."); }
    }
    ImGui::EndCombo();
  }
  hint(look, std::string(side_text.hint));
  auto const extent = static_cast<double>(hashing.grid.extent);
  std::string in_files;
  for (spatial::Model const model : both_models) {
    auto const scale = scene_units_per_unit(state, model);
    if (scale) {
      in_files += "\n" + tr("{} in {}'s file", length_in_file(state, model, extent / *scale), letter_of(model));
    }
  }
  setting_row(look, "extent", hashing.grid, {.low = 1.0, .high = 20.0, .more_hint = in_files});
  voxel_rows(look, state);
}

void family_row(Look const& look, spatial::SpatialSettings& hashing)
{
  constexpr std::array<std::string_view, 2> labels{translatable("Two-level cuckoo"), translatable("Linear probing")};
  int chosen = hashing.family == "linear_probing" ? 1 : 0;
  if (segmented(look, "family", labels, chosen, ImGui::GetContentRegionAvail().x)) { exchange_table(hashing); }
  FamilyInfo const& family = family_info(hashing.family);
  hint(look, fmt::format("{}\n\n{}\n\n{}", translated(family.idea), family.source, tr("X switches between the two.")));
}

}  // namespace

void hashing_panel(Look const& look, SpatialState& state)
{
  spatial::SpatialSettings& hashing = state.settings.hashing;
  heading(look, "GRID AND TABLES");
  grid_rows(look, state);
  family_row(look, hashing);
  bool const linear = hashing.family == "linear_probing";
  setting_row(look, "load_factor", hashing, {.max = linear ? spatial::max_load_factor : spatial::max_two_level_load});
  if (family_info(hashing.family).uses_hash) {
    hash_setting_row(look, &spatial::SpatialSettings::hash, hashing, state.hash_field);
  }
  if (is_one_alone(state) || !disclosure(look, "Inside and outside")) { return; }
  constexpr double widest = 3.0;
  auto const voxels = [](float distance) { return with_minus(fixed(distance, 2)) + " voxels"; };
  float const inside = hashing.inside_below;
  float const outside = hashing.outside_above;
  setting_row(look, "inside_below", hashing, {.shown = voxels(inside), .low = -widest, .high = 0.0, .max = outside});
  setting_row(look, "outside_above", hashing, {.shown = voxels(outside), .low = 0.0, .high = widest, .min = inside});
}

}  // namespace slotscape
