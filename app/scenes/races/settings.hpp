#pragma once

#include "app/base/setting.hpp"
#include "gpu/races/cases.hpp"

#include <cstddef>
#include <string>

namespace slotscape {

inline constexpr std::size_t max_turns = 4096;  ///< of a schedule in a scenario

struct RacesSettings {
  std::string case_name = "two-inserts";  ///< of the famous case that is shown; empty: another race
  races::RaceSettings race = races::find_case("two-inserts")->race;
  std::uint64_t seed = 1;         ///< of turns at random
  races::Schedule schedule = {};  ///< the turns taken, and to come
  std::size_t position = 0;       ///< how many of them are taken
  bool explore = false;           ///< search all schedules at once
  bool show_code = true;          ///< each thread's pseudocode
  friend bool operator==(RacesSettings const&, RacesSettings const&) = default;
};
template <>
std::span<Setting<races::RaceSettings> const> settings_of();
template <>
std::span<Setting<RacesSettings> const> settings_of();

template <>
std::span<EnumName<races::MemoryModel> const> enum_names();

/// The case, from its start.
RacesSettings settings_of(races::Case const& shown);
/// Whether the race is still that of its case; else the name is taken away.
void reconcile(RacesSettings& settings);

}  // namespace slotscape
