#pragma once

#include "gpu/engine/close_gaps.hpp"

namespace slotscape {

/// A family in the order of homes that is rebuilt from time to time. A rebuild adds graves: evenly spaced tombstones
/// that never were keys, which later insertions take. The family has
///   std::uint64_t rebuild_period(slots, live)    keys inserted or erased between two rebuilds, at least 1
///   std::uint64_t graves(slots, live)            the number of graves: fewer than free slots
///   Word grave_word<Format>(Slot home)           a grave; it lies behind the keys of that home
///   Slot home_of(layout, word)                   of a key or a grave
template <class F>
concept DigsGraves = OrderedByHome<F> && F::info.digs_graves;

/// The homes of graves, as evenly spaced as whole slots allow.
struct Graves {
  std::uint64_t count;
  std::uint64_t slots;

  SLOTSCAPE_HOST_DEVICE std::uint64_t home(std::uint64_t number) const { return number * slots / count; }
  /// The number of the first grave whose home is at or after this slot.
  SLOTSCAPE_HOST_DEVICE std::uint64_t first_from(std::uint64_t slot) const
  {
    return (slot * count + slots - 1) / slots;
  }
};

/// Whether slot i holds a live pair (`found`) or not (`missing`).
template <TableFamily Family, class View>
struct IsLive {
  View table;
  typename View::Word const* words;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    bool const live = Family::describe(table, static_cast<Slot>(i), words[i]).state == SlotState::live;
    return live ? Outcome::found : Outcome::missing;
  }
};

/// Calls use(word, home) for the live pairs with homes in a chunk of slots and for the graves to dig there, in the
/// order of their homes. No key is before its home, and there is no empty slot in between: the pairs are in the chunk,
/// or follow it without a gap.
template <TableFamily Family, class View, class Use>
SLOTSCAPE_HOST_DEVICE void for_each_at_home(View const& table, typename View::Word const* words, Graves const& graves,
                                            std::uint64_t chunk, Use use)
{
  using Format = typename View::Format;
  std::uint64_t const all = table.layout.slots();
  std::uint64_t const begin = chunk * GapChunk::slots;
  std::uint64_t const end = begin + GapChunk::slots < all ? begin + GapChunk::slots : all;
  std::uint64_t grave = graves.count == 0 ? 0 : graves.first_from(begin);
  std::uint64_t const last_grave = graves.count == 0 ? 0 : graves.first_from(end);
  auto const dig_before = [&](std::uint64_t home) {
    for (; grave != last_grave && graves.home(grave) < home; ++grave) {
      auto const its = static_cast<Slot>(graves.home(grave));
      use(Family::template grave_word<Format>(its), static_cast<std::int64_t>(its));
    }
  };
  for (std::uint64_t i = begin; i != end + all; ++i) {
    auto const slot = static_cast<Slot>(i < all ? i : i - all);
    auto const word = words[slot];
    if (word == Format::empty_word) {
      if (i >= end) { break; }
      continue;
    }
    std::uint64_t const away = slot_before(table.layout, slot, Family::home_of(table.layout, word));
    if (i < begin + away) { continue; }  // its home is in an earlier chunk
    std::uint64_t const home = i - away;
    if (home >= end) { break; }
    if (Family::describe(table, slot, word).state != SlotState::live) { continue; }
    dig_before(home);
    use(word, static_cast<std::int64_t>(home));
  }
  dig_before(end);
}

template <TableFamily Family, class View>
struct SummariseHomes {
  View table;
  typename View::Word const* words;
  Graves graves;
  GapChunk* chunks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    GapChunk chunk{0, GapChunk::nowhere, GapChunk::nowhere};
    for_each_at_home<Family>(table, words, graves, i, [&](auto const&, std::int64_t home) {
      chunk.reach = (home > chunk.reach ? home : chunk.reach) + 1;
      ++chunk.count;
    });
    chunks[i] = chunk;
  }
};

template <TableFamily Family, class View>
struct MoveHomes {
  View table;
  typename View::Word const* words;
  Graves graves;
  GapChunk const* chunks;
  typename View::Word* moved;  ///< initially empty

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::int64_t free = chunks[i].first_free;
    auto const slots = static_cast<std::int64_t>(table.layout.slots());
    for_each_at_home<Family>(table, words, graves, i, [&](auto const& word, std::int64_t home) {
      std::int64_t const place = home > free ? home : free;
      moved[place < slots ? place : place - slots] = word;
      free = place + 1;
    });
  }
};

}  // namespace slotscape
