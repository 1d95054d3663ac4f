#pragma once

#include "gpu/tables/settings.hpp"

#include <string>

namespace slotscape::tuning {

/// The part of a plain CUDA listing that depends on the family: its path or its buckets, with the operations.
struct FamilyListing {
  std::string text = {};  ///< text of the listing; empty if a short listing cannot do the table justice
  bool tile = false;      ///< whether tiles of threads run the operations
  bool cuckoo = false;
};

/// Whether erasures move keys back, which only this program supports: neither the library nor others do.
bool moves_back(TableSettings const& table);

FamilyListing listing_of(TableSettings const& table);
/// Why the listing is empty.
std::string why_no_listing(TableSettings const& table);

/// The number of threads that share an operation; 1 unless the family has tiles.
std::uint32_t tile_of(TableSettings const& table);

/// The equivalent probing schemes of two libraries, in their notation; empty if there is none.
std::string probing_of_cucollections(TableSettings const& table);
std::string probing_of_warpcore(TableSettings const& table);

}  // namespace slotscape::tuning
