#pragma once

#include "gpu/execution/tile.hpp"
#include "gpu/tables/pair_words.hpp"

namespace slotscape {

/// Tables whose operations are run by a tile of lanes that reads a window of neighbouring slots at once (SlabHash,
/// Ashkiani et al. 2018; WarpCore, Jünger et al. 2020). A key's path is a sequence of windows that depends only on the
/// key and visits each window once; it may grow at its end, but never changes otherwise. Keys never move. Taking the
/// slots of a window in order, a path of windows is a path of slots, and the proof in `open_addressing.hpp` applies:
///
/// While only inserts (and finds) run, a slot changes its key at most once, from free to a key for good. Of the lanes
/// whose slots the ballot shows free, the first tries to take its slot by compare-and-swap. If another key was faster,
/// that slot is taken for good, and the tile goes on to the next lane of the same ballot. It need not read again: a
/// slot seen taken by another key stays taken, and one seen free, however long ago, is tested by the compare-and-swap.
/// So a tile passes a slot only if another key has it, and of two tiles that insert the same key, the second meets the
/// first one's slot before any later one. For the same reason, the lanes of a window need not read at the same instant.
///
/// A family derives from this, with a `FamilyInfo` and
///   struct Path { Slot first; };                              a path at one of its windows, which begins at `first`
///   static Path path(Layout const&, Key);                     at the key's first window, that of its home
///   static bool next(table, tile, Path&, window, Key);        advances to the next window; false if there is none
///   static bool extend(table, tile, Path&);                   makes a next window if there is none, and advances to it
///   static std::uint32_t pair_lanes<Tile>();                  a bit for each lane whose slot may hold a pair
///   static bool ends(table, tile, window);                    no key lies beyond this window on its path
///   static bool keeps_keys(Layout const&);                    erasing keeps the key, with the empty value
///   static Word erased_word<Format>();                          otherwise: the word that erasing leaves
template <class Family>
struct WindowProbing {
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, Tile tile, typename Table::Key key,
                                           typename Table::Value value) -> typename Table::Result
  {
    auto path = Family::path(table.layout, key);
    table.at(Family::keeps_keys(table.layout) ? "look" : "search", "first", path.first);
    auto window = tile.read(table.machine, path.first);
    if (Family::keeps_keys(table.layout)) { return insert_from(table, tile, path, window, key, value); }
    return insert_reusing(table, tile, path, window, key, value);
  }

  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, Tile tile, typename Table::Key key) ->
      typename Table::Result
  {
    using Format = typename Table::Format;
    auto path = Family::path(table.layout, key);
    while (true) {
      table.at("look", "first", path.first);
      auto const window = tile.read(table.machine, path.first);
      if (std::uint32_t const own = lanes_of(tile, window, key); own != 0) {
        int const lane = exec::first_lane(own);
        auto const value = value_of(tile.word(window, lane));
        bool const live = value != Format::empty_value;
        return {live ? Outcome::found : Outcome::missing, path.first + static_cast<Slot>(lane), value};
      }
      if (Family::ends(table, tile, window) || !Family::next(table, tile, path, window, key)) { break; }
    }
    return {Outcome::missing, no_slot, Format::empty_value};
  }

  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, Tile tile, typename Table::Key key) ->
      typename Table::Result
  {
    auto const place = find(table, tile, key);
    if (Family::keeps_keys(table.layout)) { return erase_value(table, place, key, tile); }
    return erase_pair(table, place, key, Family::template erased_word<typename Table::Format>(), tile);
  }

private:
  template <class Tile, class Window, class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t lanes_of(Tile tile, Window const& window, Key key)
  {
    return tile.ballot(window, [=](auto word) { return key_of(word) == key; }) & Family::template pair_lanes<Tile>();
  }
  template <PairFormat Format, class Tile, class Window>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t free_lanes(Tile tile, Window const& window)
  {
    return tile.ballot(window, [](auto word) { return is_free<Format>(word); }) & Family::template pair_lanes<Tile>();
  }
  template <PairFormat Format>
  SLOTSCAPE_HOST_DEVICE static bool is_free(typename Format::Word word)
  {
    return word == Format::empty_word || word == Format::tombstone_word;
  }

  /// Updates the value of the key that was seen in that slot.
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto update(Table const& table, Tile tile, Slot slot, typename Table::Word seen,
                                           typename Table::Value value) -> typename Table::Result
  {
    auto const old = tile.once([&] { return put(table, slot, seen, value); });
    return {value_of(old) == Table::Format::empty_value ? Outcome::inserted : Outcome::updated, slot, value};
  }

  /// Inserts into the key's slot, or the first slot still free, of the window read at `first`; `full` if there is none.
  template <class Table, class Tile, class Window>
  SLOTSCAPE_HOST_DEVICE static auto insert_here(Table const& table, Tile tile, Slot first, Window const& window,
                                                typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    using Format = typename Table::Format;
    if (std::uint32_t const own = lanes_of(tile, window, key); own != 0) {
      int const lane = exec::first_lane(own);
      return update(table, tile, first + static_cast<Slot>(lane), tile.word(window, lane), value);
    }
    for (std::uint32_t free = free_lanes<Format>(tile, window); free != 0; free &= free - 1) {
      int const lane = exec::first_lane(free);
      Slot const slot = first + static_cast<Slot>(lane);
      table.at("take", "slot", slot);
      auto const old = tile.once(window, lane, [&](auto seen) {
        return table.machine.compare_exchange(slot, seen, pack(key, value));
      });
      if (is_free<Format>(old)) { return {Outcome::inserted, slot, value}; }
      if (key_of(old) == key) { return update(table, tile, slot, old, value); }
    }
    return {Outcome::full, no_slot, value};
  }

  /// Takes the first slot that is free or has the key, from the path's current window on.
  template <class Table, class Tile, class Path, class Window>
  SLOTSCAPE_HOST_DEVICE static auto insert_from(Table const& table, Tile tile, Path path, Window window,
                                                typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    while (true) {
      auto const result = insert_here(table, tile, path.first, window, key, value);
      if (result.outcome != Outcome::full) { return result; }
      if (!Family::next(table, tile, path, window, key) && !Family::extend(table, tile, path)) { return result; }
      table.at("look", "first", path.first);
      window = tile.read(table.machine, path.first);
    }
  }

  /// Insertion that may take the slot of an erased key: first looks for the key as far as it can be, then returns to
  /// the first window with a free slot (see `OpenAddressing::insert_reusing`).
  template <class Table, class Tile, class Path, class Window>
  SLOTSCAPE_HOST_DEVICE static auto insert_reusing(Table const& table, Tile tile, Path path, Window window,
                                                   typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    auto start = path;
    for (bool any_free = false;;) {
      if (std::uint32_t const own = lanes_of(tile, window, key); own != 0) {
        int const lane = exec::first_lane(own);
        return update(table, tile, path.first + static_cast<Slot>(lane), tile.word(window, lane), value);
      }
      if (!any_free) {  // if none is free, the path stays at its last window
        start = path;
        any_free = free_lanes<typename Table::Format>(tile, window) != 0;
      }
      if (Family::ends(table, tile, window) || !Family::next(table, tile, path, window, key)) { break; }
      table.at("search", "first", path.first);
      window = tile.read(table.machine, path.first);
    }
    if (start.first != path.first) {
      table.at("look", "first", start.first);
      window = tile.read(table.machine, start.first);
    }
    return insert_from(table, tile, start, window, key, value);
  }
};

}  // namespace slotscape
