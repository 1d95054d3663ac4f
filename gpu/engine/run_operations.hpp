#pragma once

#include "gpu/engine/batch.hpp"
#include "gpu/execution/atomics.hpp"
#include "gpu/tables/shift_back.hpp"
#include "gpu/tables/slot_mark.hpp"

namespace slotscape {

/// Runs the family's operations, with a tile if the family uses tiles.
template <TableFamily Family, class View, class Tile>
SLOTSCAPE_HOST_DEVICE auto find_in(View const& table, Tile tile, typename View::Key key)
{
  if constexpr (UsesTiles<Family>) {
    return Family::find(table, tile, key);
  } else {
    return Family::find(table, key);
  }
}
template <TableFamily Family, class View, class Tile>
SLOTSCAPE_HOST_DEVICE auto insert_in(View const& table, Tile tile, typename View::Key key, typename View::Value value)
{
  if constexpr (UsesTiles<Family>) {
    return Family::insert(table, tile, key, value);
  } else {
    return Family::insert(table, key, value);
  }
}
template <TableFamily Family, class View, class Tile>
SLOTSCAPE_HOST_DEVICE auto erase_in(View const& table, Tile tile, typename View::Key key)
{
  if constexpr (UsesTiles<Family>) {
    return Family::erase(table, tile, key);
  } else {
    return Family::erase(table, key);
  }
}

/// Erases while nobody else uses the table.
template <TableFamily Family, class View, class Tile>
auto erase_alone_in(View const& table, Tile tile, typename View::Key key)
{
  if constexpr (ShiftsBack<Family> && View::Format::has_values) {
    if (table.layout.deletion == Deletion::shift) {
      return ShiftBack::erase_alone<Family>(table, Family::find(table, key));
    }
  }
  return erase_in<Family>(table, tile, key);
}

/// Counters of insertions by the number of keys they moved, from 1 to `move_bins` - 1 (the last includes more), in
/// stripes.
inline constexpr std::uint32_t move_bins = 256;
inline constexpr std::uint32_t move_stripes = 16;

/// Records the result of operation i of a batch. `moves` are counters, or null.
template <PairFormat Format>
SLOTSCAPE_HOST_DEVICE void note(Batch<Format> const& batch, std::uint64_t i, Operation operation,
                                Result<Format> const& result, std::uint32_t* moves)
{
  if (batch.keeps_outcomes || (operation != Operation::find && batch.outcomes != nullptr)) {
    batch.outcomes[i] = result.outcome;
  }
  if (operation == Operation::find) {
    batch.values[i] = result.outcome == Outcome::found ? result.value : Format::empty_value;
  }
  if (batch.changes != nullptr && result.slot != no_slot) {
    exec::store_relaxed(batch.changes[result.slot], fresh_change(operation));
  }
  if (moves != nullptr && result.moves != 0) {
    std::uint32_t const bin = result.moves < move_bins ? result.moves : move_bins - 1;
    exec::fetch_add(moves[(i / 32 % move_stripes) * move_bins + bin], 1u);
  }
}

/// Runs operation i of a batch on a table, if it belongs to the phase, and returns its outcome.
///
/// `kinds`: the operations that the kernel is compiled for, one or all. Code for a single kind needs fewer registers,
/// so more threads can have memory accesses in flight. It treats every operation of the batch as being of that kind.
template <TableFamily Family, class View, OperationMask kinds = OperationMask::all>
struct RunOperations {
  static_assert(is_single(kinds) || kinds == OperationMask::all);
  using Format = typename View::Format;
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  static constexpr bool runs_all = kinds == OperationMask::all;
  static constexpr int items_per_thread = 4;

  View table;
  Batch<Format> batch;
  OperationMask phase;
  std::uint32_t* moves;  ///< counters, or null

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const { return (*this)(i, exec::NoTile{}); }

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i, Tile tile) const
  {
    Item const operation = item(i);
    return finish(i, operation, operation.runs ? serve(operation, tile) : nothing());
  }

  /// The same work in parts, for a tile whose lanes each bring an operation and then run these operations together, one
  /// after another.
  struct Item {
    Key key;
    Value value;
    Operation operation;
    bool runs;
  };
  using Served = Result<Format>;

  SLOTSCAPE_HOST_DEVICE Item item(std::uint64_t i) const
  {
    Operation const operation = runs_all ? batch.operation(i) : single_operation(kinds);
    bool const inserts = operation == Operation::insert;
    Key const key = batch.keys[i];
    Value const value = inserts ? inserted_value(i) : Value{0};
    bool const reserved = Format::is_reserved(key) || (inserts && value == Format::empty_value);
    return {key, value, operation, !reserved && (!runs_all || contains(phase, operation))};
  }
  SLOTSCAPE_HOST_DEVICE static Item no_item() { return {Format::empty_key, 0, Operation::find, false}; }
  /// Broadcasts the item of lane `lane`.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE static Item share(Item const& mine, Tile tile, int lane)
  {
    Item item{tile.from(mine.key, lane), 0, single_operation(kinds), false};
    if constexpr (contains(kinds, Operation::insert)) { item.value = tile.from(mine.value, lane); }
    if constexpr (runs_all) {
      item.operation = static_cast<Operation>(tile.from(static_cast<unsigned>(mine.operation), lane));
      item.runs = tile.from(mine.runs ? 1u : 0u, lane) != 0;
    } else {
      item.runs =
          !Format::is_reserved(item.key) && (kinds != OperationMask::inserts || item.value != Format::empty_value);
    }
    return item;
  }
  SLOTSCAPE_HOST_DEVICE static Served nothing() { return {Outcome::rejected, no_slot, Format::empty_value}; }
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE Served serve(Item const& item, Tile tile) const
  {
    return run(item.operation, tile, item.key, item.value);
  }
  SLOTSCAPE_HOST_DEVICE Outcome finish(std::uint64_t i, Item const& item, Served const& served) const
  {
    if (runs_all && !contains(phase, item.operation)) { return not_run; }
    note(batch, i, item.operation, served, moves);
    return served.outcome;
  }

private:
  /// Without values, a constant that marks the key as present.
  SLOTSCAPE_HOST_DEVICE Value inserted_value(std::uint64_t i) const
  {
    if constexpr (Format::has_values) {
      return batch.values[i];
    } else {
      return !Format::empty_value;
    }
  }
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE Result<Format> run(Operation operation, Tile tile, Key key, Value value) const
  {
    if constexpr (contains(kinds, Operation::insert)) {
      if (operation == Operation::insert) { return insert_in<Family>(table, tile, key, value); }
    }
    if constexpr (contains(kinds, Operation::find)) {
      if (operation == Operation::find) { return find_in<Family>(table, tile, key); }
    }
    if constexpr (contains(kinds, Operation::erase)) {
      return erase_in<Family>(table, tile, key);
    } else {
      return {not_run, no_slot, Format::empty_value};
    }
  }
};

}  // namespace slotscape
