#pragma once

#include "gpu/tables/family.hpp"

namespace slotscape {

/// What the analysis remembers of a slot: its state (bits 0-1), whether it holds a user's key (bit 2), and the family's
/// measure of that key (bits 3-31), capped at `largest_measure`.
using SlotMark = std::uint32_t;

inline constexpr std::uint32_t largest_measure = (1u << 29) - 2;
inline constexpr SlotMark no_mark = 0xffffffffu;  ///< of a slot outside the table

SLOTSCAPE_HOST_DEVICE constexpr SlotMark make_mark(Described const& slot)
{
  std::uint32_t const measure = slot.measure < largest_measure ? slot.measure : largest_measure;
  return (measure << 3) | (slot.has_key ? 4u : 0u) | static_cast<std::uint32_t>(slot.state);
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
  return mark >> 3;
}

}  // namespace slotscape
