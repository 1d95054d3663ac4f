#pragma once

#include "gpu/tables/ordered_probing.hpp"

#include <algorithm>

namespace slotscape {

/// Graveyard hashing (Bender, Kuszmaul & Kuszmaul 2021, 'Linear Probing Revisited: Tombstones Mark the Death of Primary
/// Clustering'): linear probing in the order of homes, in which an insertion moves keys on as far as the next empty
/// slot or tombstone. At a load of 1 - 1/x, the next empty slot is O(x^2) slots away, because runs grow together. So
/// the table is rebuilt from time to time: all tombstones are dropped, and new ones, graves, are dug at evenly spaced
/// homes. An insertion then moves keys to the next grave, and that is O(x) slots away, whatever the runs are like.
///
/// The paper: keys of a run lie in the order of their hashes; O(n/x) insertions after a rebuild comes the next one;
/// each leaves O(n/x) tombstones, evenly spaced; an insertion or a lookup takes O(x) expected, a rebuild pays for
/// itself.
///
/// Ours: (1) The constants: with s of n slots free, n/x = s; half of them become graves, and the next rebuild comes
/// when a quarter as many keys have been inserted or erased; so some slots stay empty in between, as carriers need. (2)
/// x is that of the last rebuild. While the table is less than half full, there is nothing to gain, and no grave. (3) A
/// grave is a word with its home where a pair has its value: it belongs behind the keys of that home, and lookups
/// compare it as they compare a key. (4) An erased key keeps its slot, and the same key may come back to it; an
/// insertion that carries a key there takes it like a grave. It is dropped by the next rebuild, or by the next
/// insertions when no slot is empty. (5) A rebuild writes the table anew, in parallel, in two passes
/// (gpu/engine/graves.hpp).
///
/// In parallel: `OrderedProbing`. A grave, like a dead key, is taken by a key with priority over it, so the priority of
/// a slot's contents rises here, too.
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
          "keys no "
          "farther than to the next of them.",
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
  /// So few that until the next rebuild an empty slot is left, unless all slots are live then.
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
