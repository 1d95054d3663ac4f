#pragma once

#include "gpu/base/random.hpp"
#include "gpu/base/types.hpp"
#include "gpu/library/view.hpp"

#include <cstdint>

namespace slotscape::paged {

/// Distinct keys: those with the numbers from `first` on, every step-th. Computed where they are read, so that a batch
/// may have more of them than any memory.
template <class Key>
struct DistinctKeys {
  std::uint64_t first;
  std::uint64_t step = 1;
  std::uint64_t seed = 9;

  SLOTSCAPE_HOST_DEVICE Key operator[](std::uint64_t i) const
  {
    std::uint64_t const number = first + step * i;
    if constexpr (sizeof(Key) == 8) {
      return random64(seed, number);  // a bijection
    } else {
      return Shuffle{count(), Permutation{seed, 32}}(static_cast<std::uint32_t>(number));
    }
  }
  /// How many there are. Of 2^64, nobody gets to the reserved ones.
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint64_t count()
  {
    return sizeof(Key) == 8 ? std::uint64_t{1} << 62 : FormatOf<Key>::locked_key;
  }
};

/// The values that these keys have.
template <class Key>
struct ValuesOf {
  DistinctKeys<Key> keys;

  SLOTSCAPE_HOST_DEVICE Key operator[](std::uint64_t i) const { return keys[i] >> 1; }
};

/// Whether a lookup of key i has brought the right value (`found`) or another one (`missing`).
template <class Key>
struct IsRight {
  DistinctKeys<Key> keys;
  Key const* values;
  bool are_there;  ///< else, they should be missing

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    Key const expected = are_there ? ValuesOf<Key>{keys}[i] : FormatOf<Key>::empty_value;
    return values[i] == expected ? Outcome::found : Outcome::missing;
  }
};

}  // namespace slotscape::paged
