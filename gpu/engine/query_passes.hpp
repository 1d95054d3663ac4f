#pragma once

#include "gpu/analysis/passes.hpp"
#include "gpu/engine/run_operations.hpp"

namespace slotscape {

/// A stored value as it is shown. In a set, 'present' is not a value and is shown as 0.
template <PairFormat Format>
SLOTSCAPE_HOST_DEVICE slotscape::Value shown_value(typename Format::Value value)
{
  if constexpr (Format::has_values) {
    return Format::widen_value(value);
  } else {
    return value != Format::empty_value ? 0 : slotscape::empty_value;
  }
}
/// The value that inserting a key stores. A value that does not fit becomes the reserved one, which is refused.
template <PairFormat Format>
typename Format::Value stored_value(slotscape::Value value)
{
  if constexpr (Format::has_values) {
    return static_cast<typename Format::Value>(value < Format::empty_value ? value : Format::empty_value);
  } else {
    return !Format::empty_value;
  }
}

/// Counts the memory accesses of looking up key i, up to `most`.
template <TableFamily Family, class View>
struct CountFind {
  View table;
  typename View::Key const* keys;
  std::uint32_t* accesses;
  std::uint32_t most;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const { return (*this)(i, exec::NoTile{}); }

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i, Tile tile) const
  {
    using Machine = CountingMachine<decltype(table.machine)>;
    std::uint32_t count = 0;
    slotscape::View<decltype(table.layout), Machine> const counted{{table.machine, &count, most}, table.layout};
    Outcome const outcome = find_in<Family>(counted, tile, keys[i]).outcome;
    if (tile.is_first()) { accesses[i] = count; }
    return outcome;
  }
};

/// Checks the family's invariants for slot i: reports `violated`, or whether the slot is empty. One invariant is that a
/// lookup finds a live key in its slot.
template <TableFamily Family, class View>
struct CheckSlot {
  static constexpr Outcome violated = Outcome::missing;
  static constexpr Outcome empty = Outcome::inserted;
  static constexpr Outcome in_use = Outcome::found;

  View table;
  typename View::Word const* words;
  Slot* wrong;  ///< output: one of the violating slots

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const { return (*this)(i, exec::NoTile{}); }

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i, Tile tile) const
  {
    Slot const slot = static_cast<Slot>(i);
    Described const found = Family::describe(table, slot, words[slot]);
    bool right = true;
    if (found.state == SlotState::live) {
      right = found.has_key && find_in<Family>(table, tile, key_of(words[slot])).slot == slot;
    }
    if constexpr (requires { Family::is_valid(table, slot, words[slot]); }) {
      right = right && Family::is_valid(table, slot, words[slot]);
    }
    if (!right && tile.is_first()) { *wrong = slot; }
    if (!right) { return violated; }
    return found.state == SlotState::empty ? empty : in_use;
  }
};

/// The home of a slot's key, for display. If the home depends on the contents of the table, the family computes it from
/// the slot: `home_of_slot`.
template <TableFamily Family, class View>
SLOTSCAPE_HOST_DEVICE Slot home_of(View const& table, Slot slot, typename View::Word word)
{
  if constexpr (requires { Family::home_of_slot(table.layout, slot); }) {
    return Family::home_of_slot(table.layout, slot);
  } else {
    return table.layout.home(key_of(word));
  }
}

/// A family whose slots are nodes of chains.
template <class Family, class View>
concept KnowsChainLengths = requires(View const& table, typename View::Key key)
{
  Family::chain_length(table, key);
};

/// The contents of a slot, for display. A family that keeps a byte beside each slot returns it from `byte_beside(table,
/// slot)`.
template <TableFamily Family, class View>
SLOTSCAPE_HOST_DEVICE SlotInfo slot_info(View const& table, Slot slot, typename View::Word word)
{
  using Format = typename View::Format;
  Described const found = Family::describe(table, slot, word);
  std::uint16_t byte = no_byte;
  if constexpr (requires { Family::byte_beside(table, slot); }) { byte = Family::byte_beside(table, slot); }
  Slot const home = found.has_key ? home_of<Family>(table, slot, word) : slot;
  Pair const pair{key_of(word), shown_value<Format>(value_of(word))};
  SlotInfo info{slot, found.state, pair, home, found.has_key, found.measure, byte};
  if constexpr (KnowsChainLengths<Family, View>) {
    if (found.has_key) { info.chain_length = Family::chain_length(table, key_of(word)); }
  }
  return info;
}

/// Replaces the measures in the marks of live slots by the lengths of their chains.
template <TableFamily Family, class View>
struct MarkChainLengths {
  View table;
  typename View::Word const* words;
  SlotMark* marks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (state_of(marks[i]) != SlotState::live) { return; }
    std::uint32_t const length = Family::chain_length(table, key_of(words[i]));
    marks[i] = mark_of(measure_code::of(length), marks[i] & 7u);
  }
};

template <TableFamily Family, class View>
struct ReadSlot {
  View table;
  typename View::Word const* words;
  Slot const* slots;
  SlotInfo* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Slot const slot = slots[i];
    out[i] = slot_info<Family>(table, slot, words[slot]);
  }
};

/// Adds the size of each group to the sink.
template <TableFamily Family, class View>
struct CountGroups {
  static constexpr int per_item = 64;

  View table;
  std::uint64_t groups;

  template <class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile, Sink& sink) const
  {
    for (int k = tile.rank(); k < per_item; k += Tile::size) {
      std::uint64_t const group = item * per_item + k;
      if (group < groups) { sink.add(Family::group_size(table, group)); }
    }
  }
};

}  // namespace slotscape
