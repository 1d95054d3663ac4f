#include "gpu/sparse/ordering.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/pair_format.hpp"
#include "gpu/execution/parallel.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace slotscape::sparse {
namespace {

/// The number of flattened indices; nullopt if it does not fit in 64 bits.
std::optional<std::uint64_t> volume_of(Extents const& extents)
{
  std::uint64_t volume = 1;
  for (std::int32_t const size : {extents.batch, extents.x, extents.y, extents.z}) {
    if (__builtin_mul_overflow(volume, static_cast<std::uint64_t>(size), &volume)) { return std::nullopt; }
  }
  return volume;
}

std::string text_of(Site const& site)
{
  return "(" + std::to_string(site.batch) + ", " + std::to_string(site.x) + ", " + std::to_string(site.y) + ", " +
         std::to_string(site.z) + ")";
}

/// Batch, code and number of a site.
using Ranked = std::array<std::uint64_t, 3>;
std::uint64_t number_of(Ranked const& site)
{
  return site[2];
}

/// The sites' numbers sorted by rank(site), a batch and a code; equal ranks are sorted by number.
template <class Rank>
std::vector<Ranked> ranked(std::span<Site const> sites, Rank const& rank)
{
  std::vector<Ranked> order(sites.size());
  exec::tbb::parallel_for(std::size_t{0}, sites.size(), [&](std::size_t i) {
    auto const [batch, code] = rank(sites[i]);
    order[i] = {batch, code, i};
  });
  exec::tbb::parallel_sort(order);
  return order;
}

/// Spreads 21 bits so that two others fit between neighbours.
std::uint64_t spread(std::uint64_t bits)
{
  bits &= 0x1fffff;
  bits = (bits | bits << 32) & 0x001f00000000ffff;
  bits = (bits | bits << 16) & 0x001f0000ff0000ff;
  bits = (bits | bits << 8) & 0x100f00f00f00f00f;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
  return (bits | bits << 2) & 0x1249249249249249;
}

}  // namespace

void require_extents(Extents const& extents)
{
  if (std::min({extents.batch, extents.x, extents.y, extents.z}) < 1) {
    throw Error("The extents of a tensor must be 1 or more along each axis.");
  }
  auto const volume = volume_of(extents);
  if (!volume || *volume - 1 > largest_key(64)) {
    throw Error("Flattened coordinates of these extents do not fit in 64 bits: choose smaller extents.");
  }
}

void require_sites(std::span<Site const> sites, Extents const& extents)
{
  if (sites.empty()) { throw Error("There are no sites."); }
  if (sites.size() > max_sites) {
    throw Error("A tensor has at most " + std::to_string(max_sites) + " sites, and this one has " +
                std::to_string(sites.size()) + ": choose a coarser grid.");
  }
  require_extents(extents);
  auto const too_far = [](std::int64_t low, std::int64_t size) {
    return low < -max_coordinate || low + size - 1 > max_coordinate;
  };
  Site const& low = extents.low;
  if (too_far(low.batch, extents.batch) || too_far(low.x, extents.x) || too_far(low.y, extents.y) ||
      too_far(low.z, extents.z)) {
    throw Error("Coordinates must be from -" + std::to_string(max_coordinate) + " to " +
                std::to_string(max_coordinate) + ": subtract the lowest ones.");
  }
  auto const outside = std::ranges::find_if(sites, [&](Site const& site) { return !extents.contain(site); });
  if (outside != sites.end()) {
    throw Error("Site " + text_of(*outside) + " lies outside of the extents " +
                text_of({extents.batch, extents.x, extents.y, extents.z}) + " from " + text_of(low) +
                " on: coordinates are batch, x, y and z.");
  }
}

bool fits_narrow(Extents const& extents)
{
  auto const volume = volume_of(extents);
  return volume && *volume - 1 <= largest_key(32);
}

std::vector<Site> without_repetitions(std::span<Site const> sites, Extents const& extents)
{
  auto order = ranked(sites, [&](Site const& site) { return std::pair{std::uint64_t{0}, extents.flatten(site)}; });
  auto const same = [](Ranked const& a, Ranked const& b) { return a[1] == b[1]; };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  exec::tbb::parallel_sort(order, [](Ranked const& a, Ranked const& b) { return number_of(a) < number_of(b); });
  std::vector<Site> kept(order.size());
  std::ranges::transform(order, kept.begin(), [&](Ranked const& site) { return sites[number_of(site)]; });
  return kept;
}

std::vector<Site> in_order(std::span<Site const> sites, Extents const& extents, Order order)
{
  std::vector<Site> ordered(sites.begin(), sites.end());
  if (order == Order::given) { return ordered; }
  auto const by = ranked(sites, [&](Site const& site) {
    return order == Order::morton
               ? std::pair{static_cast<std::uint64_t>(site.batch - extents.low.batch), morton_code(site, extents.low)}
               : std::pair{std::uint64_t{0}, extents.flatten(site)};
  });
  std::ranges::transform(by, ordered.begin(), [&](Ranked const& site) { return sites[number_of(site)]; });
  return ordered;
}

std::uint64_t morton_code(Site const& site, Site const& low)
{
  auto const bits = [](std::int32_t coordinate) { return spread(static_cast<std::uint64_t>(coordinate)); };
  return bits(site.x - low.x) << 2 | bits(site.y - low.y) << 1 | bits(site.z - low.z);
}

}  // namespace slotscape::sparse
