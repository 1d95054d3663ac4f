#pragma once

#include "gpu/base/ring.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/pair_words.hpp"

namespace slotscape {

/// Robin Hood hashing (Celis 1986): linear probing where, at each slot, of two keys the one farther from its home has
/// it and the other goes on. Displacements stay nearly equal, and a lookup that meets a key nearer to its home than
/// itself would be here ends.
///
/// In parallel (the phase-concurrent table of Shun & Blelloch 2014, with the displacement for priority): who takes a
/// slot from a resident swaps the packed pairs by one compare-and-swap and carries the resident on. Of two different
/// keys one always has priority at a slot: the one of larger displacement there, or of two equal ones the smaller key.
///
/// While only inserts run, (1) the priority of what a slot holds only rises: empty, then pairs of higher and higher
/// priority. So a key that was passed because the slot's resident had priority is passed rightly for ever, stale loads
/// err on the harmless side (the compare-and-swap then tells the truth), and in the end every slot from a key's home to
/// the key holds one of higher priority there: what lookups rely on. (2) A pair is in a slot or in the hands of the one
/// thread that took it out; whoever is about to carry on has written its own pair by the same exchange. None is lost.
/// (3) A carrier finds an end. All slots from the carried key's home to here are taken, and a taken slot never becomes
/// empty in this phase. There are at least as many empty slots as carriers (the table admits no more), so one is ahead
/// before the key comes round to its home: displacements stay below the number of slots.
///
/// An erased key keeps its slot with an empty value, so that priorities stay; an insertion with priority over a dead
/// key takes its slot and carries nothing on. Backward shifting would leave no dead keys, but it moves every key from
/// there to the end of the run by one: two erases in one run would have to wait for each other, and the longest runs,
/// where a parallel erase is needed most, would be shifted by one thread after the other.
struct RobinHood {
  static constexpr Guarantees guarantees(TableSettings const&)
  {
    return {.concurrency = Concurrency::phased, .erase_frees_slot = false};
  }

  static constexpr bool inserts_new_keys = true;
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

  /// The key is not in the table, and there is an empty slot for it.
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

  /// A key away from its home stands behind one that had priority over it there.
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
  /// Whether at `slot` the key goes before what is there.
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
    auto seen = table.machine.load(slot);
    while (
        has_priority(table, slot, key_of(pair), seen)) {  // each time round, another pair of higher priority is there
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
