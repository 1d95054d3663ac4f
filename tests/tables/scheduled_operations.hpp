#pragma once

#include "gpu/engine/run_operations.hpp"
#include "gpu/races/interleavings.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace slotscape {

using races::Interleavings;

/// Operations of a family for the scheduled machine, by tiles of `Tile` or without; metadata follows the slots in
/// memory.
template <class Family, class Tile = exec::NoTile>
struct ScheduledOperations {
  using Layout = typename Family::template Layout<Narrow>;
  using Word = Narrow::Word;
  using Stored = Narrow::Key;

  Layout layout;

  explicit ScheduledOperations(TableSettings const& settings) : layout(Family::template layout<Narrow>(settings)) {}

  ScheduledOperation insert(Stored key, Narrow::Value value) const
  {
    return [=, *this](ScheduledMachine const& machine) { return insert_in<Family>(view(machine), Tile{}, key, value); };
  }
  ScheduledOperation find(Stored key) const
  {
    return [=, *this](ScheduledMachine const& machine) { return find_in<Family>(view(machine), Tile{}, key); };
  }
  ScheduledOperation erase(Stored key) const
  {
    return [=, *this](ScheduledMachine const& machine) { return erase_in<Family>(view(machine), Tile{}, key); };
  }

  /// Slots that are empty but for these, and `metadata` numbers of metadata after them, all 0.
  std::vector<Word> memory(std::map<Slot, Word> const& words, std::size_t metadata = 0) const
  {
    std::vector<Word> memory(layout.slots() + metadata);
    std::fill_n(memory.begin(), layout.slots(), Narrow::empty_word);
    for (auto const& [slot, word] : words) { memory[slot] = word; }
    return memory;
  }

private:
  View<Layout, ScheduledMachine> view(ScheduledMachine machine) const
  {
    machine.metadata_start = layout.slots();
    return {machine, layout};
  }
};

inline std::ptrdiff_t count(std::vector<Result<Narrow>> const& results, Outcome outcome)
{
  return std::ranges::count(results, outcome, &Result<Narrow>::outcome);
}

}  // namespace slotscape
