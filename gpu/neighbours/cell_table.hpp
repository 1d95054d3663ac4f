#pragma once

#include "gpu/engine/filled_table.hpp"
#include "gpu/engine/inspection.hpp"
#include "gpu/neighbours/engine.hpp"
#include "gpu/neighbours/search_passes.hpp"
#include "gpu/workloads/batch_buffers.hpp"

#include <algorithm>
#include <limits>

namespace slotscape::neighbours {

namespace passes {

template <PairFormat Format>
struct CellPairs {
  std::uint64_t const* cell_keys;
  typename Format::Key* keys;
  typename Format::Value* values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t cell) const
  {
    keys[cell] = static_cast<typename Format::Key>(cell_keys[cell]);
    values[cell] = static_cast<typename Format::Value>(cell);
  }
};

/// Writes the keys of the cells that each query reads; unused places are filled with reserved keys, which are not
/// looked up.
template <PairFormat Format>
struct KeysToLookUp {
  CellGrid grid;
  Placed const* queries;
  typename Format::Key* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item) const
  {
    typename Format::Key* const mine = keys + item * grid.stencil();
    std::uint32_t written = 0;
    grid.for_each_row(queries[item].at, [&](std::uint64_t first_key, std::uint64_t count) {
      for (std::uint64_t i = 0; i < count; ++i) { mine[written++] = static_cast<typename Format::Key>(first_key + i); }
    });
    for (; written < grid.stencil(); ++written) { mine[written] = Format::empty_key; }
  }
};

/// Writes the numbers of cells, or `no_cell`.
template <PairFormat Format>
struct NumbersOfCells {
  typename Format::Value const* values;
  std::uint32_t* cells;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    cells[i] = values[i] == Format::empty_value ? no_cell : static_cast<std::uint32_t>(values[i]);
  }
};

/// The points of looked-up cells.
struct LookedUpSource {
  CellsView cells;
  std::uint32_t const* found;  ///< numbers of the cells of each query, or `no_cell`

  template <class F>
  SLOTSCAPE_HOST_DEVICE void for_each_range(std::uint64_t item, Point at, F const& f) const
  {
    std::uint32_t const* next = found + item * cells.grid.stencil();
    cells.grid.for_each_row(at, [&](std::uint64_t, std::uint64_t count) {
      for (std::uint64_t i = 0; i < count; ++i, ++next) {
        f(*next == no_cell ? PlacedRange{0, 0} : cells.points_of(*next), 1);
      }
    });
  }
};

/// The ranges of the points in one query's cells.
struct RangesOfFound {
  LookedUpSource source;
  PlacedRange* ranges;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint32_t const cell = source.found[i];
    ranges[i] = cell == no_cell ? PlacedRange{0, 0} : source.cells.points_of(cell);
  }
};

}  // namespace passes

/// The cells with points, in a table of any family that maps their keys to their numbers. Hides the width of keys.
template <exec::Executor Exec>
class CellTable {
public:
  virtual ~CellTable() = default;
  virtual InspectedTable& inspected() = 0;
  virtual int key_bits() const = 0;
  /// The maximum number of queries per call of `look_up`.
  virtual std::uint64_t max_queries(CellGrid const& grid) const = 0;
  /// Looks up all cells that queries read. The source is valid until the next call.
  virtual passes::LookedUpSource look_up(CellsView const& cells, Placed const* queries, std::uint64_t count) = 0;
};

template <exec::Executor Exec, PairFormat Format>
class CellTableOf final : public CellTable<Exec> {
public:
  /// Throws Error, with advice, if the family does not accept these cells.
  CellTableOf(Exec& exec, CellsView const& cells, NeighbourSettings const& settings) : exec_(exec)
  {
    fill(cells, settings);
    inspection_ = std::make_unique<Inspection<Exec, Format>>(exec_, *table_);
  }

  InspectedTable& inspected() override { return *inspection_; }
  int key_bits() const override { return Format::bits; }
  std::uint64_t max_queries(CellGrid const& grid) const override
  {
    return std::min<std::uint64_t>(Exec::batch_limit, 1u << 25) / grid.stencil();
  }
  passes::LookedUpSource look_up(CellsView const& cells, Placed const* queries, std::uint64_t count) override
  {
    std::uint64_t const lookups = count * cells.grid.stencil();
    batch_.grow(exec_, lookups, std::numeric_limits<std::uint64_t>::max());
    exec::grow(exec_, found_, lookups);
    exec_.for_each(count, passes::KeysToLookUp<Format>{cells.grid, queries, batch_.keys.data()});
    run(*table_, Operation::find, lookups);
    exec_.for_each(lookups, passes::NumbersOfCells<Format>{batch_.values.data(), found_.data()});
    return {cells, found_.data()};
  }

private:
  void fill(CellsView const& cells, NeighbourSettings const& settings)
  {
    TableChoice const choice{settings.family,         settings.hash, settings.load_factor,
                             "Keys of so many cells", "cells",       ", or a larger radius"};
    batch_.grow(exec_, cells.listed, std::numeric_limits<std::uint64_t>::max());
    table_ = filled_table<Exec, Format>(exec_, choice, cells.listed, [&](BatchTable<Exec, Format>& table) {
      exec_.for_each(cells.listed, passes::CellPairs<Format>{cells.keys, batch_.keys.data(), batch_.values.data()});
      return run(table, Operation::insert, cells.listed);
    });
  }
  Tally run(BatchTable<Exec, Format>& table, Operation operation, std::uint64_t count)
  {
    exec_.fill(batch_.operations.data(), count, operation);
    double seconds = 0.0;
    return table.run({count, batch_.operations.data(), batch_.keys.data(), batch_.values.data(), batch_.outcomes.data(),
                      nullptr, true, mask_of(operation), false},
                     seconds);
  }

  Exec& exec_;
  std::unique_ptr<BatchTable<Exec, Format>> table_;
  std::unique_ptr<Inspection<Exec, Format>> inspection_;
  BatchBuffers<Exec, Format> batch_;
  typename Exec::template Buffer<std::uint32_t> found_;
};

/// Makes a table with keys as wide as the grid needs.
template <exec::Executor Exec>
std::unique_ptr<CellTable<Exec>> make_cell_table(Exec& exec, CellsView const& cells, NeighbourSettings const& settings)
{
  if (cells.grid.cells() <= largest_key(32)) {
    return std::make_unique<CellTableOf<Exec, Narrow>>(exec, cells, settings);
  }
  return std::make_unique<CellTableOf<Exec, Wide>>(exec, cells, settings);
}

}  // namespace slotscape::neighbours
