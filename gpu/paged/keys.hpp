#pragma once

#include "gpu/base/random.hpp"
#include "gpu/base/types.hpp"
#include "gpu/library/view.hpp"

#include <cstdint>

namespace slotscape::paged {

/// Distinct keys: every step-th number from `first` on. They are computed where they are read, so a batch may have more
/// keys than fit in any memory.
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
  /// The number of keys. Of 2^64 keys, the reserved ones are never reached.
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint64_t count()
  {
    return sizeof(Key) == 8 ? std::uint64_t{1} << 62 : FormatOf<Key>::locked_key;
  }
};

/// The values of these keys.
template <class Key>
struct ValuesOf {
  DistinctKeys<Key> keys;

  SLOTSCAPE_HOST_DEVICE Key operator[](std::uint64_t i) const { return keys[i] >> 1; }
};

/// Whether the lookup of key i returned the right value (`found`) or another one (`missing`).
template <class Key>
struct IsRight {
  DistinctKeys<Key> keys;
  Key const* values;
  bool are_there;  ///< false: the keys should be missing

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    Key const expected = are_there ? ValuesOf<Key>{keys}[i] : FormatOf<Key>::empty_value;
    return values[i] == expected ? Outcome::found : Outcome::missing;
  }
};

}  // namespace slotscape::paged
