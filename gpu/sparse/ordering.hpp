#pragma once

#include "gpu/sparse/engine.hpp"

namespace slotscape::sparse {

/// Throws Error if there are no sites or too many, if one lies outside of the extents, or as below.
void require_sites(std::span<Site const> sites, Extents const& extents);
/// Throws Error if these are no extents, or if flattened indices do not fit in the keys of a table.
void require_extents(Extents const& extents);

/// Whether the flattened indices fit in 32-bit keys.
bool fits_narrow(Extents const& extents);

/// The sites in the order given, each once.
std::vector<Site> without_repetitions(std::span<Site const> sites, Extents const& extents);

std::vector<Site> in_order(std::span<Site const> sites, Extents const& extents, Order order);

/// A site's place on the Z-order curve that begins at the lowest coordinates: bits of z, y and x in turn, in that order
/// of weight from the lowest on. The 21 lowest of each count.
std::uint64_t morton_code(Site const& site, Site const& low = {});

}  // namespace slotscape::sparse
