#pragma once

#include "gpu/base/random.hpp"
#include "gpu/tables/static_family.hpp"

namespace slotscape {

/// A first-level bucket's metadata, in 64 bits.
struct BucketNote {
  static constexpr std::uint32_t max_size = (1u << 12) - 1;

  std::uint32_t offset;  ///< FKS: the bucket's first slot. PSH: the distance of its keys from their homes
  std::uint32_t size;    ///< number of keys that it was built from
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

/// Searches for a seed of the first-level hash with which a table can be built.
class SeedSearch {
public:
  static constexpr std::uint32_t max_seeds = 64;

  /// Tries `attempt` with seeds derived from `seed` until one succeeds. Leaves the last seed tried in `hashes`.
  template <class Hashes, class Attempt>
  Built run(Hashes& hashes, std::uint64_t seed, Attempt const& attempt)
  {
    for (tried_ = 0; tried_ < max_seeds;) {
      hashes.seed = nth(seed, tried_++);
      if (attempt()) { return Built::done; }
    }
    return Built::too_full;
  }
  std::uint32_t tried() const { return tried_; }
  /// The seed that is tried first.
  static std::uint64_t first(std::uint64_t seed) { return nth(seed, 0); }

private:
  static std::uint64_t nth(std::uint64_t seed, std::uint32_t n) { return random64(seed, n); }

  std::uint32_t tried_ = 0;
};

}  // namespace slotscape
