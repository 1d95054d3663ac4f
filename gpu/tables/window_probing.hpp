#pragma once

#include "gpu/tables/seen_window.hpp"

namespace slotscape {

/// Tables whose operations are run by a tile of lanes that reads a window of neighbouring slots at once (SlabHash,
/// Ashkiani et al. 2018; WarpCore, Jünger et al. 2020). A key's path is a sequence of windows that depends only on the
/// key and visits each window once; it may grow at its end, but never changes otherwise. Keys never move. If the slots
/// of a window are taken in order, a path of windows is a path of slots, and the proof in `open_addressing.hpp`
/// applies:
///
/// While only inserts (and finds) run, a slot changes its key at most once, from free to a permanent key. Of the lanes
/// whose slots the ballot shows free, the first tries to take its slot by compare-and-swap. If another key was faster,
/// that slot is permanently taken, and the tile goes on to the next lane of the same ballot. It need not read again: a
/// slot seen taken by another key stays taken, and a slot seen free, however long ago, is tested by the
/// compare-and-swap. So a tile passes a slot only if another key has it, and of two tiles that insert the same key, the
/// second meets the first one's slot before any later one. For the same reason, the lanes of a window need not read at
/// the same instant.
///
/// A family derives from this, with a `FamilyInfo` and
///   struct Path { Slot first; };                              a path at one of its windows, which begins at `first`
///   static Path path(Layout const&, Key);                     at the key's first window, that of its home
///   static bool next(table, tile, Path&, window, Key);        advances to the next window; false if there is none
///   static bool extend(table, tile, Path&);                   makes a next window if there is none, and advances to it
///   static std::uint32_t pair_lanes();                        a bit for each lane whose slot may hold a pair
///   static bool ends(empty);                                  whether a window with empty words at these bits ends
///                                                             every path through it
///   static bool keeps_keys(Layout const&);                    erasing keeps the key, with an empty value
///   static Word erased_word<Format>();                        otherwise: the word that erasing leaves
template <class Family>
struct WindowProbing {
  static constexpr bool probes_windows = true;

  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, Tile tile, typename Table::Key key,
                                           typename Table::Value value) -> typename Table::Result
  {
    auto now = insertion(table, key);
    typename Table::Result result{Outcome::full, no_slot, value};
    while (true) {
      table.at(now.searches ? "search" : "look", "first", now.path.first);
      auto const window = tile.read(table.machine, now.path.first);
      if (insert_step(table, tile, now, window, see(table, tile, window, key), key, result)) { return result; }
    }
  }

  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, Tile tile, typename Table::Key key) ->
      typename Table::Result
  {
    auto path = Family::path(table.layout, key);
    typename Table::Result result{Outcome::missing, no_slot, Table::Format::empty_value};
    while (true) {
      table.at("look", "first", path.first);
      auto const window = tile.read(table.machine, path.first);
      if (find_step(table, tile, path, window, see(table, tile, window, key), key, result)) { return result; }
    }
  }

  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, Tile tile, typename Table::Key key) ->
      typename Table::Result
  {
    return erase_found(table, tile, find(table, tile, key), key);
  }

  /// --- the operations in steps, for lanes that read windows together but run different operations. A step follows
  /// each read of the path's current window. If it returns true, the operation is finished and has its result.

  /// An insertion in progress. While it `searches`, it looks for the key wherever the key may be, and notes the first
  /// free slot on the way, which may be that of an erased key (see `OpenAddressing::insert_reusing`); then it takes the
  /// first slot, from there on, that is free or has the key.
  template <class Path>
  struct Insertion {
    Path path;
    Path start;  ///< at the first window with a free slot; if none was met yet, at the last one seen
    bool searches;
    bool any_free;
  };
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insertion(Table const& table, typename Table::Key key)
  {
    auto const path = Family::path(table.layout, key);
    return Insertion<std::remove_const_t<decltype(path)>>{path, path, !Family::keeps_keys(table.layout), false};
  }
  /// `result` has the value to insert.
  template <class Table, class Tile, class Path, class Window>
  SLOTSCAPE_HOST_DEVICE static bool insert_step(Table const& table, Tile tile, Insertion<Path>& now,
                                                Window const& window, SeenWindow<typename Table::Format> const& seen,
                                                typename Table::Key key, typename Table::Result& result)
  {
    if (seen.own != 0) {
      result = update_seen(table, tile, now.path.first + first_slot_in(seen.own), seen.met, result.value);
      return true;
    }
    if (now.searches) {
      if (!now.any_free) {
        now.start = now.path;
        now.any_free = seen.free != 0;
      }
      if (!Family::ends(seen.empty) && Family::next(table, tile, now.path, window, key)) { return false; }
      now.searches = false;
      if (now.start.first != now.path.first) {
        now.path = now.start;
        return false;
      }
    }
    if (take_free_slot(table, tile, now.path.first, seen, key, result)) { return true; }
    return !Family::next(table, tile, now.path, window, key) && !Family::extend(table, tile, now.path);
  }

  template <class Table, class Tile, class Path, class Window>
  SLOTSCAPE_HOST_DEVICE static bool find_step(Table const& table, Tile tile, Path& path, Window const& window,
                                              SeenWindow<typename Table::Format> const& seen, typename Table::Key key,
                                              typename Table::Result& result)
  {
    if (seen.own != 0) {
      result.value = value_of(seen.met);
      result.outcome = result.value != Table::Format::empty_value ? Outcome::found : Outcome::missing;
      result.slot = path.first + first_slot_in(seen.own);
      return true;
    }
    return Family::ends(seen.empty) || !Family::next(table, tile, path, window, key);
  }

  /// Erases a key from the slot where it was found.
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto erase_found(Table const& table, Tile tile, typename Table::Result const& place,
                                                typename Table::Key key) -> typename Table::Result
  {
    if (Family::keeps_keys(table.layout)) { return erase_value(table, place, key, tile); }
    return erase_pair(table, place, key, Family::template erased_word<typename Table::Format>(), tile);
  }

  template <PairFormat Format>
  SLOTSCAPE_HOST_DEVICE static bool is_free(typename Format::Word word)
  {
    return is_free_word<Format>(word);
  }

private:
  template <class Table, class Tile, class Window>
  SLOTSCAPE_HOST_DEVICE static auto see(Table const&, Tile tile, Window const& window, typename Table::Key key)
  {
    using Format = typename Table::Format;
    constexpr std::uint32_t pairs = Family::pair_lanes();
    std::uint32_t const own = tile.ballot(window, [=](auto word) { return key_of(word) == key; }) & pairs;
    std::uint32_t const free = tile.ballot(window, [](auto word) { return is_free<Format>(word); }) & pairs;
    std::uint32_t const empty = tile.ballot(window, [](auto word) { return word == Format::empty_word; });
    auto const met = own != 0 ? tile.word(window, exec::first_lane(own)) : Format::empty_word;
    return SeenWindow<Format>{own, free, empty, met};
  }
};

}  // namespace slotscape
