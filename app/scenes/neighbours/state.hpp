#pragma once

#include "app/scene/facts.hpp"
#include "app/scenes/neighbours/finder.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/table_map/map_state.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace slotscape {

/// Everything that the panels and views read and edit.
struct NeighbourState {
  NeighbourSceneSettings settings;
  HashField hash_field;
  DeviceFacts device;

  /// --- the shown result; empty before the first one.
  std::optional<NeighboursQuery> shown;
  NeighboursResult result;
  neighbours::CellGrid grid;
  MapState table;  ///< state of the slot map
  std::uint64_t table_bytes = 0;

  bool is_pinned = false;  ///< the selected point stays, wherever the mouse is
  std::string notice;
  bool asks_for_points = false;  ///< set when a button asks to open points

  bool has_table() const { return result.cells.key_bits != 0; }
};

}  // namespace slotscape
