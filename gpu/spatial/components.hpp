#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/execution/tile.hpp"
#include "gpu/spatial/sides.hpp"

namespace slotscape::spatial {

inline constexpr std::uint32_t no_item = 0xffffffffu;
inline constexpr std::uint64_t no_key = ~std::uint64_t{0};

/// What is known of a connected component: kept with its root.
struct Component {
  std::uint32_t inside_seeds = 0;
  std::uint32_t outside_seeds = 0;
  std::uint64_t first_inside_seed = no_key;  ///< the smallest key
  std::uint64_t first_outside_seed = no_key;
  std::uint64_t first = no_key;                ///< the smallest key of a component without seeds
  std::uint32_t seed = no_item;                ///< that speaks for all
  VoxelStatus by_rays = VoxelStatus::unknown;  ///< of a component without seeds
};

enum class Verdict : std::uint8_t { no_seeds, inside, outside, disputed };

/// Of a component's seeds: all agree, but for less than a tenth of them.
SLOTSCAPE_HOST_DEVICE constexpr Verdict verdict(Component const& component)
{
  std::uint64_t const inside = component.inside_seeds;
  std::uint64_t const outside = component.outside_seeds;
  if (inside + outside == 0) { return Verdict::no_seeds; }
  if (outside * 10 < inside + outside) { return Verdict::inside; }
  if (inside * 10 < inside + outside) { return Verdict::outside; }
  return Verdict::disputed;
}

/// Connected components without locks (after Jaiganesh and Burtscher 2018, 'A High-Performance Connected Components
/// Implementation for GPUs'): each item points to one of lower number of its component, or, a root, to itself.
struct Forest {
  std::uint32_t* parents;

  /// Halves the path on the way.
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
  /// The item points to its root from now on.
  SLOTSCAPE_HOST_DEVICE std::uint32_t flatten(std::uint32_t item) const
  {
    std::uint32_t const found = root(item);
    exec::store_relaxed(parents[item], found);
    return found;
  }
};

/// Lanes bring numbers of their components, which those of the same component as the last lane's add up before they
/// touch memory: nearly all voxels are in the same few.
template <class Tile>
class Gathering {
public:
  /// `root`: `no_item` where the lane brings nothing.
  SLOTSCAPE_HOST_DEVICE Gathering(Tile tile, std::uint32_t root)
      : tile_(tile), root_(root), shared_root_(tile.max(root + 1) - 1), shares_(root != no_item && root == shared_root_)
  {
  }
  SLOTSCAPE_HOST_DEVICE bool is_empty() const { return shared_root_ == no_item; }

  /// f(root, how many) adds to a component, for the lanes that bring one.
  template <class F>
  SLOTSCAPE_HOST_DEVICE void count(bool counts, F const& f) const
  {
    std::uint32_t const together = tile_.ballot(shares_ && counts);
    if (tile_.rank() == 0 && together != 0) { f(shared_root_, bits_of(together)); }
    if (counts && root_ != no_item && !shares_) { f(root_, 1u); }
  }
  /// f(root, key) with the smallest key of those that count.
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
