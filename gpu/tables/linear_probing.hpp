#pragma once

#include "gpu/tables/family.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/machines.hpp"

namespace slotscape {

/// Open addressing with linear probing, one thread per operation, no memory order assumed (Farrell 2020, 'A Simple GPU
/// Hash Table'). Keys never move. Between a key's home and its slot there is never an empty slot.
struct LinearProbing {
  static constexpr Guarantees guarantees(TableSettings const& settings)
  {
    bool const reuses = settings.deletion == Deletion::tombstone_reuse;
    return {.together = reuses ? Together::erases_apart : Together::everything, .erase_frees_slot = reuses};
  }
  static constexpr FamilyInfo info{
      .name = "linear_probing",
      .title = "Linear probing",
      .source = "Farrell 2020, A Simple GPU Hash Table",
      .idea = "A key goes to the first free slot from its home on. Runs of taken slots grow together into clusters.",
      .guarantees = guarantees,
      .slot_counts = SlotCounts::power_of_two,
      .deletes_two_ways = true,
      .clusters = true,
      .theory = TheoryOf::linear_probing};

  /// A table as one thread of `Machine` sees it.
  template <class Machine>
  struct View {
    Machine machine;
    Hasher hasher;
    Deletion deletion;

    SLOTSCAPE_HOST_DEVICE Slot count() const { return hasher.mask() + 1; }
    SLOTSCAPE_HOST_DEVICE Slot next(Slot slot) const { return (slot + 1) & hasher.mask(); }
  };

  template <class Machine>
  SLOTSCAPE_HOST_DEVICE static Result insert(View<Machine> const& table, Key key, Value value)
  {
    if (table.deletion == Deletion::empty_value) { return insert_from(table, table.hasher.home(key), key, value); }
    return insert_reusing(table, key, value);
  }

  template <class Machine>
  SLOTSCAPE_HOST_DEVICE static Result find(View<Machine> const& table, Key key)
  {
    Slot slot = table.hasher.home(key);
    for (Slot left = table.count(); left != 0; --left, slot = table.next(slot)) {
      Word const word = table.machine.load(slot);
      if (key_of(word) == key) {
        bool const live = value_of(word) != empty_value;
        return {live ? Outcome::found : Outcome::missing, slot, value_of(word)};
      }
      if (word == empty_word) { break; }
    }
    return {Outcome::missing, no_slot, empty_value};
  }

  /// The slot keeps its key for ever or becomes a tombstone, as `table.deletion` says. Of several threads erasing one
  /// key, one sees `erased`.
  template <class Machine>
  SLOTSCAPE_HOST_DEVICE static Result erase(View<Machine> const& table, Key key)
  {
    Result const place = find(table, key);
    if (place.outcome == Outcome::missing) { return place; }
    if (table.deletion == Deletion::empty_value) {
      Word const old = table.machine.exchange(place.slot, pack(key, empty_value));
      return {value_of(old) == empty_value ? Outcome::missing : Outcome::erased, place.slot, value_of(old)};
    }
    Word const seen = pack(key, place.value);
    Word const old = table.machine.compare_exchange(place.slot, seen, tombstone_word);
    return {old == seen ? Outcome::erased : Outcome::missing, place.slot, value_of(old)};
  }

  /// What a slot holds, for people and statistics.
  SLOTSCAPE_HOST_DEVICE static Described describe(Hasher const& hasher, Slot slot, Word word)
  {
    bool const live = value_of(word) != empty_value;  // an empty slot and both kinds of tombstone have the empty value
    SlotState const without_value = word == empty_word ? SlotState::empty : SlotState::tombstone;
    std::uint32_t const probe_length = (slot - hasher.home(key_of(word))) & hasher.mask();
    return {live ? SlotState::live : without_value, !is_reserved(key_of(word)), probe_length};
  }

private:
  /// Takes the first slot from `slot` on that is free for this key: empty, a tombstone, or its own.
  template <class Machine>
  SLOTSCAPE_HOST_DEVICE static Result insert_from(View<Machine> const& table, Slot slot, Key key, Value value)
  {
    Word const pair = pack(key, value);
    for (Slot left = table.count(); left != 0; --left, slot = table.next(slot)) {
      Word seen = table.machine.load(slot);
      while (seen == empty_word || seen == tombstone_word) {  // at most once each: neither ever comes back
        Word const old = table.machine.compare_exchange(slot, seen, pair);
        if (old == seen) { return {Outcome::inserted, slot, value}; }
        seen = old;
      }
      if (key_of(seen) == key) {
        Word const old = table.machine.exchange(slot, pair);
        return {value_of(old) == empty_value ? Outcome::inserted : Outcome::updated, slot, value};
      }
    }
    return {Outcome::full, no_slot, value};
  }

  /// Insertion that may take a tombstone, and yet never stores a key twice. First look for the key as far as the first
  /// empty slot; only if it is nowhere, walk again from the first free slot and take the first one still free.
  ///
  /// Why it holds, while only inserts (and finds) run: a slot then changes at most once, from free (empty or tombstone)
  /// to a key for good. (1) A key stored before the phase has no empty slot before it, and none can appear, so the
  /// first walk finds it. (2) Otherwise let two threads insert key k, one having put k in slot s. The other meets s on
  /// its second walk before any later slot: it starts no later than s, since it skips only slots that it saw taken by
  /// other keys for good, and s never was. There it sees k, or fails to take s and is told k. So it goes no further,
  /// and by symmetry the first thread did not pass a slot where the second had put k. (3) Stale loads show a slot as
  /// free that is taken, never the reverse, and the compare-and-swap then tells the truth.
  template <class Machine>
  SLOTSCAPE_HOST_DEVICE static Result insert_reusing(View<Machine> const& table, Key key, Value value)
  {
    Slot slot = table.hasher.home(key);
    Slot first_free = no_slot;
    for (Slot left = table.count(); left != 0; --left, slot = table.next(slot)) {
      Word const word = table.machine.load(slot);
      if (key_of(word) == key) {
        table.machine.exchange(slot, pack(key, value));
        return {Outcome::updated, slot, value};
      }
      bool const is_free = word == empty_word || word == tombstone_word;
      if (is_free && first_free == no_slot) { first_free = slot; }
      if (word == empty_word) { break; }
    }
    if (first_free == no_slot) { return {Outcome::full, no_slot, value}; }
    return insert_from(table, first_free, key, value);
  }
};

namespace families {
using linear_probing = LinearProbing;
}

}  // namespace slotscape
