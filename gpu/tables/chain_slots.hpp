#pragma once

#include "gpu/tables/pair_words.hpp"

namespace slotscape {

/// How slots of a chain are taken while only insertions and lookups run: each changes its key at most once, from free
/// (empty or a tombstone) to a key for good.
struct ChainSlots {
  template <PairFormat Format>
  SLOTSCAPE_HOST_DEVICE static bool is_free(typename Format::Word word)
  {
    return word == Format::empty_word || word == Format::tombstone_word;
  }

  /// Puts the pair into a slot that is free, or the value into the one that has the key; `full` if it has another key.
  /// `line`, `what`: for step mode, of the pseudocode and the slot. A slot is tried at most once each as empty and as a
  /// tombstone: it is never either again.
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
