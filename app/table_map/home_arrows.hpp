#pragma once

#include "app/table_map/annotations.hpp"

#include <vector>

namespace slotscape {

/// A key in another slot than its home, with the top left corners of both cells in pixels.
struct AwayKey {
  Slot home;
  Slot slot;
  ImVec2 home_corner;
  ImVec2 corner;
};

/// The arrow from a key's home to its slot: its corners, from the start to the tip.
struct HomeArrow {
  AwayKey key;
  std::vector<ImVec2> points;
};

/// Arrows along the borders of cells of this side, whose slot numbers are in a band of this height. Each arrow starts
/// at a place of its own, and no two of them run along one line. They depend on the keys alone, and not on their order.
std::vector<HomeArrow> home_arrows(std::vector<AwayKey> const& keys, float side, float band);

/// Draws an arrow from each key's home to its slot. In families whose chains have nodes that are read at once, one
/// leads to each node. Text hides them.
void draw_home_arrows(Annotator const& on, MapState const& state);

}  // namespace slotscape
