#pragma once

#include "gpu/base/types.hpp"

#include <cstdint>

namespace slotscape::watch {

/// The places of a table where keys have their homes. In a large table, a sample: evenly spaced runs of neighbours,
/// which show both local clusters and how the whole table is filled.
struct SampledHomes {
  static constexpr std::uint64_t left_out = ~std::uint64_t{0};
  static constexpr std::uint64_t most = 1u << 19;
  static constexpr std::uint64_t block = 256;  ///< places that are counted together when all places are counted

  std::uint64_t places = 0;  ///< in the table
  std::uint64_t runs = 0;
  std::uint64_t run = 0;  ///< places per run

  static constexpr SampledHomes of(std::uint64_t places, std::uint64_t most = SampledHomes::most)
  {
    constexpr std::uint64_t many = 16;
    return places <= most ? SampledHomes{places, 1, places} : SampledHomes{places, many, most / many};
  }
  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t count() const { return runs * run; }
  constexpr std::uint64_t blocks() const { return (places + block - 1) / block; }
  /// A place's index in the sample.
  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t index_of(std::uint64_t place) const
  {
    std::uint64_t const spacing = places / runs;
    std::uint64_t const number = place / spacing;
    std::uint64_t const inside = place % spacing;
    return number < runs && inside < run ? number * run + inside : left_out;
  }
};

}  // namespace slotscape::watch
