#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace slotscape::clouds {

/// A number as it stands in memory at `bytes`, in this byte order.
template <class Number>
Number number_at(char const* bytes, std::endian order = std::endian::little)
{
  std::array<char, sizeof(Number)> raw;
  std::memcpy(raw.data(), bytes, sizeof(Number));
  if (order != std::endian::native) { std::ranges::reverse(raw); }
  return std::bit_cast<Number>(raw);
}

}  // namespace slotscape::clouds
