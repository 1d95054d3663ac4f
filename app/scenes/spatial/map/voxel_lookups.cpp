#include "app/scenes/spatial/map/voxel_lookups.hpp"

#include "app/scenes/spatial/settings.hpp"

#include <array>
#include <utility>

namespace slotscape {
MapLookup neighbour_lookup(int face, ProbePath path)
{
  std::string label = face % 2 == 0 ? "−" : "+";
  label += "xyz"[face / 2];
  return {std::move(path), std::move(label), theme::neighbours[static_cast<std::size_t>(face / 2)]};
}

MapLookup voxel_lookup(spatial::Model model, ProbePath path)
{
  std::string label = "voxel of ";
  label += letter_of(model);
  return {std::move(path), std::move(label), selected_color};
}

}  // namespace slotscape
