#include "app/table_map/beside_map.hpp"

#include "app/table_map/mean_and_max.hpp"
#include "app/table_map/overlays.hpp"
#include "app/widgets/controls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr float min_width_side_by_side = 700.0f;
constexpr float share_of_map = 0.42f;
constexpr float map_caption_height = 26.0f;

}  // namespace

BesideMap place_beside(Look const& look, Rectangle& picture)
{
  Rectangle maps = picture;
  if (picture.width >= static_cast<int>(look(min_width_side_by_side))) {
    maps.width = static_cast<int>(std::lround(static_cast<float>(picture.width) * share_of_map));
    picture.width -= maps.width;
    maps.x += picture.width;
  } else {
    maps.height = static_cast<int>(std::lround(static_cast<float>(picture.height) * share_of_map));
    picture.height -= maps.height;
    maps.y += picture.height;
  }
  int const caption = static_cast<int>(look(map_caption_height));
  int const legend = static_cast<int>(legend_height(look));
  return {{maps.x, maps.y, maps.width, caption},
          {maps.x, maps.y + caption, maps.width, std::max(maps.height - caption - legend, 1)},
          {maps.x, maps.y + maps.height - legend, maps.width, legend}};
}

void draw_map_caption(Look const& look, char const* id, Rectangle const& place, MapState const& table,
                      std::string const& what)
{
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(8.0f), look(4.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::Begin(id, nullptr, strip_flags);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  FamilyInfo const& family = family_of(table);
  ImGui::TextUnformatted(fmt::format("{} · {}", translated(family.title), load_and_accesses(table.statistics)).c_str());
  hint(look, fmt::format("{}\n\n{}", what, translated(family.idea)));
  ImGui::End();
}

}  // namespace slotscape
