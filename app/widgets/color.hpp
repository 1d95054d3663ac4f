#pragma once

#include <cmath>
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
/// 0xRRGGBB, from components between 0 and 1.
inline std::uint32_t rgb_of(Color const& color)
{
  auto const byte = [](float part) { return static_cast<std::uint32_t>(std::lround(255.0f * part)); };
  return byte(color.red) << 16 | byte(color.green) << 8 | byte(color.blue);
}

}  // namespace slotscape
