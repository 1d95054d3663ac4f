#pragma once

#include "gpu/base/ring.hpp"
#include "gpu/tables/pair_words.hpp"

namespace slotscape {

/// A family that can erase by shifting keys back.
template <class F>
concept ShiftsBack = F::info.shifts_back;

/// Deletion that leaves no tombstone, for linear probing: keys after the erased one move back into the gap (Knuth, The
/// Art of Computer Programming 3, 6.4, Algorithm R; Cormen et al. 2022, Introduction to Algorithms, 11.5.1). If keys
/// are in the order of their homes, as in Robin Hood hashing, each moves back by one slot, up to the first that is at
/// home.
///
/// `erase_alone` is that algorithm, for a thread that uses the table alone. A batch first erases all its keys at once,
/// which keep their slots with an empty value, and then shifts back the keys after them, cluster by cluster
/// (`FindFirstGaps`, `ShiftCluster`).
struct ShiftBack {
  template <class Family, class Table>
  SLOTSCAPE_HOST_DEVICE static auto erase_alone(Table const& table, typename Table::Result const& place) ->
      typename Table::Result
  {
    if (place.outcome == Outcome::missing) { return place; }
    table.at("remove", "slot", place.slot);
    close<Family>(table, place.slot);
    return {Outcome::erased, place.slot, place.value};
  }

  /// Empties a slot, and moves keys until no key has an empty slot between its home and itself. Other gaps of the
  /// cluster stay, as if they held keys. Returns the slot that is finally empty.
  template <class Family, class Table>
  SLOTSCAPE_HOST_DEVICE static Slot close(Table const& table, Slot gap)
  {
    using Format = typename Table::Format;
    table.machine.exchange(gap, Format::empty_word);
    for (Slot slot = slot_after(table.layout, gap); slot != gap; slot = slot_after(table.layout, slot)) {
      table.at("follow", "slot", slot, "gap", gap);
      auto const word = table.machine.load(slot);
      if (word == Format::empty_word) { break; }
      if (is_gap<Format>(word)) { continue; }
      Slot const from_gap = slot_before(table.layout, slot, gap);
      if (displacement(table.layout, slot, key_of(word)) < from_gap) {  // its home is after the gap
        if (is_in_home_order<Family>) { break; }                        // so are the homes of all later keys
        continue;
      }
      table.at("move", "slot", slot, "gap", gap);
      table.machine.exchange(gap, word);
      table.at("clear", "slot", slot, "gap", slot);
      table.machine.exchange(slot, Format::empty_word);
      gap = slot;
    }
    return gap;
  }

  /// Whether a slot holds an erased key, waiting for later keys to shift back.
  template <PairFormat Format>
  SLOTSCAPE_HOST_DEVICE static bool is_gap(typename Format::Word word)
  {
    return word != Format::empty_word && value_of(word) == Format::empty_value;
  }

private:
  template <class Family>
  static constexpr bool is_in_home_order = requires
  {
    requires Family::ordered_by_home;
  };
};

}  // namespace slotscape
