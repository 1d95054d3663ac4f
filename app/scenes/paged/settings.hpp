#pragma once

#include "app/base/enum_names.hpp"
#include "app/base/setting.hpp"
#include "gpu/paged/engine.hpp"

namespace slotscape {

inline constexpr std::uint64_t min_paged_slots = std::uint64_t{1} << 10;
inline constexpr std::uint64_t max_paged_slots = std::uint64_t{1} << 36;
inline constexpr double max_paged_load = 0.9;

/// What is looked up when the table has its keys.
enum class LookedUp : std::uint8_t { nothing, present, absent };
template <>
std::span<EnumName<LookedUp> const> enum_names();

struct PagedSceneSettings {
  paged::PagedSettings table;
  double load_factor = 0.5;  ///< that the table is brought to
  LookedUp look_up = LookedUp::nothing;
  std::uint64_t lookups = std::uint64_t{1} << 20;
  bool around_mean = false;  ///< colours from a little below the mean load factor to a little above it
  friend bool operator==(PagedSceneSettings const&, PagedSceneSettings const&) = default;
};
template <>
std::span<Setting<PagedSceneSettings> const> settings_of();

/// Not all keys of that width: some are left to be looked up that are not in the table.
std::uint64_t most_paged_keys(int key_bits);

}  // namespace slotscape
