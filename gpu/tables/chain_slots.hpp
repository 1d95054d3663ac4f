#pragma once

#include "gpu/tables/pair_words.hpp"

namespace slotscape {

/// How slots of a chain are claimed while only insertions and lookups run: each changes its key at most once, from free
/// (empty or a tombstone) to a permanent key.
struct ChainSlots {
  template <PairFormat Format>
  SLOTSCAPE_HOST_DEVICE static bool is_free(typename Format::Word word)
  {
    return word == Format::empty_word || word == Format::tombstone_word;
  }

  /// Puts the pair into the slot if it is free, or the value if the slot has the key; returns `full` if it has another
  /// key. `line`, `what`: the pseudocode line and the slot's description, for step mode. A slot is tried at most once
  /// each as empty and as a tombstone, because it never becomes either again.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Outcome take(Table const& table, char const* line, char const* what, Slot slot,
                                            typename Table::Word seen, typename Table::Key key,
                                            typename Table::Value value)
  {
    while (is_free<typename Table::Format>(seen)) {
      table.at(line, what, slot);
      auto const old = table.machine.compare_exchange(slot, seen, pack(key, value));
      if (old == seen) { return Outcome::inserted; }
      seen = old;
    }
    if (key_of(seen) != key) { return Outcome::full; }
    put(table, slot, seen, value);
    return Outcome::updated;
  }
};

}  // namespace slotscape
