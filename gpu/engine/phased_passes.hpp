#pragma once

#include "gpu/engine/run_operations.hpp"

namespace slotscape {

/// Replaces the family's insertion with one that moves nothing: it updates a key in place and reports `full` for a key
/// that is not in the table. Since no key moves, its lookup is exact. If several threads bring an erased key back, only
/// the one that replaces the empty value reports `inserted`.
template <TableFamily Family>
struct WithoutNewKeys : Family {
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, typename Table::Key key, typename Table::Value value)
  {
    return insert(table, exec::NoTile{}, key, value);
  }

  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, Tile tile, typename Table::Key key,
                                           typename Table::Value value) -> typename Table::Result
  {
    using Format = typename Table::Format;
    auto const place = find_in<Family>(table, tile, key);
    if (place.slot == no_slot) { return {Outcome::full, no_slot, value}; }
    auto const old = tile.once([&] { return put(table, place.slot, pack(key, place.value), value); });
    return {value_of(old) == Format::empty_value ? Outcome::inserted : Outcome::updated, place.slot, value};
  }
};

/// A family that can insert a key without moving others if there is room nearby. `insert_unmoved` also updates keys,
/// may run concurrently on copies of one key, and reports `full` if keys would have to move.
template <class F>
concept InsertsUnmoved = InsertsNewKeys<F> && F::inserts_unmoved;

/// A family whose insertions depend on the table's contents: `insertions_at_once(layout, occupied)` returns how many
/// insertions, at least 1, may run concurrently before they see too little of each other.
template <class F>
concept InsertsInTurn = InsertsNewKeys<F> && F::inserts_in_turn;

/// The family with `insert_unmoved` as its insertion.
template <InsertsUnmoved Family>
struct WithoutMoves : Family {
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, typename Table::Key key, typename Table::Value value)
  {
    return Family::insert_unmoved(table, key, value);
  }
};

/// Runs the insertions of a pure batch and lists the numbers of those that find no room, in any order.
template <TableFamily Family, class View>
struct InsertOrList : RunOperations<Family, View, OperationMask::inserts> {
  using Base = RunOperations<Family, View, OperationMask::inserts>;

  std::uint32_t* list;
  std::uint32_t* listed;  ///< the number of listed insertions

  SLOTSCAPE_HOST_DEVICE Outcome finish(std::uint64_t i, typename Base::Item const& item,
                                       typename Base::Served const& served) const
  {
    if (served.outcome == Outcome::full) { list[exec::fetch_add(*listed, 1u)] = static_cast<std::uint32_t>(i); }
    return Base::finish(i, item, served);
  }
};

/// Runs f for the items of a list, or for all items if the list is null.
template <class F>
struct OfList {
  F f;
  std::uint32_t const* list;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const { return (*this)(i, exec::NoTile{}); }
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i, Tile tile) const
  {
    return f(list == nullptr ? i : list[i], tile);
  }
};

/// Inserts the listed keys of a batch, which are distinct and not in the table.
template <TableFamily Family, class View>
struct InsertNew {
  using Format = typename View::Format;

  View table;
  Batch<Format> batch;
  std::uint32_t const* list;
  std::uint32_t* failures;  ///< number of failures so far
  std::uint32_t patience;   ///< number of failures after which insertions are no longer thorough
  std::uint32_t* moves;     ///< counters, or null

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const { return (*this)(i, exec::NoTile{}); }

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i, Tile tile) const
  {
    std::uint64_t const operation = list[i];
    Result<Format> const result = insert(tile, batch.keys[operation], batch.values[operation]);
    if (tile.is_first()) {
      if (result.outcome == Outcome::full) { exec::fetch_add(*failures, 1u); }
      note(batch, operation, Operation::insert, result, moves);
    }
    return result.outcome;
  }

private:
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE Result<Format> insert(Tile tile, typename Format::Key key, typename Format::Value value) const
  {
    if constexpr (UsesTiles<Family>) {
      bool const thorough = tile.once([&] { return std::uint64_t{exec::load_relaxed(*failures)}; }) <= patience;
      return Family::insert(table, tile, key, value, thorough);
    } else if constexpr (requires { Family::insert(table, key, value, true); }) {
      return Family::insert(table, key, value, exec::load_relaxed(*failures) <= patience);
    } else {
      return Family::insert(table, key, value);
    }
  }
};

/// Lists the numbers of a batch's insertions that have found no place yet; other operations become `no_slot`.
template <PairFormat Format>
struct NumberPending {
  Batch<Format> batch;
  std::uint32_t* numbers;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    bool const pending = batch.operation(i) == Operation::insert && batch.outcomes[i] == Outcome::full;
    numbers[i] = pending ? static_cast<std::uint32_t>(i) : no_slot;
  }
};

/// Lists the numbers of a pure batch's operations that are `full`; others become `no_slot`.
struct NumberFull {
  Outcome const* outcomes;
  std::uint32_t* numbers;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    numbers[i] = outcomes[i] == Outcome::full ? static_cast<std::uint32_t>(i) : no_slot;
  }
};

/// Keeps the listed operations that have found no place yet; the others become `no_slot`.
struct KeepPending {
  std::uint32_t* list;
  Outcome const* outcomes;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (outcomes[list[i]] != Outcome::full) { list[i] = no_slot; }
  }
};

/// Collects the keys of the listed operations.
template <class Key>
struct ListKeys {
  Key const* keys;
  std::uint32_t const* list;
  Key* listed;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { listed[i] = keys[list[i]]; }
};

/// Keeps the first operation of each key in a list sorted by key; the others become `no_slot`.
template <class Key>
struct KeepFirst {
  Key const* sorted;
  std::uint32_t* list;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (i != 0 && sorted[i] == sorted[i - 1]) { list[i] = no_slot; }
  }
};

/// Turns the pair in slot first + i of a table into insertion i; `no_slot` if the slot holds no live pair.
template <TableFamily Family, class View>
struct UnpackLive {
  using Format = typename View::Format;

  View table;
  typename Format::Word const* words;
  std::uint64_t first;
  Operation* operations;
  typename Format::Key* keys;
  typename Format::Value* values;
  std::uint32_t* numbers;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Slot const slot = static_cast<Slot>(first + i);
    bool const live = Family::describe(table, slot, words[slot]).state == SlotState::live;
    operations[i] = Operation::insert;
    keys[i] = key_of(words[slot]);
    values[i] = value_of(words[slot]);
    numbers[i] = live ? static_cast<std::uint32_t>(i) : no_slot;
  }
};

/// Whether slot i is empty (`found`) or not (`missing`).
template <PairFormat Format>
struct IsEmpty {
  typename Format::Word const* words;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    return words[i] == Format::empty_word ? Outcome::found : Outcome::missing;
  }
};

}  // namespace slotscape
