#pragma once

#include "gpu/analysis/occupancy.hpp"
#include "gpu/tables/slot_mark.hpp"

namespace slotscape {

/// The word of slot first + i if it holds a live pair, else the empty word.
template <PairFormat Format>
struct LiveWord {
  typename Format::Word const* words;
  SlotMark const* marks;
  std::uint64_t first;

  SLOTSCAPE_HOST_DEVICE typename Format::Word operator()(std::uint64_t i) const
  {
    return state_of(marks[first + i]) == SlotState::live ? words[first + i] : Format::empty_word;
  }
};

/// Turns each pair into an insertion.
template <PairFormat Format>
struct UnpackInserts {
  typename Format::Word const* pairs;
  Operation* operations;
  typename Format::Key* keys;
  typename Format::Value* values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    operations[i] = Operation::insert;
    keys[i] = key_of(pairs[i]);
    values[i] = value_of(pairs[i]);
  }
};

/// Adds each number to the sink.
struct CountNumbers {
  static constexpr std::uint64_t per_item = 64;

  std::uint32_t const* numbers;
  std::uint64_t size;

  static std::uint64_t count(std::uint64_t size) { return (size + per_item - 1) / per_item; }

  template <class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile, Sink& sink) const
  {
    for (std::uint64_t k = tile.rank(); k < per_item; k += Tile::size) {
      if (item * per_item + k < size) { sink.add(numbers[item * per_item + k]); }
    }
  }
};

/// Finds the cluster of one slot.
struct ReadCluster {
  Occupancy occupancy;
  Slot slot;
  Cluster* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t) const { *out = occupancy.cluster(slot); }
};

}  // namespace slotscape
