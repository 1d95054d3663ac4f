#pragma once

#include "gpu/engine/batch.hpp"
#include "gpu/execution/atomics.hpp"
#include "gpu/execution/executor.hpp"
#include "gpu/tables/shift_back.hpp"

namespace slotscape {

/// Lists the first gap of every cluster in which a batch's erasures have left gaps. Each gap is examined once, by the
/// operation whose outcome is `erased`: a batch may erase a key several times.
///
/// No slot changes in this pass. A table without an empty slot is one cluster without a beginning: if it has several
/// gaps, none is listed.
template <TableFamily Family, class View>
struct FindFirstGaps {
  using Format = typename View::Format;

  View table;
  Batch<Format> batch;    ///< with outcomes
  Slot* first_gaps;       ///< out
  std::uint32_t* listed;  ///< the number of listed gaps

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (batch.operation(i) != Operation::erase || batch.outcomes[i] != Outcome::erased) { return; }
    Slot const gap = Family::find(table, batch.keys[i]).slot;
    for (Slot slot = slot_before(table.layout, gap, 1); slot != gap; slot = slot_before(table.layout, slot, 1)) {
      auto const word = table.machine.load(slot);
      if (word == Format::empty_word) { break; }
      if (ShiftBack::is_gap<Format>(word)) { return; }
    }
    first_gaps[exec::fetch_add(*listed, 1u)] = gap;
  }
};

/// Closes the gaps of one cluster, from its first one to the empty slot behind it. Each key moves, in order, to the
/// first empty slot from its home on. The keys before it are already in place and stay: a slot that becomes empty later
/// lies behind them. So no key ever has an empty slot between its home and itself.
///
/// Clusters share only the empty slots between them, which nobody writes, so all can be closed at once.
template <TableFamily Family, class View>
struct ShiftCluster {
  using Format = typename View::Format;

  View table;
  typename View::Word* words;
  Slot const* first_gaps;  ///< null for a table without an empty slot, which is one cluster

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const& layout = table.layout;
    Slot const first = first_gaps == nullptr ? first_gap_of_ring() : first_gaps[i];
    words[first] = Format::empty_word;
    Slot free = first;  // the first empty slot of the cluster so far
    for (Slot slot = slot_after(layout, first); words[slot] != Format::empty_word; slot = slot_after(layout, slot)) {
      auto const word = words[slot];
      if (ShiftBack::is_gap<Format>(word)) {
        words[slot] = Format::empty_word;
        continue;
      }
      Slot const from_home = displacement(layout, slot, key_of(word));
      bool const may_be_free = from_home >= slot_before(layout, slot, free);
      Slot place = may_be_free ? free : slot_before(layout, slot, from_home);
      while (place != slot && words[place] != Format::empty_word) { place = slot_after(layout, place); }
      if (place == slot) { continue; }
      words[place] = word;
      words[slot] = Format::empty_word;
      while (words[free] != Format::empty_word) { free = slot_after(layout, free); }
    }
  }

private:
  /// Closes one gap of a table without an empty slot, which then has one, and returns the next gap.
  SLOTSCAPE_HOST_DEVICE Slot first_gap_of_ring() const
  {
    return gap_from(slot_after(table.layout, ShiftBack::close<Family>(table, gap_from(0))));
  }
  SLOTSCAPE_HOST_DEVICE Slot gap_from(Slot slot) const
  {
    while (!ShiftBack::is_gap<Format>(words[slot])) { slot = slot_after(table.layout, slot); }
    return slot;
  }
};

/// Moves keys back into the `erased` gaps that the erasures of a batch with outcomes have left.
template <TableFamily Family, exec::Executor Exec, class View>
void shift_back(Exec& exec, View const& table, typename View::Word* words, Batch<typename View::Format> const& batch,
                std::uint64_t erased)
{
  if (erased == 0) { return; }
  typename Exec::template Buffer<Slot> first_gaps(exec, erased);
  typename Exec::template Buffer<std::uint32_t> listed(exec, 1);
  exec.fill(listed.data(), 1, 0u);
  exec.for_each(batch.count, FindFirstGaps<Family, View>{table, batch, first_gaps.data(), listed.data()});
  std::uint32_t clusters = 0;
  exec.download(std::span(&clusters, 1), static_cast<std::uint32_t const*>(listed.data()));
  bool const is_ring = clusters == 0;
  exec.for_each(is_ring ? 1 : clusters,
                ShiftCluster<Family, View>{table, words, is_ring ? nullptr : first_gaps.data()});
}

}  // namespace slotscape
