#pragma once

#include "app/scene/facts.hpp"
#include "app/table_map/settings.hpp"
#include "app/table_map/step/step_state.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// A key that was looked up, and the path of the lookup.
struct Lookup {
  Key key;
  ProbePath path;
  std::string wide_key = {};         ///< of 16 bytes: its digits
  std::optional<Slot> lies_in = {};  ///< of a key that is in the table, but not where it is looked for
};

/// What is selected on the map.
struct Selection {
  std::optional<Slot> pinned;
  std::optional<Lookup> lookup;
};

struct SlotDetail {
  SlotInfo slot;
  Cluster cluster;
  std::string wide_key = {};          ///< of 16 bytes, of which `slot` has the hash: its digits
  std::optional<Slot> found_in = {};  ///< of a second copy of a key, in somebody else's table: where lookups find it
};

/// A slot whose content is shown as text in its cell.
struct WrittenSlot {
  SlotInfo slot;
  std::uint64_t cluster_length;  ///< 0 unless the map shows cluster lengths
};

/// What cells must have room for: the largest numbers that slots hold, and the longest name of a measure.
struct WidestCell {
  SlotInfo slot{};
  std::string_view measure = {};
};

/// Slots read individually for this frame.
struct Inspected {
  std::vector<WrittenSlot> written;
  std::vector<std::vector<Slot>> chains;  ///< the nodes of each head, of a table that can be drawn as chains
  std::optional<SlotDetail> hovered;
  std::optional<SlotDetail> pinned;
  std::optional<Slot> landing;  ///< where the key that is being dragged would look first
  WidestCell widest;            ///< of all tables shown, whose cells have the same lines
};

/// What the map of a table reads and edits.
struct MapState {
  TableSceneSettings settings;
  /// What is known of a table that is somebody else's, and is looked at only; null: it is of a family.
  FamilyInfo const* foreign = nullptr;
  Statistics statistics;
  std::optional<ShardReport> shards;  ///< of a sharded table
  Selection selection;
  StepState steps;
  Inspected inspected;
  /// Where the cells of a row or a ring would be smaller, in pixels, a small table is laid out in lines if that helps.
  float min_cell = 0.0f;
};

/// The family of the state's table, or what is known of a foreign one.
FamilyInfo const& family_of(MapState const& state);
/// What is written in cells: of sets, no values.
ViewSettings view_of(MapState const& state);
Guarantees guarantees_of(MapState const& state);
/// Whether a slot without a key that is not empty is taken for a key that is on its way there, in the middle of an
/// operation: a family that moves keys and leaves no tombstones has no other ones.
bool reserves(MapState const& state);
/// Whether this is such a slot.
bool is_reserved(MapState const& state, SlotInfo const& slot);

/// Slots of the table's memory, which are those of its map: of a table of chains the nodes, and not its heads.
std::uint64_t slots_on_map(MapState const& state);
/// Whether its map shows heads with their chains, where these fit: of few heads, unless its nodes are arranged
/// otherwise.
bool can_draw_chains(MapState const& state);
/// Whether arrows may show the links of chains within the table.
bool can_draw_links(MapState const& state);
/// Whether its slots can be arranged: they are few, or nodes of few chains.
bool is_arranged(MapState const& state);

/// The position of a value on the colour scale, 0 to 1.
double scale_share(MapState const& state, double value);
/// The end of the colour scale: as set, or a power of two no smaller than the table's maximum.
double scale_end(MapState const& state);

}  // namespace slotscape
