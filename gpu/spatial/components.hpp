#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/execution/tile.hpp"
#include "gpu/spatial/voxel_sets.hpp"

namespace slotscape::spatial {

inline constexpr std::uint32_t no_item = 0xffffffffu;
inline constexpr std::uint64_t no_key = ~std::uint64_t{0};

/// Properties of a connected component, stored at its root.
struct Component {
  std::uint32_t inside_seeds = 0;
  std::uint32_t outside_seeds = 0;
  std::uint32_t wrong_inside = 0;  ///< inside seeds that were removed
  std::uint32_t wrong_outside = 0;
  std::uint64_t first_inside_seed = no_key;  ///< the smallest key
  std::uint64_t first_outside_seed = no_key;
  std::uint64_t first = no_key;                   ///< the smallest key, if the component has no seeds
  std::uint32_t seed = no_item;                   ///< the seed that all its voxels report
  VoxelStatus by_winding = VoxelStatus::unknown;  ///< the status, if the component has no seeds
};

enum class Verdict : std::uint8_t { no_seeds, inside, outside, disputed };

/// The verdict from the numbers of seeds. Fewer than a tenth may dissent.
SLOTSCAPE_HOST_DEVICE constexpr Verdict verdict(std::uint64_t inside, std::uint64_t outside)
{
  if (inside + outside == 0) { return Verdict::no_seeds; }
  if (outside * 10 < inside + outside) { return Verdict::inside; }
  if (inside * 10 < inside + outside) { return Verdict::outside; }
  return Verdict::disputed;
}

/// The verdict of a component's seeds: of all (`verdict`), or without those removed as wrong (`verdict_of_checked`).
SLOTSCAPE_HOST_DEVICE constexpr Verdict verdict(Component const& component)
{
  return verdict(component.inside_seeds, component.outside_seeds);
}
SLOTSCAPE_HOST_DEVICE constexpr Verdict verdict_of_checked(Component const& component)
{
  return verdict(component.inside_seeds - component.wrong_inside, component.outside_seeds - component.wrong_outside);
}

/// Lock-free union-find (after Jaiganesh & Burtscher 2018, 'A High-Performance Connected Components Implementation for
/// GPUs'): each item points to a lower-numbered item of its component, and a root to itself.
struct Forest {
  std::uint32_t* parents;

  /// The item's root. Halves the path on the way.
  SLOTSCAPE_HOST_DEVICE std::uint32_t root(std::uint32_t item) const
  {
    std::uint32_t parent = exec::load_relaxed(parents[item]);
    while (parent != item) {
      std::uint32_t const next = exec::load_relaxed(parents[parent]);
      if (next != parent) { exec::store_relaxed(parents[item], next); }
      item = parent;
      parent = next;
    }
    return item;
  }
  SLOTSCAPE_HOST_DEVICE void join(std::uint32_t a, std::uint32_t b) const
  {
    while ((a = root(a)) != (b = root(b))) {
      std::uint32_t const low = a < b ? a : b;
      std::uint32_t const high = a < b ? b : a;
      if (exec::compare_exchange(parents[high], high, low) == high) { return; }
    }
  }
  /// Points the item directly at its root, and returns the root.
  SLOTSCAPE_HOST_DEVICE std::uint32_t flatten(std::uint32_t item) const
  {
    std::uint32_t const found = root(item);
    exec::store_relaxed(parents[item], found);
    return found;
  }
};

/// Atomic updates of components, aggregated within a tile: all lanes that update the component with the highest root
/// share one access, and the others make their own. Nearly all voxels belong to a few components, so most updates are
/// shared.
template <class Tile>
class AggregatedUpdates {
public:
  /// root: the component that this lane updates, or `no_item`.
  SLOTSCAPE_HOST_DEVICE AggregatedUpdates(Tile tile, std::uint32_t root)
      : tile_(tile), root_(root), shared_root_(tile.max(root + 1) - 1), shares_(root != no_item && root == shared_root_)
  {
  }
  SLOTSCAPE_HOST_DEVICE bool is_empty() const { return shared_root_ == no_item; }

  /// Calls f(root, n) to add n to a component, n being the number of lanes for which `counts` is true.
  template <class F>
  SLOTSCAPE_HOST_DEVICE void count(bool counts, F const& f) const
  {
    std::uint32_t const together = tile_.ballot(shares_ && counts);
    if (tile_.rank() == 0 && together != 0) { f(shared_root_, bits_of(together)); }
    if (counts && root_ != no_item && !shares_) { f(root_, 1u); }
  }
  /// Calls f(root, key) with the smallest key among the lanes for which `counts` is true.
  template <class F>
  SLOTSCAPE_HOST_DEVICE void smallest(bool counts, std::uint64_t key, F const& f) const
  {
    std::uint64_t const together = ~tile_.max(shares_ && counts ? ~key : std::uint64_t{0});
    if (tile_.rank() == 0 && together != no_key) { f(shared_root_, together); }
    if (counts && root_ != no_item && !shares_) { f(root_, key); }
  }

private:
  SLOTSCAPE_HOST_DEVICE static std::uint32_t bits_of(std::uint32_t word)
  {
#if defined(__CUDA_ARCH__)
    return static_cast<std::uint32_t>(__popc(word));
#else
    return static_cast<std::uint32_t>(std::popcount(word));
#endif
  }

  Tile tile_;
  std::uint32_t root_;
  std::uint32_t shared_root_;
  bool shares_;
};

}  // namespace slotscape::spatial
