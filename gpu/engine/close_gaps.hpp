#pragma once

#include "gpu/base/ring.hpp"
#include "gpu/tables/family.hpp"

#include <algorithm>
#include <limits>

namespace slotscape {

/// A family whose keys are in the order of their homes, so that all of them can be moved without lookups. Erased keys
/// keep their slots, and that order, until the gaps are closed.
template <class F>
concept OrderedByHome = F::ordered_by_home;

/// How the live keys of some consecutive slots move the first free slot: it is max(free + count, reach) after them,
/// since each key goes to its home or to the slot after the previous key, whichever is later. Such functions can be
/// composed, so the slots are moved in chunks, all at once: `SummariseChunk` for every chunk, one `ChainChunks`,
/// `MoveChunk` for every chunk.
///
/// Slots are numbered on a line: negative numbers are before the start of the table and wrap around to its end.
struct GapChunk {
  static constexpr std::uint64_t slots = 1024;
  static constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::min() / 2;

  std::int64_t count;
  std::int64_t reach;
  std::int64_t first_free;  ///< before its keys

  SLOTSCAPE_HOST_DEVICE std::int64_t after(std::int64_t free) const
  {
    return free + count > reach ? free + count : reach;
  }
};

/// Calls use(word, home) for the live pairs of a chunk in the order of their slots, which is also that of their homes.
template <TableFamily Family, class View, class Use>
SLOTSCAPE_HOST_DEVICE void for_each_live(View const& table, typename View::Word const* words, std::uint64_t chunk,
                                         Use use)
{
  std::uint64_t const begin = chunk * GapChunk::slots;
  std::uint64_t const all = table.layout.slots();
  std::uint64_t const end = begin + GapChunk::slots < all ? begin + GapChunk::slots : all;
  for (std::uint64_t i = begin; i < end; ++i) {
    auto const slot = static_cast<Slot>(i);
    auto const word = words[i];
    if (Family::describe(table, slot, word).state != SlotState::live) { continue; }
    use(word, static_cast<std::int64_t>(i) - displacement(table.layout, slot, key_of(word)));
  }
}

template <TableFamily Family, class View>
struct SummariseChunk {
  View table;
  typename View::Word const* words;
  GapChunk* chunks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    GapChunk chunk{0, GapChunk::nowhere, GapChunk::nowhere};
    for_each_live<Family>(table, words, i, [&](auto const&, std::int64_t home) {
      chunk.reach = (home > chunk.reach ? home : chunk.reach) + 1;
      ++chunk.count;
    });
    chunks[i] = chunk;
  }
};

/// Finds where each chunk's keys begin. The table is a ring: a first lap finds how far the last keys reach into the
/// start.
struct ChainChunks {
  GapChunk* chunks;
  std::uint64_t count;
  std::int64_t slots;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t) const
  {
    std::int64_t free = GapChunk::nowhere;
    for (std::uint64_t i = 0; i < count; ++i) { free = chunks[i].after(free); }
    free -= slots;
    for (std::uint64_t i = 0; i < count; ++i) {
      chunks[i].first_free = free;
      free = chunks[i].after(free);
    }
  }
};

template <TableFamily Family, class View>
struct MoveChunk {
  View table;
  typename View::Word const* words;
  GapChunk const* chunks;
  typename View::Word* moved;  ///< initially empty

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::int64_t free = chunks[i].first_free;
    auto const slots = static_cast<std::int64_t>(table.layout.slots());
    for_each_live<Family>(table, words, i, [&](auto const& word, std::int64_t home) {
      std::int64_t const place = home > free ? home : free;
      moved[place < 0 ? place + slots : place] = word;
      free = place + 1;
    });
  }
};

}  // namespace slotscape
