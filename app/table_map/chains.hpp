#pragma once

#include "app/table_map/annotations.hpp"

namespace slotscape {

/// The plane of a small table of chains in an area of this size, according to its settings; nothing if it is not drawn
/// as chains, or if its cells would be too small.
std::optional<Plane> plane_of_chains(MapState const& state, double width, double height);

/// Draws the heads, their chains' nodes, and the arrows between them, if the plane shows chains.
void draw_chains(Annotator const& on, MapState const& state);

}  // namespace slotscape
