#pragma once

#include "gpu/tables/ordered_probing.hpp"

#include <algorithm>

namespace slotscape {

/// Graveyard hashing (Bender, Kuszmaul & Kuszmaul 2021, 'Linear Probing Revisited: Tombstones Mark the Death of Primary
/// Clustering'): linear probing in the order of homes, in which an insertion shifts keys as far as the next empty slot
/// or tombstone. At a load of 1 - 1/x, the next empty slot is O(x^2) slots away, because runs grow together. So the
/// table is rebuilt from time to time: all tombstones are dropped, and new ones, graves, are dug at evenly spaced
/// homes. An insertion then shifts keys to the next grave, which is O(x) slots away, however long the runs are.
///
/// The paper: keys of a run are in the order of their hashes; the next rebuild comes O(n/x) insertions after the last;
/// each leaves O(n/x) tombstones, evenly spaced; an insertion or a lookup takes O(x) expected, and a rebuild pays for
/// itself.
///
/// Our choices: (1) The constants: with s of n slots free, n/x = s; half of them become graves, and the next rebuild
/// comes when a quarter as many keys have been inserted or erased; so some slots stay empty in between, as carriers
/// need. (2) x is computed at each rebuild. While the table is less than half full, graves gain nothing, and there are
/// none. (3) A grave is a word with its home in place of a pair's value: its place is after the keys of that home, and
/// lookups compare it like a key. (4) An erased key keeps its slot, and the same key may be inserted there again; an
/// insertion that carries a key there takes the slot like a grave. It is dropped by the next rebuild, or by the next
/// insertions when no slot is empty. (5) A rebuild rewrites the table in parallel, in two passes
/// (gpu/engine/graves.hpp).
///
/// In parallel: `OrderedProbing`. A grave, like a dead key, is taken by a key with priority over it, so here, too, the
/// priority of a slot's contents only rises.
struct Graveyard : OrderedProbing<Graveyard> {
  static constexpr Guarantees guarantees(TableSettings const&)
  {
    return {.concurrency = Concurrency::phased, .erase_frees_slot = false};
  }

  static constexpr FamilyInfo info{
      .name = "graveyard",
      .title = "Graveyard hashing",
      .source =
          "Bender, Kuszmaul & Kuszmaul 2021, Linear Probing Revisited: Tombstones Mark the Death of Primary Clustering",
      .idea =
          "Linear probing in the order of homes, with tombstones spaced evenly at each rebuild: an insertion moves "
          "keys no farther than to the next tombstone.",
      .guarantees = guarantees,
      .wide = true,
      .digs_graves = true,
      .moves = {"Keys displaced", "keys that an insertion displaced"},
      .clusters = true,
      .misses_by = MissesBy::home_and_key};

  static constexpr std::uint64_t rebuild_period(std::uint64_t slots, std::uint64_t live)
  {
    if (live < slots / 2) { return slots / 2 - live; }
    return std::max<std::uint64_t>(1, (slots - live) / 4);
  }
  /// Few enough to leave an empty slot until the next rebuild, unless all slots are live by then.
  static constexpr std::uint64_t graves(std::uint64_t slots, std::uint64_t live)
  {
    std::uint64_t const free = slots - live;
    std::uint64_t const period = rebuild_period(slots, live);
    return live < slots / 2 || free < period + 1 ? 0 : std::min(free / 2, free - period - 1);
  }

  template <PairFormat Format>
  SLOTSCAPE_HOST_DEVICE static constexpr auto grave_word(Slot home) -> typename Format::Word
  {
    return pack(Format::tombstone_key, typename Format::Value{home});
  }
  template <class Layout, class Word>
  SLOTSCAPE_HOST_DEVICE static Slot home_of(Layout const& layout, Word word)
  {
    return is_key(word) ? layout.home(key_of(word)) : static_cast<Slot>(value_of(word));
  }
  template <class Word>
  SLOTSCAPE_HOST_DEVICE static constexpr bool is_key(Word word)
  {
    using Key = decltype(key_of(word));
    return key_of(word) != static_cast<Key>(~Key{0} - 1);  // the key of tombstones
  }
};

namespace families {
using graveyard = Graveyard;
}

}  // namespace slotscape
