#pragma once

#include "gpu/sparse/engine.hpp"

namespace slotscape::sparse {

/// Throws Error if there are no sites or too many, if a site is outside the extents, or if the extents are invalid.
void require_sites(std::span<Site const> sites, Extents const& extents);
/// Throws Error if the extents are invalid, or if flattened indices do not fit in the keys of a table.
void require_extents(Extents const& extents);

/// Whether the flattened indices fit in 32-bit keys.
bool fits_narrow(Extents const& extents);

/// The distinct sites, in the given order.
std::vector<Site> without_repetitions(std::span<Site const> sites, Extents const& extents);

std::vector<Site> in_order(std::span<Site const> sites, Extents const& extents, Order order);

/// A site's position on the Z-order curve that begins at the lowest coordinates: interleaves the 21 lowest bits of z, y
/// and x, starting with z at the lowest bit.
std::uint64_t morton_code(Site const& site, Site const& low = {});

}  // namespace slotscape::sparse
