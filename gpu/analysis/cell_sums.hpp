#pragma once

#include "gpu/analysis/occupancy.hpp"
#include "gpu/analysis/picture.hpp"

namespace slotscape::passes {

/// The sums over the slots of one cell.
struct CellSums {
  std::uint32_t slots;
  std::uint32_t live;
  std::uint32_t tombstones;
  std::uint32_t links;
  std::uint32_t max;
  std::uint64_t sum;

  /// The cell's texel without recent changes. valued: the number of slots with a value in the sum.
  SLOTSCAPE_HOST_DEVICE Texel texel(Reduce reduce, std::uint32_t valued) const
  {
    if (slots == 0) { return {0, -1.0f, 0, 0}; }
    return {share(live, slots) | (share(tombstones, slots) << 16), value(reduce, valued),
            (share(links, slots) >> 8) << 24, slots};
  }
  SLOTSCAPE_HOST_DEVICE float value(Reduce reduce, std::uint32_t valued) const
  {
    if (valued == 0) { return -1.0f; }
    return reduce == Reduce::max ? static_cast<float>(max) : static_cast<float>(static_cast<double>(sum) / valued);
  }

private:
  /// part / whole, scaled to 65535; 0 only if part is 0.
  SLOTSCAPE_HOST_DEVICE static std::uint32_t share(std::uint32_t part, std::uint32_t whole)
  {
    if (part == 0 || part == whole) { return part == 0 ? 0 : 65535; }  // the common cases, without a slow division
    return static_cast<std::uint32_t>((part * 65535.0 + (whole - 1)) / whole);
  }
};

/// Adds up the lengths of clusters, slot by slot.
struct ClusterSums {
  Cluster last;  ///< the latest cluster

  /// For each slot from `slot` on with its bit set, adds the length of its cluster, run by run.
  SLOTSCAPE_HOST_DEVICE void add(Occupancy const& occupancy, Slot slot, std::uint32_t runs, CellSums& cell)
  {
    while (runs != 0) {
      int const first = Occupancy::lowest(runs);
      std::uint32_t const after = runs + (1u << first);  // the carry of the first run ends up in the slot after it
      std::uint32_t const run = occupancy.has_rings() ? 1u << first : runs & ~after;  // a run may end with its ring
      std::uint32_t const found = length(occupancy, slot + static_cast<Slot>(first));
      cell.sum += std::uint64_t{found} * Occupancy::count(run);
      cell.max = found > cell.max ? found : cell.max;
      runs &= ~run;
    }
  }
  /// The length of the cluster of a non-empty slot. Usually, it is the cluster of the previous slot.
  SLOTSCAPE_HOST_DEVICE std::uint32_t length(Occupancy const& occupancy, Slot slot)
  {
    if (!occupancy.contains(last, slot)) { last = occupancy.cluster(slot); }
    return static_cast<std::uint32_t>(last.length);
  }
};

}  // namespace slotscape::passes
