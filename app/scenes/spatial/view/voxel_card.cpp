#include "app/base/text.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace slotscape {
namespace {

void fact(Look const& look, char const* name, std::string const& value, ImU32 color = theme::text)
{
  ImGui::TextColored(theme::rgba(theme::text_dim), "%s", name);
  ImGui::SameLine(look(102.0f));
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(value.c_str());
  ImGui::PopStyleColor();
}

std::string cell_text(spatial::Cell const& cell)
{
  return fmt::format("{}, {}, {}", cell.x, cell.y, cell.z);
}

spatial::Cell cell_of(spatial::VoxelGrid const& grid, Key key)
{
  bool const wide = grid.side > spatial::max_narrow_grid_side;
  return wide ? spatial::cell_of_key<std::uint64_t>(key)
              : spatial::cell_of_key<std::uint32_t>(static_cast<std::uint32_t>(key));
}

/// One letter for each of the six neighbours that is occupied: "−x +x · −z".
std::string neighbours_text(spatial::VoxelInfo const& voxel)
{
  constexpr std::array<char const*, spatial::face_count> names{"−x", "+x", "−y", "+y", "−z", "+z"};
  std::string text;
  int occupied = 0;
  for (std::size_t face = 0; face < names.size(); ++face) {
    if (!voxel.neighbours[face]) { continue; }
    text += fmt::format(" {}", names[face]);
    ++occupied;
  }
  return occupied == 0 ? "none" : fmt::format("{}:{}", occupied, text);
}

/// Says in which coordinates a voxel's position is.
std::string position_name(SpatialState const& state, spatial::Model model)
{
  auto const home = home_of(state, model);
  return home ? fmt::format("In {}'s file", letter_of(*home)) : "In the scene";
}

/// One coordinate a line, if they are too long for one.
std::string in_lines(std::string const& text)
{
  constexpr std::size_t line_length = 24;
  if (text.size() <= line_length) { return text; }
  std::string lines;
  std::string_view rest = text;
  for (std::size_t comma = rest.find(", "); comma != std::string_view::npos; comma = rest.find(", ")) {
    lines += fmt::format("{}\n", rest.substr(0, comma));
    rest.remove_prefix(comma + 2);
  }
  return lines.append(rest);
}

void voxel_facts(Look const& look, SpatialState const& state, WatchedVoxel const& voxel)
{
  spatial::VoxelInfo const& info = *voxel.info;
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  FamilyInfo const& family = family_info(state.settings.hashing.family);
  Color const& color = status_colors(state.settings.view)[info.status];
  fact(look, "Status", std::string(label_of_status(state, voxel.model, info.status)), packed(color));
  if (info.seed) { fact(look, "Seed", "voxel " + cell_text(cell_of(grid, *info.seed))); }
  fact(look, "Points", grouped(info.points));
  fact(look, position_name(state, voxel.model).c_str(), in_lines(position_text(state, info)));
  fact(look, "Normal", fmt::format("{:.2f}, {:.2f}, {:.2f}", info.normal.x, info.normal.y, info.normal.z));
  fact(look, "Index", fmt::format("{} of {}", grouped(info.index), grouped(state.snapshot.models[voxel.model].voxels)));
  fact(look, "Slot", grouped(info.slot));
  fact(look, std::string(family.measure.name).c_str(), grouped(voxel.probe_length));
  fact(look, "Neighbours", neighbours_text(info));
}

}  // namespace

bool draw_voxel_card(Look const& look, SpatialState const& state, Rectangle const& canvas, CardPlace& card)
{
  if (!state.selected) { return true; }
  WatchedVoxel const& voxel = *state.selected;
  bool const close = begin_card(look, "##voxel", canvas, card);
  Color const& color = model_colors[static_cast<std::size_t>(voxel.model)];
  fact(look, "Voxel of", letter_of(voxel.model), packed(color));
  fact(look, "Cell", cell_text(cell_of(state.settings.hashing.grid, voxel.key)));
  fact(look, "Key", fmt::format("{}", voxel.key));
  if (voxel.info) {
    voxel_facts(look, state, voxel);
  } else {
    remark(look, "No points are in it now: the table does not hold its key.");
  }
  end_card();
  return !close;
}

}  // namespace slotscape
