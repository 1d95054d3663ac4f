#pragma once

#include "gpu/tables/family.hpp"

#include <bit>

namespace slotscape {

/// The analysis's record of a slot: its state (bits 0-1), whether it holds a user's key (bit 2) and, if it is live, a
/// code of the family's measure (bits 3-15). Pictures are drawn from these records, so every byte counts.
using SlotMark = std::uint16_t;

/// 13-bit codes of measures: exact below 4096, then 8 binary digits after the first one and an exponent. The rounding
/// error is less than 0.4 %.
namespace measure_code {

inline constexpr std::uint32_t exact = 1u << 12;
inline constexpr std::uint32_t digits = 8;
inline constexpr std::uint32_t largest = 0x1fffu;

SLOTSCAPE_HOST_DEVICE inline int width_of(std::uint32_t measure)
{
#if defined(__CUDA_ARCH__)
  return 32 - __clz(static_cast<int>(measure));
#else
  return std::bit_width(measure);
#endif
}
SLOTSCAPE_HOST_DEVICE inline std::uint32_t of(std::uint32_t measure)
{
  if (measure < exact) { return measure; }
  auto const shift = static_cast<std::uint32_t>(width_of(measure)) - digits - 1;
  std::uint32_t const code = exact + ((shift - 4) << digits) + (measure >> shift) - (1u << digits);
  return code < largest ? code : largest;
}
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t measure(std::uint32_t code)
{
  if (code < exact) { return code; }
  std::uint32_t const exponent = (code - exact) >> digits;
  return ((1u << digits) + code % (1u << digits)) << (exponent + 4);
}

}  // namespace measure_code

/// The bits of a mark other than the measure.
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t mark_of_state(Described const& slot)
{
  return (slot.has_key ? 4u : 0u) | static_cast<std::uint32_t>(slot.state);
}
/// code: the measure's code for a live slot, else 0.
SLOTSCAPE_HOST_DEVICE constexpr SlotMark mark_of(std::uint32_t code, std::uint32_t state)
{
  return static_cast<SlotMark>((code << 3) | state);
}
SLOTSCAPE_HOST_DEVICE inline SlotMark make_mark(Described const& slot)
{
  return mark_of(slot.state == SlotState::live ? measure_code::of(slot.measure) : 0, mark_of_state(slot));
}
SLOTSCAPE_HOST_DEVICE constexpr SlotState state_of(SlotMark mark)
{
  return static_cast<SlotState>(mark & 3u);
}
SLOTSCAPE_HOST_DEVICE constexpr bool has_key(SlotMark mark)
{
  return (mark & 4u) != 0;
}
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t measure_of(SlotMark mark)
{
  return measure_code::measure(mark >> 3);
}

/// A slot's last change, as recorded by operations for the slot map: its freshness, from `flash_full` down (low 6
/// bits), and the operation (high 2 bits).
inline constexpr std::uint32_t flash_full = 63;
SLOTSCAPE_HOST_DEVICE constexpr std::uint8_t fresh_change(Operation operation)
{
  return static_cast<std::uint8_t>((static_cast<unsigned>(operation) << 6) | flash_full);
}

}  // namespace slotscape
