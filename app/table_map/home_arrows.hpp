#pragma once

#include "app/table_map/annotations.hpp"

#include <vector>

namespace slotscape {

/// A key that is not in its home slot, with the top left corners of both cells in pixels.
struct AwayKey {
  Slot home;
  Slot slot;
  ImVec2 home_corner;
  ImVec2 corner;
};

/// The arrow from a key's home to its slot: its corners from start to tip.
struct HomeArrow {
  AwayKey key;
  std::vector<ImVec2> points;
};

/// Arrows along the borders of cells with this side, with slot numbers in a band of this height. Each arrow has its own
/// start, and no two share a line. The result does not depend on the order of the keys.
std::vector<HomeArrow> home_arrows(std::vector<AwayKey> const& keys, float side, float band);

/// Draws an arrow from each key's home to its slot. In families whose chain nodes are each read as a whole, draws one
/// to each node. Text covers the arrows.
void draw_home_arrows(Annotator const& on, MapState const& state);

}  // namespace slotscape
