#pragma once

#include "gpu/execution/tile.hpp"
#include "gpu/tables/pair_words.hpp"

namespace slotscape {

/// A window as seen by a tile, for one key: one bit per lane.
template <PairFormat Format>
struct SeenWindow {
  std::uint32_t own;          ///< lanes that hold the key
  std::uint32_t free;         ///< lanes that may take a pair
  std::uint32_t empty;        ///< lanes with the empty word
  typename Format::Word met;  ///< the key's word, if it is there
};

/// The index of the lowest set bit: a slot, counted from the start of the window.
SLOTSCAPE_HOST_DEVICE inline Slot first_slot_in(std::uint32_t bits)
{
  return static_cast<Slot>(exec::first_lane(bits));
}

template <PairFormat Format>
SLOTSCAPE_HOST_DEVICE bool is_free_word(typename Format::Word word)
{
  return word == Format::empty_word || word == Format::tombstone_word;
}

/// Updates the value of a key that was seen in this slot.
template <class Table, class Tile>
SLOTSCAPE_HOST_DEVICE auto update_seen(Table const& table, Tile tile, Slot slot, typename Table::Word seen,
                                       typename Table::Value value) -> typename Table::Result
{
  auto const old = tile.once([&] { return put(table, slot, seen, value); });
  return {value_of(old) == Table::Format::empty_value ? Outcome::inserted : Outcome::updated, slot, value};
}

/// Inserts into the first slot still free in the window seen at `first`, or updates the key if another thread has
/// inserted it there meanwhile. Returns false if neither is possible. `result` has the value to insert.
template <class Table, class Tile>
SLOTSCAPE_HOST_DEVICE bool take_free_slot(Table const& table, Tile tile, Slot first,
                                          SeenWindow<typename Table::Format> const& seen, typename Table::Key key,
                                          typename Table::Result& result)
{
  using Format = typename Table::Format;
  auto const pair = pack(key, result.value);
  for (std::uint32_t free = seen.free; free != 0; free &= free - 1) {
    Slot const slot = first + first_slot_in(free);
    bool const is_empty = (seen.empty & free & (0u - free)) != 0;
    table.at("take", "slot", slot);
    auto const old = tile.once([&] {
      return table.machine.compare_exchange(slot, is_empty ? Format::empty_word : Format::tombstone_word, pair);
    });
    if (is_free_word<Format>(old)) {
      result = {Outcome::inserted, slot, result.value};
      return true;
    }
    if (key_of(old) == key) {
      result = update_seen(table, tile, slot, old, result.value);
      return true;
    }
  }
  return false;
}

}  // namespace slotscape
