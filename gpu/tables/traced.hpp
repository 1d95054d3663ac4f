#pragma once

#include "gpu/tables/machines.hpp"

#include <functional>
#include <map>
#include <vector>

namespace slotscape {

/// One access as the traced machine saw it. written: what the slot holds from now on, where the access changed it.
struct TracedAccess {
  enum class Kind : std::uint8_t { load, compare_exchange, exchange };
  Kind kind;
  Slot slot;
  Word found;
  bool writes;
  Word written;
};

/// The machine that remembers each access it makes. It works on a private copy of what it touches: the table stays.
struct TracedMachine {
  struct Record {
    std::function<Word(Slot)> read;  ///< the table's own words
    std::map<Slot, Word> changed = {};
    std::vector<TracedAccess> accesses = {};
  };
  Record* record;

  Word load(Slot slot) const { return note({TracedAccess::Kind::load, slot, word(slot), false, 0}); }
  Word compare_exchange(Slot slot, Word expected, Word desired) const
  {
    Word const found = word(slot);
    return note({TracedAccess::Kind::compare_exchange, slot, found, found == expected, desired});
  }
  Word exchange(Slot slot, Word desired) const
  {
    return note({TracedAccess::Kind::exchange, slot, word(slot), true, desired});
  }

private:
  Word word(Slot slot) const
  {
    auto const changed = record->changed.find(slot);
    return changed == record->changed.end() ? record->read(slot) : changed->second;
  }
  Word note(TracedAccess const& access) const
  {
    record->accesses.push_back(access);
    if (access.writes) { record->changed[access.slot] = access.written; }
    return access.found;
  }
};

}  // namespace slotscape
