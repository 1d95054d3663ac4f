#pragma once

#include "gpu/tables/machines.hpp"

#include <functional>
#include <vector>

namespace slotscape {

/// The machine that remembers each access it makes. It only looks: what it 'writes' is forgotten.
struct TracedMachine {
  std::function<Word(Slot)> const& read;
  std::vector<Slot>& path;

  Word load(Slot slot) const
  {
    path.push_back(slot);
    return read(slot);
  }
  Word compare_exchange(Slot slot, Word, Word) const { return read(slot); }
  Word exchange(Slot slot, Word) const { return read(slot); }
};

}  // namespace slotscape
