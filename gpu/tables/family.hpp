#pragma once

#include "gpu/tables/types.hpp"

namespace slotscape {

/// What a family says of itself: its name in scenarios, its name for people, its source, and what it guarantees.
struct FamilyInfo {
  std::string_view name;
  std::string_view title;
  std::string_view source;
  std::string_view guarantees;
};

inline constexpr Slot no_slot = 0xffffffffu;

/// What one operation did, and where. value: of the key, where it was found; as it was before, where it was erased.
struct Result {
  Outcome outcome;
  Slot slot;  ///< `no_slot` where no slot was found
  Value value;
};

/// A slot by what is in it; probe_length counts from home, and stands only where `has_key`.
struct Described {
  SlotState state;
  bool has_key;
  std::uint32_t probe_length;
};

SLOTSCAPE_HOST_DEVICE constexpr bool is_reserved(Key key)
{
  return key >= tombstone_key;
}

}  // namespace slotscape
