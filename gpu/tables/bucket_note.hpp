#pragma once

#include "gpu/tables/types.hpp"

namespace slotscape {

/// What a perfect hash table notes of a first-level bucket, in 64 bits.
struct BucketNote {
  static constexpr std::uint32_t max_size = (1u << 12) - 1;
  static constexpr std::uint32_t max_hashes = 1u << 20;

  std::uint32_t offset;  ///< FKS: the bucket's first slot. PSH: what its keys' homes are moved by
  std::uint32_t size;    ///< keys that it was built of
  std::uint32_t hash;    ///< FKS: the number of its second-level hash

  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t pack() const
  {
    return offset | (std::uint64_t{size} << 32) | (std::uint64_t{hash} << 44);
  }
  SLOTSCAPE_HOST_DEVICE static constexpr BucketNote unpack(std::uint64_t note)
  {
    return {static_cast<std::uint32_t>(note), static_cast<std::uint32_t>(note >> 32) & max_size,
            static_cast<std::uint32_t>(note >> 44)};
  }
};

}  // namespace slotscape
