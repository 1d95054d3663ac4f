#include "app/scenes/spatial/map/voxel_lookups.hpp"

#include "app/scenes/spatial/settings.hpp"

#include <array>
#include <utility>

namespace slotscape {
namespace {

/// For x, y and z: Okabe and Ito's vermilion, green and blue, lighter for a dark background.
constexpr std::array<ImU32, 3> axis_colors{IM_COL32(0xff, 0x86, 0x55, 0xff), IM_COL32(0x4f, 0xdc, 0xa4, 0xff),
                                           IM_COL32(0x7c, 0xc4, 0xff, 0xff)};

}  // namespace

MapLookup neighbour_lookup(int face, ProbePath path)
{
  std::string label = face % 2 == 0 ? "−" : "+";
  label += "xyz"[face / 2];
  return {std::move(path), std::move(label), axis_colors[static_cast<std::size_t>(face / 2)]};
}

MapLookup voxel_lookup(spatial::Model model, ProbePath path)
{
  std::string label = "voxel of ";
  label += letter_of(model);
  return {std::move(path), std::move(label), selected_color};
}

}  // namespace slotscape
