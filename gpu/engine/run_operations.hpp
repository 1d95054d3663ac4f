#pragma once

#include "gpu/analysis/passes.hpp"
#include "gpu/tables/family.hpp"

#include <atomic>

namespace slotscape {

/// Runs operation i of a batch on a table and says what became of it.
template <class Family, class View>
struct RunOperations {
  View table;
  Operation const* operations;
  Key const* keys;
  Value* values;          ///< in for inserts, out for finds
  Outcome* outcomes;      ///< out
  std::uint8_t* changes;  ///< one per slot, out, or null

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    Operation const operation = operations[i];
    Result const result = run(operation, keys[i], values[i]);
    outcomes[i] = result.outcome;
    if (operation == Operation::find) { values[i] = result.outcome == Outcome::found ? result.value : empty_value; }
    if (changes != nullptr && result.slot != no_slot) { mark(changes[result.slot], passes::fresh_change(operation)); }
    return result.outcome;
  }

private:
  SLOTSCAPE_HOST_DEVICE Result run(Operation operation, Key key, Value value) const
  {
    bool const reserved = is_reserved(key) || (operation == Operation::insert && value == empty_value);
    if (reserved) { return {Outcome::rejected, no_slot, empty_value}; }
    switch (operation) {
      case Operation::insert: return Family::insert(table, key, value);
      case Operation::find: return Family::find(table, key);
      case Operation::erase: break;
    }
    return Family::erase(table, key);
  }

  SLOTSCAPE_HOST_DEVICE static void mark(std::uint8_t& change, std::uint8_t value)
  {
#if defined(__CUDA_ARCH__)
    change = value;  // any of the writers will do
#else
    std::atomic_ref<std::uint8_t>(change).store(value, std::memory_order_relaxed);
#endif
  }
};

/// Moves the live pair of slot first + i, if there is one, into another table.
template <class Family, class View>
struct MoveLive {
  Word const* from;
  Hasher from_hasher;
  std::uint64_t first;
  View to;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    Word const word = from[first + i];
    Described const found = Family::describe(from_hasher, static_cast<Slot>(first + i), word);
    if (found.state != SlotState::live) { return Outcome::missing; }
    return Family::insert(to, key_of(word), value_of(word)).outcome;
  }
};

/// What a slot holds, for people.
template <class Family>
struct ReadSlot {
  Word const* table;
  Hasher hasher;
  Slot const* slots;
  SlotInfo* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Slot const slot = slots[i];
    Word const word = table[slot];
    Described const found = Family::describe(hasher, slot, word);
    Slot const home = found.has_key ? hasher.home(key_of(word)) : slot;
    out[i] = {slot, found.state, {key_of(word), value_of(word)}, home, found.has_key, found.probe_length};
  }
};

/// The live pair of a slot as a word, or `empty_word`.
template <class Family>
struct LiveWord {
  Word const* table;
  Hasher hasher;

  SLOTSCAPE_HOST_DEVICE Word operator()(std::uint64_t slot) const
  {
    Described const found = Family::describe(hasher, static_cast<Slot>(slot), table[slot]);
    return found.state == SlotState::live ? table[slot] : empty_word;
  }
};

/// The cluster of one slot.
struct ReadCluster {
  Occupancy occupancy;
  Slot slot;
  Cluster* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t) const { *out = occupancy.cluster(slot); }
};

}  // namespace slotscape
