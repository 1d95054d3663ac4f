#include "app/base/fixed.hpp"
#include "app/base/text.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {
namespace {

struct Fact {
  std::string name;
  std::string value;
  ImU32 color = theme::text;
  bool is_brief = true;  ///< also shown in little space
};

void draw_fact(Look const& look, Fact const& fact)
{
  ImGui::TextColored(theme::rgba(theme::text_dim), "%s", translated(fact.name).c_str());
  ImGui::SameLine(std::max(look(102.0f), ImGui::GetItemRectSize().x + look(24.0f)));
  ImGui::PushStyleColor(ImGuiCol_Text, fact.color);
  ImGui::TextUnformatted(fact.value.c_str());
  ImGui::PopStyleColor();
}

/// In a small view, some facts move to a hint, so that the card does not hide the models.
void draw_facts(Look const& look, std::vector<Fact> const& facts, bool is_small)
{
  std::string further;
  for (Fact const& fact : facts) {
    if (fact.is_brief || !is_small) {
      draw_fact(look, fact);
    } else {
      further += fmt::format("{}{}: {}", further.empty() ? "" : "\n", translated(fact.name), fact.value);
    }
  }
  if (further.empty()) { return; }
  remark(look, "Point here for more.");
  hint(look, further);
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

/// One sign for each occupied one of the six neighbours: "−x +x · −z".
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
  return occupied == 0 ? std::string(tr("none")) : fmt::format("{}:{}", occupied, text);
}

/// Names the coordinates of a voxel's position.
std::string position_name(SpatialState const& state, spatial::Model model)
{
  auto const home = home_of(state, model);
  return home ? tr("In {}'s file", letter_of(*home)) : translatable("In the scene");
}

/// Breaks the text to one coordinate per line if it is too long for one line.
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

void add_voxel_facts(SpatialState const& state, WatchedVoxel const& voxel, std::vector<Fact>& facts)
{
  spatial::VoxelInfo const& info = *voxel.info;
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  FamilyInfo const& family = family_info(state.settings.hashing.family);
  Color const& color = status_colors(state.settings)[info.status];
  constexpr bool in_full_only = false;
  bool const has_status = !is_one_alone(state);
  if (has_status) {
    facts.push_back(
        {translatable("Status"), translated(label_of_status(state, voxel.model, info.status)), packed(color)});
  }
  if (has_status && info.seed) {
    facts.push_back(
        {translatable("Seed"), tr("voxel {}", cell_text(cell_of(grid, *info.seed))), theme::text, in_full_only});
  }
  facts.push_back({translatable("Points"), grouped(info.points)});
  facts.push_back({position_name(state, voxel.model), in_lines(position_text(state, info))});
  facts.push_back({translatable("Normal"),
                   fmt::format("{}, {}, {}", with_minus(fixed(info.normal.x, 2)), with_minus(fixed(info.normal.y, 2)),
                               with_minus(fixed(info.normal.z, 2))),
                   theme::text, in_full_only});
  facts.push_back({translatable("Index"),
                   tr("{} of {}", grouped(info.index), grouped(state.snapshot.models[voxel.model].voxels)), theme::text,
                   in_full_only});
  facts.push_back({translatable("Slot"), grouped(info.slot)});
  facts.push_back({std::string(family.measure.name), grouped(voxel.probe_length)});
  facts.push_back({translatable("Neighbours"), neighbours_text(info), theme::text, in_full_only});
}

}  // namespace

bool draw_voxel_card(Look const& look, SpatialState const& state, Rectangle const& canvas, CardPlace& card)
{
  if (!state.selected) { return true; }
  WatchedVoxel const& voxel = *state.selected;
  bool const close = begin_card(look, "##voxel", canvas, card);
  constexpr float small_height = 420.0f;
  Color const& color = model_colors[static_cast<std::size_t>(voxel.model)];
  std::vector<Fact> facts{{translatable("Voxel of"), letter_of(voxel.model), packed(color)},
                          {translatable("Cell"), cell_text(cell_of(state.settings.hashing.grid, voxel.key))},
                          {translatable("Key"), fmt::format("{}", voxel.key)}};
  if (voxel.info) { add_voxel_facts(state, voxel, facts); }
  draw_facts(look, facts, static_cast<float>(canvas.height) < look(small_height));
  if (!voxel.info) { remark(look, "No points are in it now: the table does not hold its key."); }
  end_card();
  return !close;
}

}  // namespace slotscape
