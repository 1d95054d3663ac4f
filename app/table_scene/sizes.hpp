#pragma once

#include "app/table_scene/table_state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Requests a table with other settings, or what comes nearest to them (`fitted`), which keeps the keys of the present
/// one. A load to hold is lowered to what is safe in the new table.
void ask_for_table(TableState& state, TableSettings const& table, std::vector<TableSettings> compared = {});
/// Requests a table with other keys: those of another seed, filled to the current or held load unless it is empty.
void ask_for_seed(TableState& state, std::uint64_t seed);
/// The same with the typed seed; requests an error message if it is invalid.
void ask_for_typed_seed(TableState& state);
/// Requests a number of slots. If the table holds keys, a popup asks what to do with them.
void ask_for_slots(TableState& state, std::uint64_t slots);
/// The same with what was typed (`typed_slots`); if the family does not support it, requests an error message that
/// suggests others.
void ask_for_typed_slots(TableState& state);
/// The number of slots in "65536" or "2^16"; for "50,000 keys" as many as hold them at the load to hold, or at the safe
/// load; for "12 bytes a key" as many as the present keys take then. The latter two are rounded to what the family
/// takes. Throws Error if it is none of these.
std::uint64_t typed_slots(TableState const& state, std::string_view text);
/// A number of slots, and the load that the live keys have in it.
struct SlotsForLoad {
  std::uint64_t slots;
  double load;
  /// What a rehash of the first of several tables into `slots` makes of each of them. Empty: there are no others.
  std::vector<ComparedSize> all = {};
};
/// With which the live keys have the load to hold, where the keys of a file are used up below it: as few slots as reach
/// it or, if the family takes no such number, the fewest that hold them. None: the load is reached, or is not held.
std::optional<SlotsForLoad> slots_for_held_load(TableState const& state);
/// Whether they are worth an offer: they change something, and every one of several tables can hold the keys.
bool can_be_offered(TableState const& state, SlotsForLoad const& found);
/// The same in a sentence; empty if there is none.
std::string advice_on_held_load(TableState const& state);
/// A rehash into this number of slots, or into a nearby number that the family supports.
Rehash rehash_to(TableState const& state, std::uint64_t slots);

}  // namespace slotscape
