#pragma once

#include "app/table_map/annotations.hpp"
#include "app/widgets/look.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// A lookup, drawn on the map of the table that it reads. Without a label, its slots are only marked.
struct MapLookup {
  ProbePath path;
  std::string label;
  theme::Role color;
};

/// Links between a slot map and the picture beside it.
struct MapLinks {
  std::optional<Slot> hovered;
  std::optional<Slot> selected;
  std::vector<MapLookup> lookups;
};

/// Marks the slots and draws each lookup from the key's home to where it ended: a ring for a hit, a cross for a miss.
/// Marks are visible however small the slots are; pointers at the edge of the canvas lead to slots outside. The slot
/// `under_mouse` gets no label, because the map itself describes it.
void draw_links(Annotator const& on, MapLinks const& links, std::optional<Slot> under_mouse);

inline constexpr float halo_radius = 10.0f;  ///< at scale 1
}  // namespace slotscape
