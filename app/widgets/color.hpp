#pragma once

#include <cstdint>

namespace slotscape {

struct Color {
  float red;
  float green;
  float blue;
  friend bool operator==(Color const&, Color const&) = default;
};
/// 0xRRGGBB.
inline constexpr Color color_of(std::uint32_t rgb)
{
  return {static_cast<float>(rgb >> 16 & 0xff) / 255.0f, static_cast<float>(rgb >> 8 & 0xff) / 255.0f,
          static_cast<float>(rgb & 0xff) / 255.0f};
}

}  // namespace slotscape
