#pragma once

#include "gpu/analysis/cell_sums.hpp"
#include "gpu/analysis/picture.hpp"
#include "gpu/analysis/scan_distances.hpp"
#include "gpu/execution/block.hpp"
#include "gpu/execution/histogram.hpp"
#include "gpu/tables/slot_mark.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

namespace slotscape::passes {

/// Reads 64 slots x `groups` once: a mark for each, measures of the live keys into the sink, occupancy into level 0.
template <TableFamily Family, class Table>
struct ScanSlots {
  using Word = typename Table::Word;
  static constexpr int groups = 4;  // loads in flight per lane
  static constexpr std::uint64_t slots_per_item = std::uint64_t{64} * groups;

  Table table;
  Word const* words;
  Occupancy occupancy;
  SlotMark* marks;

  static std::uint64_t count(std::uint64_t slots) { return (slots + slots_per_item - 1) / slots_per_item; }

  template <class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile, Sink& sink) const
  {
    std::uint64_t const left = occupancy.slots - item * slots_per_item;
    if (left >= slots_per_item) {
      if constexpr (std::same_as<Tile, exec::HostTile> && MeasuresDistance<Family, Table>) {
        if (scan_distances(item, sink)) { return; }
      }
      scan<true>(item, 64 * groups, tile, sink);
    } else {
      scan<false>(item, static_cast<int>(left), tile, sink);
    }
  }

private:
  /// Scans a whole item on the host, in a fraction of the time; returns false if that is not possible.
  template <class Sink>
  bool scan_distances(std::uint64_t item, Sink& sink) const
  {
    static_assert(DistanceScan::size == slots_per_item);
    DistanceScan const scan(table.layout.hasher);
    if (!scan.is_possible()) { return false; }
    Slot const first = static_cast<Slot>(item * slots_per_item);
    std::array<std::uint32_t, DistanceScan::size> measures;
    auto const found = scan(first, words + first, marks + first, occupancy.words[0] + item * groups, measures.data());
    if (found.bound >= measure_code::exact) { return false; }
    sink.note(found.tombstones, 0);
    sink.add_each(measures.data(), DistanceScan::size, found.bound);
    return true;
  }

  /// Scans the first `here` slots of the item; `whole`: the item has no others. Slots past the end count as occupied.
  /// Large measures are rare and handled last, so that everything else needs no branch.
  template <bool whole, class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void scan(std::uint64_t item, int here, Tile tile, Sink& sink) const
  {
    constexpr int loads = 64 * groups / Tile::size;
    Table const own = table;  // a local copy: no store can alias it, so its members stay in registers
    Slot const first = static_cast<Slot>(item * slots_per_item) + tile.rank();
    auto const there = [&](int k) { return whole || k * Tile::size + tile.rank() < here; };
    std::array<Word, loads> read;
    SLOTSCAPE_UNROLL
    for (int k = 0; k < loads; ++k) {
      read[k] = there(k) ? words[first + k * Tile::size] : Table::Format::tombstone_word;
    }
    std::array<std::uint32_t, loads> measures;  // for live keys, else 0
    std::array<std::uint32_t, loads> states;    // the rest of each mark
    std::uint32_t most = 0;
    std::uint32_t tombstones = 0;
    std::uint32_t links = 0;
    std::uint64_t bits = 0;
    SLOTSCAPE_UNROLL
    for (int k = 0; k < loads; ++k) {
      Slot const slot = first + k * Tile::size;
      Described const found =
          there(k) ? Family::describe(own, slot, read[k]) : Described{SlotState::tombstone, false, 0};
      bool const live = found.state == SlotState::live;
      measures[k] = live ? found.measure : 0;
      states[k] = mark_of_state(found);
      most |= measures[k];
      sink.add_small(live, measures[k]);
      tombstones += there(k) && found.state == SlotState::tombstone;
      links += found.state == SlotState::link;
      int const shift = k * Tile::size % 64;
      bits |= std::uint64_t{tile.ballot(found.state != SlotState::empty)} << shift;
      if (shift + Tile::size == 64) {
        std::uint64_t const word = item * groups + k * Tile::size / 64;
        if (tile.rank() == 0 && word < occupancy.counts[0]) { occupancy.words[0][word] = bits; }
        bits = 0;
      }
    }
    sink.note(tombstones, links);
    if (most >= exec::local_bins) {
      SLOTSCAPE_UNROLL
      for (int k = 0; k < loads; ++k) {
        if (measures[k] >= exec::local_bins) { sink.add_large(measures[k]); }
        measures[k] = measure_code::of(measures[k]);
      }
    }
    SLOTSCAPE_UNROLL
    for (int k = 0; k < loads; ++k) {
      if (there(k)) { marks[first + k * Tile::size] = mark_of(measures[k], states[k]); }
    }
  }
};

/// Fades eight changes in place.
struct FadeChanges {
  std::uint64_t* changes;
  std::uint32_t step;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t const eight = changes[i];
    if (eight == 0) { return; }
    std::uint64_t faded = 0;
    for (int shift = 0; shift < 64; shift += 8) {
      std::uint32_t const change = (eight >> shift) & 0xffu;
      std::uint32_t const strength = change & flash_full;
      std::uint32_t const left = strength > step ? strength - step : 0;
      faded |= std::uint64_t{left == 0 ? 0u : (change & ~flash_full) | left} << shift;
    }
    changes[i] = faded;
  }
};

/// The slots of one cell in the table: `rows` runs of `columns` slots, `stride` slots apart. Several rows are read at
/// once, so a stretch of the Hilbert curve is also cut into rows.
struct CellShape {
  static constexpr std::uint32_t rows_at_once = 4;

  std::uint32_t columns;
  std::uint32_t rows;
  std::uint32_t stride;

  SLOTSCAPE_HOST_DEVICE std::uint32_t slots() const { return rows * columns; }

  static CellShape of(Grid const& grid, std::uint32_t level)
  {
    std::uint32_t const columns = std::min(std::uint32_t{1} << level, grid.columns);
    std::uint32_t const rows = std::min(std::uint32_t{1} << level, grid.rows);
    if (grid.layout == Layout::rows) { return {columns, rows, grid.columns}; }
    std::uint32_t const slots = columns * rows;
    std::uint32_t const pieces = std::min(rows_at_once, slots);
    return {slots / pieces, pieces, slots / pieces};
  }
};

/// Finds the first slot of each cell of a picture, or `no_slot` for a cell outside the grid.
struct LocateCells {
  Grid grid;
  PictureRequest request;
  std::uint32_t slots;  ///< per cell
  Slot* first;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t cell) const
  {
    Position const corner{(request.x + static_cast<std::uint32_t>(cell) % request.width) << request.level,
                          (request.y + static_cast<std::uint32_t>(cell) / request.width) << request.level};
    bool const inside = corner.x < grid.columns && corner.y < grid.rows;
    Slot const slot = inside ? grid.slot(corner) : no_slot;
    first[cell] = inside && grid.layout == Layout::hilbert ? slot & ~(slots - 1) : slot;
  }
};

/// The marks of neighbouring slots as stored in memory: read together, and counted two at a time.
template <std::uint32_t count>
struct alignas(2 * count) Marks {
  static constexpr std::uint32_t size = count;

  std::array<std::uint32_t, size / 2> pairs;

  SLOTSCAPE_HOST_DEVICE SlotMark operator[](std::uint32_t i) const
  {
    return static_cast<SlotMark>(pairs[i / 2] >> (i % 2 * 16));
  }
};
using EightMarks = Marks<8>;

/// Reads neighbours in one access: a T of 2 to 16 bytes, aligned to its size.
template <class T, class U>
SLOTSCAPE_HOST_DEVICE T read_together(U const* first)
{
  T together;
#if defined(__CUDA_ARCH__)
  using Bits = std::conditional_t<
      sizeof(T) == 16, uint4,
      std::conditional_t<sizeof(T) == 8, uint2, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>>;
  Bits const bits = *reinterpret_cast<Bits const*>(first);
  std::memcpy(&together, &bits, sizeof together);
#else
  std::memcpy(&together, first, sizeof together);
#endif
  return together;
}

/// Reduces the slots of one cell to its texel.
struct ReduceCell {
  SlotMark const* marks;
  Occupancy occupancy;
  std::uint8_t const* changes;  ///< one per slot, or null
  CellShape shape;
  Slot const* first;  ///< for each cell
  ColorBy color_by;
  Reduce reduce;
  Texel* texels;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t cell, Tile tile) const
  {
    Slot const start = first[cell];
    std::uint32_t const rows = start == no_slot ? 0 : shape.rows;  // no early return: lanes of other cells wait below
    Cell sums{};
    switch (shape.columns) {
      case 1: add_slots(sums, start, rows); break;
      case 2: add_small_cell<2>(sums, start, rows); break;
      case 4: add_small_cell<4>(sums, start, rows); break;
      default: add_cell(sums, start, rows, tile);
    }
    sums.combine(tile);
    if (tile.rank() == 0) { texels[cell] = texel(sums); }
  }

private:
  struct Cell : CellSums {
    std::uint32_t flash[3];  ///< strongest insert, find and erase
    ClusterSums clusters;
    static constexpr std::uint32_t ones = 0x00010001u;  ///< one in each half of a pair of marks

    /// Adds slots with their measures; returns false, and adds nothing, if a measure is coded.
    template <std::uint32_t count>
    SLOTSCAPE_HOST_DEVICE bool add(Marks<count> const& marks)
    {
      std::uint32_t measures = 0;
      std::uint32_t most = 0;
      std::uint32_t any = 0;
      for (std::uint32_t const pair : marks.pairs) {
        std::uint32_t const two = (pair >> 3) & 0x1fff1fffu;
        measures += two;
        most = larger_halves(most, two);
        any |= pair;
      }
      if ((any & ((measure_code::exact << 3) * ones)) != 0) { return false; }
      add_states(marks);
      sum += sum_of_halves(measures);
      most = most >> 16 > (most & 0xffffu) ? most >> 16 : most & 0xffffu;
      max = most > max ? most : max;
      return true;
    }
    /// Adds slots without their measures.
    template <std::uint32_t count>
    SLOTSCAPE_HOST_DEVICE void add_states(Marks<count> const& marks)
    {
      std::uint32_t low = 0;  // number of states with the lower bit set, in each half
      std::uint32_t any = 0;
      for (std::uint32_t const pair : marks.pairs) {
        low += pair & ones;
        any |= pair;
      }
      slots += count;
      live += sum_of_halves(low);
      if ((any & (2 * ones)) != 0) { tell_apart(marks); }
    }
    /// Separates links from the live slots, and counts the tombstones.
    template <std::uint32_t count>
    SLOTSCAPE_HOST_DEVICE void tell_apart(Marks<count> const& marks)
    {
      std::uint32_t high = 0;
      std::uint32_t both = 0;
      for (std::uint32_t const pair : marks.pairs) {
        high += (pair >> 1) & ones;
        both += pair & (pair >> 1) & ones;
      }
      live -= sum_of_halves(both);
      links += sum_of_halves(both);
      tombstones += sum_of_halves(high) - sum_of_halves(both);
    }
    SLOTSCAPE_HOST_DEVICE static std::uint32_t sum_of_halves(std::uint32_t two)
    {
      return (two & 0xffffu) + (two >> 16);
    }
    SLOTSCAPE_HOST_DEVICE static std::uint32_t larger_halves(std::uint32_t a, std::uint32_t b)
    {
#if defined(__CUDA_ARCH__)
      return __vmaxu2(a, b);
#else
      return std::max(a >> 16, b >> 16) << 16 | std::max(a & 0xffffu, b & 0xffffu);
#endif
    }

    /// Adds a slot's last change.
    SLOTSCAPE_HOST_DEVICE void add_change(std::uint32_t change)
    {
      std::uint32_t const strength = change & flash_full;
      // Indexing by kind would push the array out of registers.
      for (std::uint32_t kind = 0; kind < 3; ++kind) {
        if (change >> 6 == kind && strength > flash[kind]) { flash[kind] = strength; }
      }
    }

    template <class Tile>
    SLOTSCAPE_HOST_DEVICE void combine(Tile tile)
    {
      slots = tile.sum(slots);
      live = tile.sum(live);
      links = tile.sum(links);
      tombstones = tile.sum(tombstones);
      max = tile.max(max);
      sum = tile.sum(sum);
      for (std::uint32_t& strength : flash) { strength = tile.max(strength); }
    }
  };

  SLOTSCAPE_HOST_DEVICE bool by_cluster() const
  {
    return color_by == ColorBy::cluster_length;
  }
  SLOTSCAPE_HOST_DEVICE bool there(Slot slot) const
  {
    return slot < occupancy.slots;
  }

  /// A cell of one column, added by one lane.
  SLOTSCAPE_HOST_DEVICE void add_slots(Cell& cell, Slot start, std::uint32_t rows) const
  {
    for (std::uint32_t row = 0; row < rows; ++row) {
      Slot const slot = start + row * shape.stride;
      if (!there(slot)) { continue; }
      add_slot(cell, slot, marks[slot]);
      if (changes != nullptr) { cell.add_change(changes[slot]); }
    }
  }

  /// A cell with rows shorter than eight slots, added by one lane.
  template <std::uint32_t columns>
  SLOTSCAPE_HOST_DEVICE void add_small_cell(Cell& cell, Slot start, std::uint32_t rows) const
  {
    for (std::uint32_t row = 0; row < rows; ++row) {
      Slot const slot = start + row * shape.stride;
      add_some(cell, slot, is_whole<columns>(slot) ? read_together<Marks<columns>>(marks + slot) : Marks<columns>{});
    }
  }

  /// Processes several rows at a time: first all their loads, then the work.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void add_cell(Cell& cell, Slot start, std::uint32_t rows, Tile tile) const
  {
    constexpr std::uint32_t at_once = CellShape::rows_at_once;
    for (std::uint32_t row = 0; row < rows; row += at_once) {
      for (std::uint32_t x = tile.rank() * EightMarks::size; x < shape.columns; x += Tile::size * EightMarks::size) {
        Slot const slot = start + row * shape.stride + x;
        std::array<EightMarks, at_once> read{};
        for (std::uint32_t k = 0; k < at_once; ++k) {
          Slot const first = slot + k * shape.stride;
          if (row + k < rows && is_whole<EightMarks::size>(first)) {
            read[k] = read_together<EightMarks>(marks + first);
          }
        }
        for (std::uint32_t k = 0; k < at_once && row + k < rows; ++k) {
          add_some(cell, slot + k * shape.stride, read[k]);
        }
      }
    }
  }

  /// Whether `count` slots from this one on are in the table.
  template <std::uint32_t count>
  SLOTSCAPE_HOST_DEVICE bool is_whole(Slot slot) const
  {
    return std::uint64_t{slot} + count <= occupancy.slots;
  }

  /// slot: a multiple of `count`. some: the marks of these slots, if all of them are in the table.
  template <std::uint32_t count>
  SLOTSCAPE_HOST_DEVICE void add_some(Cell& cell, Slot slot, Marks<count> const& some) const
  {
    bool const whole = is_whole<count>(slot);
    if (whole && by_cluster()) {
      cell.add_states(some);
      auto const runs = static_cast<std::uint32_t>(occupancy.words[0][slot / 64] >> (slot % 64)) & ((1u << count) - 1);
      cell.clusters.add(occupancy, slot, runs, cell);
    } else if (!whole || !cell.add(some)) {
      for (std::uint32_t i = 0; i < count; ++i) {
        if (there(slot + i)) { add_slot(cell, slot + i, whole ? some[i] : marks[slot + i]); }
      }
    }
    if (changes == nullptr) { return; }
    if (whole) {
      using Changes =
          std::conditional_t<count == 8, std::uint64_t, std::conditional_t<count == 4, std::uint32_t, std::uint16_t>>;
      for (std::uint64_t left = read_together<Changes>(changes + slot); left != 0; left >>= 8) {
        cell.add_change(static_cast<std::uint32_t>(left & 0xffu));
      }
    } else {
      for (std::uint32_t i = 0; i < count && there(slot + i); ++i) { cell.add_change(changes[slot + i]); }
    }
  }

  SLOTSCAPE_HOST_DEVICE void add_slot(Cell& cell, Slot slot, SlotMark mark) const
  {
    SlotState const state = state_of(mark);
    cell.slots += 1;
    cell.live += state == SlotState::live;
    cell.tombstones += state == SlotState::tombstone;
    cell.links += state == SlotState::link;
    std::uint32_t value = measure_of(mark);
    if (by_cluster()) {
      if (state == SlotState::empty) { return; }
      value = cell.clusters.length(occupancy, slot);
    }
    cell.sum += value;
    cell.max = value > cell.max ? value : cell.max;
  }

  SLOTSCAPE_HOST_DEVICE Texel texel(Cell const& cell) const
  {
    Texel texel = cell.texel(reduce, cell.live + (by_cluster() ? cell.tombstones + cell.links : 0));
    for (int kind = 0; kind < 3; ++kind) { texel.flash |= (cell.flash[kind] * 255 / flash_full) << (8 * kind); }
    return texel;
  }
};

/// Colours cells by the lengths of their slots' clusters, after everything else has been drawn. Rows of cells have
/// eight slots or a multiple of eight.
struct ColorByClusters {
  Occupancy occupancy;
  CellShape shape;
  Slot const* first;  ///< for each cell
  Reduce reduce;
  Texel* texels;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t cell, Tile tile) const
  {
    constexpr std::uint32_t size = EightMarks::size;
    Slot const start = first[cell];
    std::uint32_t const rows = start == no_slot ? 0 : shape.rows;  // no early return: lanes of other cells wait below
    CellSums sums{};
    ClusterSums clusters{};
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t x = tile.rank() * size; x < shape.columns; x += Tile::size * size) {
        std::uint64_t const slot = start + std::uint64_t{row} * shape.stride + x;
        if (slot >= occupancy.slots) { continue; }
        std::uint64_t const left = occupancy.slots - slot;
        std::uint32_t const there = left < size ? (1u << left) - 1 : (1u << size) - 1;
        auto const runs = static_cast<std::uint32_t>(occupancy.words[0][slot / 64] >> (slot % 64)) & there;
        sums.live += Occupancy::count(runs);
        clusters.add(occupancy, static_cast<Slot>(slot), runs, sums);
      }
    }
    sums.live = tile.sum(sums.live);
    sums.max = tile.max(sums.max);
    sums.sum = tile.sum(sums.sum);
    if (tile.rank() == 0) { texels[cell].value = sums.value(reduce, sums.live); }
  }
};

}  // namespace slotscape::passes
