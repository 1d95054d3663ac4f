#pragma once

#include "gpu/engine/run_operations.hpp"

/// The parallel loops of `BasicTable`, besides those of the engine.
namespace slotscape::library {

/// The word of slot first + i if it holds a live pair, else the empty word.
template <TableFamily Family, class View>
struct LiveWordAt {
  View table;
  typename View::Word const* words;
  std::uint64_t first;

  SLOTSCAPE_HOST_DEVICE typename View::Word operator()(std::uint64_t i) const
  {
    auto const slot = static_cast<Slot>(first + i);
    bool const live = Family::describe(table, slot, words[slot]).state == SlotState::live;
    return live ? words[slot] : View::Format::empty_word;
  }
};

/// Whether slot i holds a live pair (`found`) or not (`missing`).
template <TableFamily Family, class View>
struct IsLive {
  LiveWordAt<Family, View> words;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    return words(i) == View::Format::empty_word ? Outcome::missing : Outcome::found;
  }
};

/// Whether a slot is not free.
template <PairFormat Format>
struct IsTaken {
  typename Format::Word const* words;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    return words[i] == Format::empty_word ? Outcome::missing : Outcome::found;
  }
};

/// Splits pairs into keys and values. Keys of sets have no values.
template <PairFormat Format>
struct SplitPairs {
  typename Format::Word const* words;
  typename Format::Key* keys;
  typename Format::Value* values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    keys[i] = key_of(words[i]);
    if constexpr (Format::has_values) { values[i] = value_of(words[i]); }
  }
};

/// Looks up key i and writes its value. Tile: the cooperating lanes, of whichever type the executor passes.
template <TableFamily Family, class View, class Tile>
struct FindOne {
  RunOperations<Family, View, OperationMask::finds> find;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { find(i, Tile{}); }
  template <class Any>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i, Any) const
  {
    find(i, Tile{});
  }
};

}  // namespace slotscape::library
