#pragma once

#include "app/table_scene/table_state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Requests a table with these settings, or the closest that can be made (`fitted`), with the keys of the present
/// table. A load to hold is lowered to a safe load of the new table.
void ask_for_table(TableState& state, TableSettings const& table, std::vector<TableSettings> compared = {});
/// Requests a table with the keys of another seed, filled to the current or held load unless the table is empty.
void ask_for_seed(TableState& state, std::uint64_t seed);
/// Requests the typed seed, or an error message if it is invalid.
void ask_for_typed_seed(TableState& state);
/// Requests a number of slots. If the table holds keys, a popup asks what to do with them.
void ask_for_slots(TableState& state, std::uint64_t slots);
/// Requests the typed number of slots (`typed_slots`); if the family does not support it, an error message that
/// suggests other numbers.
void ask_for_typed_slots(TableState& state);
/// The number of slots in "65536" or "2^16"; for "50,000 keys", as many as hold them at the load to hold, or at the
/// safe load; for "12 bytes a key", as many as the present keys then occupy. The latter two are rounded to a number
/// that the family supports. Throws Error for any other text.
std::uint64_t typed_slots(TableState const& state, std::string_view text);
/// A number of slots, and the load of the live keys in it.
struct SlotsForLoad {
  std::uint64_t slots;
  double load;
  /// With several tables: each of them, once the first is rehashed into `slots`. Empty if there is only one table.
  std::vector<ComparedSize> all = {};
};
/// The number of slots at which the live keys reach the load to hold, if the keys of a file run out below it. If the
/// family supports no such number, the fewest slots that hold the keys. nullopt: the load is reached, or is not held.
std::optional<SlotsForLoad> slots_for_held_load(TableState const& state);
/// Whether these slots are worth offering: they change something, and each of several tables can hold the keys.
bool can_be_offered(TableState const& state, SlotsForLoad const& found);
/// `slots_for_held_load` in a sentence; empty if there is no advice.
std::string advice_on_held_load(TableState const& state);
/// A rehash into this number of slots, or into a nearby number that the family supports.
Rehash rehash_to(TableState const& state, std::uint64_t slots);

}  // namespace slotscape
