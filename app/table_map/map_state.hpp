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
  std::string wide_key = {};         ///< digits of a 16-byte key
  std::optional<Slot> lies_in = {};  ///< set if the table has the key, but not where lookups search: its slot
};

/// The selection on the map.
struct Selection {
  std::optional<Slot> pinned;
  std::optional<Lookup> lookup;
};

struct SlotDetail {
  SlotInfo slot;
  Cluster cluster;
  std::string wide_key = {};          ///< digits of a 16-byte key, of which `slot` only has the hash
  std::optional<Slot> found_in = {};  ///< for a second copy of a key in a foreign table: where lookups find the key
};

/// A slot whose contents are written in its cell.
struct WrittenSlot {
  SlotInfo slot;
  std::uint64_t cluster_length;  ///< 0 unless the map shows cluster lengths
};

/// The largest contents that cells must have room for: the largest numbers in slots, and the longest name of a measure.
struct WidestCell {
  SlotInfo slot{};
  std::string_view measure = {};
};

/// Slots read individually for this frame.
struct Inspected {
  std::vector<WrittenSlot> written;
  std::vector<std::vector<Slot>> chains;  ///< the nodes of each head, if the table can be drawn as chains
  std::optional<SlotDetail> hovered;
  std::optional<SlotDetail> pinned;
  std::optional<Slot> landing;  ///< the first slot probed for the key being dragged
  WidestCell widest;            ///< over all shown tables, whose cells have the same lines
};

/// The state that a table's map reads and edits.
struct MapState {
  TableSceneSettings settings;
  /// The known facts about a foreign table, which is only viewed; null if the table belongs to a family.
  FamilyInfo const* foreign = nullptr;
  Statistics statistics;
  std::optional<ShardReport> shards;  ///< for a sharded table
  Selection selection;
  StepState steps;
  Inspected inspected;
  /// If the cells of a row or a ring would be smaller than this, in pixels, a small table is laid out in lines if that
  /// helps.
  float min_cell = 0.0f;
};

/// The family of the state's table, or what is known of a foreign one.
FamilyInfo const& family_of(MapState const& state);
/// The texts in cells: for sets, without values.
ViewSettings view_of(MapState const& state);
Guarantees guarantees_of(MapState const& state);
/// Whether a non-empty slot without a key is reserved for a key on its way there, in the middle of an operation. That
/// is so in families that move keys and leave no tombstones.
bool reserves(MapState const& state);
/// Whether this slot is reserved for a key on its way there.
bool is_reserved(MapState const& state, SlotInfo const& slot);

/// The number of slots on the table's map: for a table of chains, its nodes without the heads.
std::uint64_t slots_on_map(MapState const& state);
/// Whether the map shows heads with their chains if they fit: for few heads, unless another arrangement of nodes is
/// set.
bool can_draw_chains(MapState const& state);
/// Whether arrows may show the links of chains within the table.
bool can_draw_links(MapState const& state);
/// Whether the slots can be arranged: if there are few, or if they are nodes of few chains.
bool is_arranged(MapState const& state);

/// The position of a value on the colour scale, 0 to 1.
double scale_share(MapState const& state, double value);
/// The end of the colour scale: as set, or a power of two no smaller than the table's maximum.
double scale_end(MapState const& state);

}  // namespace slotscape
