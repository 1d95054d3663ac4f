#pragma once

#include "gpu/base/types.hpp"

namespace slotscape {

/// Signed numbers as keys, in two's complement: -1, -2 and -3, whose keys are reserved, are exchanged with the three
/// lowest numbers. Its own inverse.
SLOTSCAPE_HOST_DEVICE constexpr Key without_reserved(Key bits)
{
  constexpr Key last = ~Key{0};
  constexpr Key lowest = Key{1} << 63;
  if (last - bits < 3) { return lowest + (last - bits); }
  return bits >= lowest && bits - lowest < 3 ? last - (bits - lowest) : bits;
}

}  // namespace slotscape
