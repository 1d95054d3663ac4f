#pragma once

#include "gpu/base/types.hpp"

/// Sums over many numbers: each tile adds up a stretch of them.
namespace slotscape::exec {

inline constexpr std::uint64_t stretch = 4096;
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t stretches_of(std::uint64_t count)
{
  return (count + stretch - 1) / stretch;
}
/// Calls f(i) for each number of the stretch `item` of `count` numbers, shared among the threads of the tile.
template <class Tile, class F>
SLOTSCAPE_HOST_DEVICE void for_each_in_stretch(std::uint64_t item, std::uint64_t count, Tile tile, F const& f)
{
  std::uint64_t const end = (item + 1) * stretch < count ? (item + 1) * stretch : count;
  for (std::uint64_t i = item * stretch + static_cast<std::uint64_t>(tile.rank()); i < end; i += Tile::size) { f(i); }
}

}  // namespace slotscape::exec
