#pragma once

#include "gpu/base/ring.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/pair_words.hpp"

namespace slotscape {

/// Linear probing in which the keys of a run are in the order of their homes, and keys with the same home in the order
/// of the keys. A lookup ends as soon as it meets a key over which the sought key would have priority in that slot.
///
/// In parallel (the phase-concurrent table of Shun & Blelloch 2014, with the displacement as priority), a thread that
/// takes a slot from its resident swaps the packed pairs with one compare-and-swap and carries the resident on. Of two
/// different keys, one always has priority at a slot: the one with the larger displacement there, or, if these are
/// equal, the smaller key.
///
/// While only inserts run: (1) The priority of a slot's contents only rises: empty, then pairs of ever higher priority.
/// So a key that passes a slot because its resident has priority never needs to come back to it, and stale loads do no
/// harm, since the compare-and-swap then reveals the truth. In the end every slot from a key's home up to the key holds
/// a key of higher priority there, which lookups rely on. (2) No pair is lost: it is in a slot or held by the one
/// thread that took it out, and that thread wrote its own pair in the same exchange. (3) Every carrier finishes. All
/// slots from the carried key's home to the current slot are taken, and a taken slot never becomes empty in this phase.
/// There are at least as many empty slots as carriers (the table admits no more), so one lies ahead before the key gets
/// round to its home again: displacements stay below the number of slots.
///
/// An erased key keeps its slot, with an empty value, so that priorities do not change; an insertion with priority over
/// a dead key takes its slot and carries nothing on. If a family shifts keys back (gpu/tables/shift_back.hpp), it does
/// so after all erases of a batch, cluster by cluster.
///
/// A family derives from this, with a `FamilyInfo` and guarantees. If its slots hold more than keys, it has its own
///   static Slot home_of(Layout const&, Word)    the home of a slot's contents
///   static bool is_key(Word)                    for a word that is not empty; words without a key come after the keys
///   of their home
template <class Family>
struct OrderedProbing {
  static constexpr bool inserts_new_keys = true;
  static constexpr bool ordered_by_home = true;

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  struct Layout {
    Hasher hasher;
    Deletion deletion;

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return hasher.slots(); }
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return hasher.home(key); }
  };

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  static Layout<Format, Hasher> layout(TableSettings const& settings)
  {
    return {{settings.hash, settings.slots}, settings.deletion};
  }

  /// The key must not be in the table, and there must be an empty slot left.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    using Format = typename Table::Format;
    typename Table::Result result{Outcome::full, no_slot, value};
    auto carried = pack(key, value);
    Slot slot = table.layout.home(key);
    for (Slot left = static_cast<Slot>(table.layout.slots()); left != 0;
         --left, slot = slot_after(table.layout, slot)) {
      auto const taken = take(table, slot, carried);
      if (taken == carried) { continue; }
      if (result.slot == no_slot) { result.slot = slot; }
      if (!is_live<Format>(taken)) {  // an empty slot, or a dead key
        result.outcome = Outcome::inserted;
        break;
      }
      carried = taken;
      ++result.moves;
    }
    return result;
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    using Format = typename Table::Format;
    Slot slot = table.layout.home(key);
    for (Slot left = static_cast<Slot>(table.layout.slots()); left != 0;
         --left, slot = slot_after(table.layout, slot)) {
      table.at("look", "slot", slot, "distance", displacement(table.layout, slot, key));
      auto const word = table.machine.load(slot);
      if (key_of(word) == key) { return PairWords::met<Format>(slot, word); }
      if (has_priority(table, slot, key, word)) { break; }
    }
    return PairWords::missing<Format>();
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    return erase_value(table, find(table, key), key);
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    using Format = typename Table::Format;
    SlotState const without_value = word == Format::empty_word ? SlotState::empty : SlotState::tombstone;
    bool const has_key = !Format::is_reserved(key_of(word));
    return {is_live<Format>(word) ? SlotState::live : without_value, has_key,
            has_key ? displacement(table.layout, slot, key_of(word)) : 0};
  }

  /// Valid: contents that are not in their home slot follow a slot whose contents have priority over them there.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    if (word == Table::Format::empty_word) { return true; }
    Slot const home = Family::home_of(table.layout, word);
    if (Family::is_key(word) && Table::Format::is_reserved(key_of(word))) { return false; }
    if (home >= table.layout.slots() || home == slot) { return home == slot; }
    Slot const before = slot_before(table.layout, slot, 1);
    auto const other = table.machine.load(before);
    if (other == Table::Format::empty_word) { return false; }
    Slot const mine = slot_before(table.layout, before, home);
    Slot const others = slot_before(table.layout, before, Family::home_of(table.layout, other));
    if (mine != others) { return others > mine; }
    return Family::is_key(other) && (!Family::is_key(word) || key_of(other) < key_of(word));
  }

  template <class Layout, class Word>
  SLOTSCAPE_HOST_DEVICE static Slot home_of(Layout const& layout, Word word)
  {
    return layout.home(key_of(word));
  }
  template <class Word>
  SLOTSCAPE_HOST_DEVICE static constexpr bool is_key(Word)
  {
    return true;
  }

private:
  template <PairFormat Format>
  SLOTSCAPE_HOST_DEVICE static bool is_live(typename Format::Word word)
  {
    return value_of(word) != Format::empty_value && Family::is_key(word);
  }

  /// Whether the key has priority at `slot` over the slot's contents.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool has_priority(Table const& table, Slot slot, typename Table::Key key,
                                                 typename Table::Word word)
  {
    if (word == Table::Format::empty_word) { return true; }
    Slot const mine = displacement(table.layout, slot, key);
    Slot const other = slot_before(table.layout, slot, Family::home_of(table.layout, word));
    return mine != other ? mine > other : !Family::is_key(word) || key < key_of(word);
  }

  /// Puts the pair in the slot if it has priority there. Returns the word that it replaced, or the pair itself.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto take(Table const& table, Slot slot, typename Table::Word pair) ->
      typename Table::Word
  {
    auto const carried = key_of(pair);
    table.at("meet", "slot", slot, "carried", carried, "distance", displacement(table.layout, slot, carried));
    auto seen = table.machine.load(slot);
    while (has_priority(table, slot, carried, seen)) {  // each failed swap means a resident of higher priority
      table.at("swap", "slot", slot, "carried", carried, "distance", displacement(table.layout, slot, carried));
      auto const old = table.machine.compare_exchange(slot, seen, pair);
      if (old == seen) { return old; }
      seen = old;
    }
    return pair;
  }
};

}  // namespace slotscape
