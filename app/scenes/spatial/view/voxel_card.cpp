#include "app/base/text.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"

#include <fmt/format.h>

#include <array>

namespace slotscape {
namespace {

constexpr float card_width = 292.0f;

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

void voxel_facts(Look const& look, SpatialState const& state, WatchedVoxel const& voxel)
{
  spatial::VoxelInfo const& info = *voxel.info;
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  FamilyInfo const& family = family_info(state.settings.hashing.family);
  Color const& color = status_colors(state.settings.view)[info.status];
  fact(look, "Status", std::string(to_label(info.status)),
       ImGui::ColorConvertFloat4ToU32({color.red, color.green, color.blue, 1.0f}));
  if (info.seed) { fact(look, "Seed", "voxel " + cell_text(cell_of(grid, *info.seed))); }
  fact(look, "Points", grouped(info.points));
  fact(look, "Normal", fmt::format("{:.2f}, {:.2f}, {:.2f}", info.normal.x, info.normal.y, info.normal.z));
  fact(look, "Index", fmt::format("{} of {}", grouped(info.index), grouped(state.snapshot.models[voxel.model].voxels)));
  fact(look, "Slot", grouped(info.slot));
  fact(look, std::string(family.measure.name).c_str(), grouped(voxel.probe_length));
  fact(look, "Neighbours", neighbours_text(info));
}

}  // namespace

bool draw_voxel_card(Look const& look, SpatialState const& state, Rectangle const& canvas)
{
  if (!state.selected) { return true; }
  WatchedVoxel const& voxel = *state.selected;
  float const margin = look(12.0f);
  ImGui::SetNextWindowPos({static_cast<float>(canvas.x) + margin, static_cast<float>(canvas.y) + margin});
  ImGui::SetNextWindowSize({look(card_width), 0.0f});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::with_alpha(theme::panel, 0.94f));
  ImGui::Begin("##voxel", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_AlwaysAutoResize);
  float const top = ImGui::GetCursorPosY();
  ImGui::SetCursorPos({look(card_width) - look(32.0f), look(8.0f)});
  ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32(0, 0, 0, 0));
  bool const close = icon_button(look, "close", Icon::close, {look(24.0f), look(24.0f)});
  ImGui::PopStyleColor();
  ImGui::SetCursorPosY(top);
  Color const& color = model_colors[static_cast<std::size_t>(voxel.model)];
  fact(look, "Voxel of", letter_of(voxel.model),
       ImGui::ColorConvertFloat4ToU32({color.red, color.green, color.blue, 1.0f}));
  fact(look, "Cell", cell_text(cell_of(state.settings.hashing.grid, voxel.key)));
  fact(look, "Key", fmt::format("0x{:x}", voxel.key));
  if (voxel.info) {
    voxel_facts(look, state, voxel);
  } else {
    remark(look, "No points are in it now: the table does not hold its key.");
  }
  ImGui::End();
  ImGui::PopStyleColor();
  return !close;
}

}  // namespace slotscape
