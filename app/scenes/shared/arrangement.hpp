#pragma once

#include "app/gui.hpp"
#include "app/scenes/slots/slot_map.hpp"

#include <vector>

namespace slotscape {

inline constexpr float map_header_height = 42.0f;  ///< at scale 1

struct MapPlace {
  Rectangle header;
  Rectangle caption;  ///< height 0 where there is none
  Rectangle canvas;
};

/// Divides the canvas into `count` places of one size, in the rows and columns in which maps of this aspect (width /
/// height) become largest. captions: each has one below its header, whose height is given at scale 1.
std::vector<MapPlace> arrange_maps(Look const& look, Rectangle const& canvas, std::size_t count, double aspect,
                                   bool captions, float header_height = map_header_height);

}  // namespace slotscape
