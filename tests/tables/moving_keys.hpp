#pragma once

#include "tests/tables/scheduled_operations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace slotscape {

/// Tables of a family whose insertions move keys, for the scheduled machine: small ones, by tiles of `Tile` or without.
template <class Family, class Tile = exec::NoTile>
struct MovingKeys : ScheduledOperations<Family, Tile> {
  using typename ScheduledOperations<Family, Tile>::Layout;
  using typename ScheduledOperations<Family, Tile>::Word;
  using typename ScheduledOperations<Family, Tile>::Stored;
  using ScheduledOperations<Family, Tile>::ScheduledOperations;
  using ScheduledOperations<Family, Tile>::layout;

  /// Each key once, where a lookup finds it, and as the family promises; no slot is reserved.
  void expect_valid(std::vector<Word> memory) const
  {
    View<Layout, HostMachine<Narrow>> const table{{memory.data(), nullptr}, layout};
    std::vector<Stored> keys;
    for (Slot slot = 0; slot < layout.slots(); ++slot) {
      EXPECT_NE(memory[slot], Narrow::tombstone_word) << "slot " << slot << " is still reserved";
      EXPECT_TRUE(Family::is_valid(table, slot, memory[slot])) << "slot " << slot;
      if (!Family::describe(table, slot, memory[slot]).has_key) { continue; }
      keys.push_back(key_of(memory[slot]));
      EXPECT_EQ(find_in<Family>(table, Tile{}, keys.back()).slot, slot) << "key " << keys.back();
    }
    std::ranges::sort(keys);
    EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end()) << "a key is stored twice";
  }
};

inline std::vector<Narrow::Key> keys_in(std::vector<Narrow::Word> const& memory)
{
  std::vector<Narrow::Key> keys;
  for (Narrow::Word const word : memory) {
    if (!Narrow::is_reserved(key_of(word))) { keys.push_back(key_of(word)); }
  }
  std::ranges::sort(keys);
  return keys;
}

/// A machine whose loads are as stale as can be: they show the table as it was before all insertions.
struct StaleMachine : HostMachine<Narrow> {
  Word const* before;

  Word load(Slot slot) const { return before[slot]; }
};

/// Inserts random keys with stale loads; each must find its place.
template <class Family>
void expect_inserts_despite_stale_loads(MovingKeys<Family> const& table, std::size_t count)
{
  std::vector<Narrow::Word> memory = table.memory({});
  std::vector<Narrow::Word> const before = memory;
  View<typename Family::template Layout<Narrow>, StaleMachine> const view{{{memory.data(), nullptr}, before.data()},
                                                                          table.layout};
  for (Narrow::Key key = 0; key < count; ++key) {
    ASSERT_EQ(Family::insert(view, key, key).outcome, Outcome::inserted) << "key " << key;
  }
  EXPECT_EQ(keys_in(memory).size(), count);
  table.expect_valid(memory);
}

}  // namespace slotscape
