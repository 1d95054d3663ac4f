#pragma once

#include "gpu/tables/hash.hpp"
#include "gpu/tables/pair_words.hpp"

namespace slotscape {

/// Open addressing along any path of slots that depends only on the key and visits each slot once, with one thread per
/// operation and no assumptions about memory order (after Farrell 2020, 'A Simple GPU Hash Table'). Keys never move. On
/// a key's path, there is never an empty slot before the key's own.
///
/// A family derives from this, with a `FamilyInfo` and
///   struct Path { Slot slot; void next(Layout const&); };         a path at one of its slots
///   static Path path(Layout const&, Key);                         at its first slot, the key's home
///   static std::uint64_t steps_to(Layout const&, Slot, Key);      steps from home to a slot, without walking
/// or its own `measure`, if that needs no walk even for a few steps. A path that does not lead to all slots has a
///   static Slot path_steps(Layout const&);                        after which it leads to no other slot
/// and may visit a slot again: slots taken before a step stay taken, so the later visit changes nothing.
template <class Family>
struct OpenAddressing {
  template <PairFormat Format, class Hasher = HasherOf<Format>>
  struct Layout {
    Hasher hasher;
    Deletion deletion;

    /// Whether other keys may reuse an erased key's slot. Without a value, a word cannot mark its key as erased.
    SLOTSCAPE_HOST_DEVICE bool reuses_slots() const
    {
      return !Format::has_values || deletion == Deletion::tombstone_reuse;
    }
    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return hasher.slots(); }
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return hasher.home(key); }
  };

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  static Layout<Format, Hasher> layout(TableSettings const& settings)
  {
    return {{settings.hash, settings.slots}, settings.deletion};
  }

  static constexpr Guarantees guarantees(TableSettings const& settings)
  {
    if (settings.deletion == Deletion::shift) {
      return {.concurrency = Concurrency::erases_alone, .erase_frees_slot = true};
    }
    bool const reuses = settings.deletion == Deletion::tombstone_reuse;
    Concurrency const concurrency = reuses ? Concurrency::erases_apart : Concurrency::mixed;
    return {.concurrency = unless_combining(concurrency, settings.combine), .erase_frees_slot = reuses};
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    if (table.layout.reuses_slots()) { return insert_reusing(table, key, value); }
    return insert_from(table, Family::path(table.layout, key), count(table), key, value);
  }

  /// Reports the position of a walk to step mode, with the key's step length if it has one.
  template <class Table, class Path>
  SLOTSCAPE_HOST_DEVICE static void say(Table const& table, char const* line, Path const& path)
  {
    if constexpr (requires { path.step; }) {
      table.at(line, "slot", path.slot, "step", path.step);
    } else {
      table.at(line, "slot", path.slot);
    }
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    using Format = typename Table::Format;
    auto path = Family::path(table.layout, key);
    for (Slot left = count(table); left != 0; --left, path.next(table.layout)) {
      say(table, "look", path);
      auto const word = table.machine.load(path.slot);
      if (key_of(word) == key) { return PairWords::met<Format>(path.slot, word); }
      if (word == Format::empty_word) { break; }
    }
    return PairWords::missing<Format>();
  }

  /// The slot keeps its key permanently or becomes a tombstone, depending on the `Deletion`. If several threads erase
  /// one key, exactly one gets `erased`.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    auto const place = find(table, key);
    if (table.layout.reuses_slots()) { return erase_pair(table, place, key, Table::Format::tombstone_word); }
    return erase_value(table, place, key);
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    using Format = typename Table::Format;
    // An empty slot and both kinds of tombstone have the empty value.
    bool const live = value_of(word) != Format::empty_value;
    SlotState const without_value = word == Format::empty_word ? SlotState::empty : SlotState::tombstone;
    bool const has_key = !Format::is_reserved(key_of(word));
    std::uint32_t const measure = has_key ? Family::measure(table.layout, slot, key_of(word)) : 0;
    return {live ? SlotState::live : without_value, has_key, measure};
  }

  /// Steps from home to `slot` on the key's path. A few are counted; in a table full of tombstones, there are too many
  /// to count.
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t measure(Layout const& layout, Slot slot, Key key)
  {
    auto path = Family::path(layout, key);
    for (std::uint32_t steps = 0; steps < 16; ++steps, path.next(layout)) {
      if (path.slot == slot) { return steps; }
    }
    return static_cast<std::uint32_t>(Family::steps_to(layout, slot, key));
  }

private:
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Slot count(Table const& table)
  {
    if constexpr (requires { Family::path_steps(table.layout); }) {
      return Family::path_steps(table.layout);
    } else {
      return static_cast<Slot>(table.layout.slots());
    }
  }

  /// Takes the first slot of the path that is free for this key: empty, a tombstone, or its own. left: number of slots
  /// left on the path.
  template <class Table, class Path>
  SLOTSCAPE_HOST_DEVICE static auto insert_from(Table const& table, Path path, Slot left, typename Table::Key key,
                                                typename Table::Value value) -> typename Table::Result
  {
    using Format = typename Table::Format;
    auto const pair = pack(key, value);
    for (; left != 0; --left, path.next(table.layout)) {
      say(table, "look", path);
      auto seen = table.machine.load(path.slot);
      while (seen == Format::empty_word ||
             seen == Format::tombstone_word) {  // at most twice, once as empty and once as a tombstone
        say(table, "take", path);
        auto const old = table.machine.compare_exchange(path.slot, seen, pair);
        if (old == seen) { return {Outcome::inserted, path.slot, value}; }
        seen = old;
      }
      if (key_of(seen) == key) {
        auto const old = put(table, path.slot, seen, value);
        return {value_of(old) == Format::empty_value ? Outcome::inserted : Outcome::updated, path.slot, value};
      }
    }
    return {Outcome::full, no_slot, value};
  }

  /// Insertion that may take a tombstone, yet never stores a key twice. It first looks for the key up to the first
  /// empty slot; only if the key is not there, it walks again from the first free slot and takes the first slot that is
  /// still free.
  ///
  /// Proof, while only inserts (and finds) run: in such a phase a slot changes its key at most once, from free (empty
  /// or tombstone) to a permanent key. (1) A key stored before the phase has no empty slot before it, and none can
  /// appear, so the first walk finds it. (2) Otherwise, let two threads insert key k, and let one of them have put k
  /// into slot s. The other reaches s on its second walk before any later slot: it starts no later than s, since it
  /// skips only slots that it saw permanently taken by other keys, which s never was. At s it sees k, or fails to take
  /// s and then sees k. So it goes no further; and by symmetry, the first thread did not pass a slot where the second
  /// had put k. (3) A stale load may show a taken slot as free, never the reverse, and the compare-and-swap then
  /// reveals the truth.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert_reusing(Table const& table, typename Table::Key key,
                                                   typename Table::Value value) -> typename Table::Result
  {
    using Format = typename Table::Format;
    auto path = Family::path(table.layout, key);
    auto first_free = path;
    Slot left_from_free = 0;  // slots of the path from the first free one on
    for (Slot left = count(table); left != 0; --left, path.next(table.layout)) {
      say(table, "search", path);
      auto const word = table.machine.load(path.slot);
      if (key_of(word) == key) {
        put(table, path.slot, word, value);
        return {Outcome::updated, path.slot, value};
      }
      bool const is_free = word == Format::empty_word || word == Format::tombstone_word;
      if (is_free && left_from_free == 0) {
        first_free = path;
        left_from_free = left;
      }
      if (word == Format::empty_word) { break; }
    }
    return insert_from(table, first_free, left_from_free, key, value);
  }
};

}  // namespace slotscape
