#pragma once

#include "gpu/tables/settings.hpp"

#include <string>

namespace slotscape::tuning {

/// What differs from family to family in a listing in plain CUDA: its path or its buckets, with the operations.
struct FamilyListing {
  std::string text = {};  ///< empty if no short listing does the table justice
  bool tile = false;      ///< operations are run by tiles
  bool cuckoo = false;
};

/// Whether erasures move keys back, which this program alone does: neither the library nor others have it.
bool moves_back(TableSettings const& table);

FamilyListing listing_of(TableSettings const& table);
/// Why that is empty.
std::string why_no_listing(TableSettings const& table);

/// How many threads share an operation; 1 unless the family has tiles.
std::uint32_t tile_of(TableSettings const& table);

/// The probing schemes that probe as the table does, in the words of two libraries; empty if there is none.
std::string probing_of_cucollections(TableSettings const& table);
std::string probing_of_warpcore(TableSettings const& table);

}  // namespace slotscape::tuning
