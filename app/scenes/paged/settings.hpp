#pragma once

#include "app/base/enum_names.hpp"
#include "app/base/setting.hpp"
#include "gpu/paged/engine.hpp"

namespace slotscape {

inline constexpr std::uint64_t min_paged_slots = std::uint64_t{1} << 10;
inline constexpr std::uint64_t max_paged_slots = std::uint64_t{1} << 36;
inline constexpr double max_paged_load = 0.9;

/// Which keys are looked up once the table is filled.
enum class LookedUp : std::uint8_t { nothing, present, absent };
template <>
std::span<EnumName<LookedUp> const> enum_names();

struct PagedSceneSettings {
  paged::PagedSettings table;
  double load_factor = 0.5;  ///< target load factor of the table
  LookedUp look_up = LookedUp::nothing;
  std::uint64_t lookups = std::uint64_t{1} << 20;
  bool around_mean = false;  ///< spread the colours over a small range around the mean load factor
  friend bool operator==(PagedSceneSettings const&, PagedSceneSettings const&) = default;
};
template <>
std::span<Setting<PagedSceneSettings> const> settings_of();

/// Fewer than all keys of that width: some remain for lookups of absent keys.
std::uint64_t most_paged_keys(int key_bits);

}  // namespace slotscape
