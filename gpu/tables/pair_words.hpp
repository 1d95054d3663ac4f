#pragma once

#include "gpu/tables/family.hpp"

namespace slotscape {

/// How to read words if an erased key keeps its slot, with an empty value.
struct PairWords {
  /// The result of a `find` that met the key in `slot`.
  template <PairFormat Format>
  SLOTSCAPE_HOST_DEVICE static Result<Format> met(Slot slot, typename Format::Word word)
  {
    bool const live = value_of(word) != Format::empty_value;
    return {live ? Outcome::found : Outcome::missing, slot, value_of(word)};
  }
  template <PairFormat Format>
  SLOTSCAPE_HOST_DEVICE static Result<Format> missing()
  {
    return {Outcome::missing, no_slot, Format::empty_value};
  }
  /// Describes a word. If it `has_key`, the caller sets the measure.
  template <PairFormat Format>
  SLOTSCAPE_HOST_DEVICE static Described described(typename Format::Word word)
  {
    if (word == Format::empty_word) { return {SlotState::empty, false, 0}; }
    bool const live = value_of(word) != Format::empty_value;
    return {live ? SlotState::live : SlotState::tombstone, !Format::is_reserved(key_of(word)), 0};
  }
};

/// Updates a key's value according to `table.combine`, or sets the new value if the key was erased: see `put`.
template <class Table>
SLOTSCAPE_HOST_DEVICE auto put_value(Table const& table, Slot slot, typename Table::Word seen,
                                     typename Table::Value value) -> typename Table::Word
{
  using Format = typename Table::Format;
  auto const key = key_of(seen);
  if (table.combine == Combine::replace) { return table.machine.exchange(slot, pack(key, value)); }
  while (true) {
    bool const live = value_of(seen) != Format::empty_value;
    auto const word = pack(key, live ? combined<Format>(table.combine, value_of(seen), value) : value);
    if (word == seen) { return seen; }
    if constexpr (requires { table.machine.combine(slot, seen, table.combine, value); }) {
      if (live) { return table.machine.combine(slot, seen, table.combine, value); }
    }
    auto const old = table.machine.compare_exchange(slot, seen, word);
    if (old == seen) { return old; }
    seen = old;
  }
}

/// Inserts a key into the slot where it was met in the word `seen`: updates its value according to `table.combine`, or
/// sets the new value if the key was erased. The slot must not get another key meanwhile; and if values are combined,
/// or there are no values, no key may be erased. Returns the previous word. If several threads revive an erased key,
/// exactly one of them gets a word with the empty value.
template <class Table>
SLOTSCAPE_HOST_DEVICE auto put(Table const& table, Slot slot, typename Table::Word seen, typename Table::Value value) ->
    typename Table::Word
{
  table.at("put", "slot", slot);
  if constexpr (Table::Format::has_values) {
    return put_value(table, slot, seen, value);
  } else {
    return seen;
  }
}

/// Erases a key in the slot where a lookup found it: the key stays and its value becomes empty. If several threads
/// erase one key, exactly one gets `erased`.
template <class Table, class Tile = exec::NoTile>
SLOTSCAPE_HOST_DEVICE auto erase_value(Table const& table, typename Table::Result const& place, typename Table::Key key,
                                       Tile tile = {}) -> typename Table::Result
{
  using Format = typename Table::Format;
  if (place.outcome == Outcome::missing) { return place; }
  table.at("remove", "slot", place.slot);
  auto const old = tile.once([&] { return table.machine.exchange(place.slot, pack(key, Format::empty_value)); });
  return {value_of(old) == Format::empty_value ? Outcome::missing : Outcome::erased, place.slot, value_of(old)};
}

/// Like `erase_value`, but replaces the pair by the given word: empty or a tombstone.
template <class Table, class Tile = exec::NoTile>
SLOTSCAPE_HOST_DEVICE auto erase_pair(Table const& table, typename Table::Result const& place, typename Table::Key key,
                                      typename Table::Word word, Tile tile = {}) -> typename Table::Result
{
  if (place.outcome == Outcome::missing) { return place; }
  auto const seen = pack(key, place.value);
  table.at("remove", "slot", place.slot);
  auto const old = tile.once([&] { return table.machine.compare_exchange(place.slot, seen, word); });
  return {old == seen ? Outcome::erased : Outcome::missing, place.slot, place.value};
}

}  // namespace slotscape
