#pragma once

#include "gpu/engine/batch.hpp"
#include "gpu/execution/atomics.hpp"
#include "gpu/tables/family.hpp"

namespace slotscape {

/// Splits the i-th of several heads in turn. The layout must already include all of them.
template <TableFamily Family, class View>
struct SplitInTurn {
  View table;
  Slot first;   ///< the first of these heads
  Slot behind;  ///< distance in numbers from the old head to the new head

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Slot const head = first + static_cast<Slot>(i);
    Family::split(table, head, head + behind);
  }
};

/// The state of a bucket in a round of splits.
struct BucketSplit {
  std::uint32_t asked;  ///< if a key found no room, 1 + the number of bits that its keys share; else 0
  Slot to;              ///< the bucket that is split off; 0: no split
};

struct ForgetSplit {
  BucketSplit* splits;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { splits[i] = {}; }
};

/// Marks the buckets of listed operations that found no room.
template <TableFamily Family, class View>
struct AskForSplits {
  View table;
  typename View::Key const* keys;
  std::uint32_t const* list;
  BucketSplit* splits;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const entry = Family::Entry::in(table.machine.load_metadata(table.layout.home(keys[list[i]])));
    exec::store_relaxed(splits[entry.bucket].asked, entry.depth + 1);
  }
};

/// Lists the buckets to split that need at most `bits` bits; other entries become `no_slot`.
struct NumberAsked {
  BucketSplit const* splits;
  std::uint32_t bits;
  Slot* numbers;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    bool const can_be = splits[i].asked != 0 && splits[i].asked <= bits;
    numbers[i] = can_be ? static_cast<Slot>(i) : no_slot;
  }
};

/// Whether a listed bucket already uses all bits of the directory: `found` if so.
struct NeedsDoubling {
  BucketSplit const* splits;
  Slot const* list;
  std::uint32_t depth;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    return splits[list[i]].asked > depth ? Outcome::found : Outcome::missing;
  }
};

/// Copies entry i to the second half of a directory that is doubled.
template <class View>
struct DoubleDirectory {
  View table;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t const twin = table.layout.entries() + i;
    std::uint64_t const old = table.machine.load_metadata(twin);
    table.machine.compare_exchange_metadata(twin, old, table.machine.load_metadata(i));
  }
};

/// Splits the i-th listed bucket; the new buckets are in the order of the list.
template <TableFamily Family, class View>
struct SplitListed {
  View table;
  Slot const* list;
  BucketSplit* splits;
  Slot first_new;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    BucketSplit& split = splits[list[i]];
    split.to = first_new + static_cast<Slot>(i);
    Family::split(table, list[i], split.asked - 1, split.to);
  }
};

/// Updates an entry to point to the right part of a bucket that was split.
template <TableFamily Family, class View>
struct LeadToParts {
  View table;
  BucketSplit const* splits;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t const word = table.machine.load_metadata(i);
    auto const entry = Family::Entry::in(word);
    Slot const to = splits[entry.bucket].to;
    if (to == 0) { return; }
    table.machine.compare_exchange_metadata(i, word, entry.split(static_cast<Slot>(i), to).word());
  }
};

}  // namespace slotscape
