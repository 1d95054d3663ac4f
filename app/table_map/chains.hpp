#pragma once

#include "app/table_map/annotations.hpp"

namespace slotscape {

/// The plane of a small table of chains in a room of this size, as its settings say; nothing where it is not drawn so,
/// or its cells would be too small.
std::optional<Plane> plane_of_chains(MapState const& state, double width, double height);

/// Draws the heads, their chains' nodes, and arrows from each to the next: where the plane is one of chains.
void draw_chains(Annotator const& on, MapState const& state);

}  // namespace slotscape
