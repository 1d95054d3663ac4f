#pragma once

#include "gpu/base/ring.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/pair_words.hpp"

namespace slotscape {

/// Robin Hood hashing (Celis 1986): linear probing in which, of two keys that compete for a slot, the one farther from
/// its home gets it and the other moves on. Displacements stay nearly equal, and a lookup ends as soon as it meets a
/// key that is nearer to its home than the sought key would be in that slot.
///
/// In parallel (the phase-concurrent table of Shun & Blelloch 2014, with the displacement as priority), a thread that
/// takes a slot from its resident swaps the packed pairs with one compare-and-swap and carries the resident on. Of two
/// different keys, one always has priority at a slot: the one with the larger displacement there, or, if these are
/// equal, the smaller key.
///
/// While only inserts run: (1) The priority of a slot's contents only rises: empty, then pairs of ever higher priority.
/// So a key that passes a slot because its resident has priority need never come back to it, and stale loads do no
/// harm, since the compare-and-swap then reveals the truth. In the end every slot from a key's home up to the key holds
/// a key of higher priority there, which is what lookups rely on. (2) No pair is lost: it is in a slot or held by the
/// one thread that took it out, and that thread wrote its own pair in the same exchange. (3) Every carrier finishes.
/// All slots from the carried key's home to the current slot are taken, and a taken slot never becomes empty in this
/// phase. There are at least as many empty slots as carriers (the table admits no more), so one lies ahead before the
/// key gets round to its home again: displacements stay below the number of slots.
///
/// An erased key keeps its slot, with an empty value, so that priorities do not change; an insertion with priority over
/// a dead key takes its slot and carries nothing on. Backward-shift deletion would leave no dead keys, but it moves
/// every key from there to the end of the run by one slot. Two erases in one run would have to wait for each other, and
/// the longest runs, where parallelism matters most, would be shifted by one thread after another.
struct RobinHood {
  static constexpr Guarantees guarantees(TableSettings const&)
  {
    return {.concurrency = Concurrency::phased, .erase_frees_slot = false};
  }

  static constexpr bool inserts_new_keys = true;
  static constexpr bool ordered_by_home = true;
  static constexpr bool measures_distance = true;
  static constexpr FamilyInfo info{
      .name = "robin_hood",
      .title = "Robin Hood hashing",
      .source = "Celis 1986, Robin Hood Hashing; in parallel after Shun & Blelloch 2014",
      .idea =
          "Linear probing that takes from the rich: a key farther from its home takes the slot, and the one that was "
          "there moves on. Erased keys are removed when their slots are needed.",
      .guarantees = guarantees,
      .wide = true,
      .moves = {"Keys displaced", "keys that an insertion displaced"},
      .clusters = true,
      .theory = TheoryOf::robin_hood};

  template <PairFormat Format>
  struct Layout {
    HasherOf<Format> hasher;

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return hasher.slots(); }
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return hasher.home(key); }
  };

  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    return {{settings.hash, settings.slots}};
  }

  /// The key must not be in the table, and there must be an empty slot for it.
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
      if (value_of(taken) == Format::empty_value) {  // an empty slot, or a dead key
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
    return {value_of(word) != Format::empty_value ? SlotState::live : without_value, has_key,
            has_key ? displacement(table.layout, slot, key_of(word)) : 0};
  }

  /// Valid: a key away from its home follows a slot whose key has priority over it there.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    using Format = typename Table::Format;
    if (word == Format::empty_word) { return true; }
    if (Format::is_reserved(key_of(word))) { return false; }
    if (displacement(table.layout, slot, key_of(word)) == 0) { return true; }
    Slot const before = slot_before(table.layout, slot, 1);
    return !has_priority(table, before, key_of(word), table.machine.load(before));
  }

private:
  /// Whether the key has priority at `slot` over what is there.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool has_priority(Table const& table, Slot slot, typename Table::Key key,
                                                 typename Table::Word word)
  {
    if (word == Table::Format::empty_word) { return true; }
    Slot const mine = displacement(table.layout, slot, key);
    Slot const other = displacement(table.layout, slot, key_of(word));
    return mine != other ? mine > other : key < key_of(word);
  }

  /// Puts the pair in the slot if it has priority there. Returns what it replaced, or the pair itself.
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

namespace families {
using robin_hood = RobinHood;
}

}  // namespace slotscape
