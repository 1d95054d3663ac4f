#pragma once

#include "app/base/setting.hpp"
#include "gpu/races/cases.hpp"

#include <cstddef>
#include <string>

namespace slotscape {

inline constexpr std::size_t max_turns = 4096;  ///< maximum length of a schedule in a scenario

struct RacesSettings {
  std::string case_name = "two-inserts";  ///< the well-known case shown; empty: a custom race
  races::RaceSettings race = races::find_case("two-inserts")->race;
  std::uint64_t seed = 1;         ///< for random turns
  races::Schedule schedule = {};  ///< turns taken, followed by those to come
  std::size_t position = 0;       ///< number of turns taken
  bool explore = false;           ///< search all schedules right away
  bool show_code = true;          ///< show each thread's pseudocode
  friend bool operator==(RacesSettings const&, RacesSettings const&) = default;
};
template <>
std::span<Setting<races::RaceSettings> const> settings_of();
template <>
std::span<Setting<RacesSettings> const> settings_of();

template <>
std::span<EnumName<races::MemoryModel> const> enum_names();

/// The settings of a case at its start.
RacesSettings settings_of(races::Case const& shown);
/// Clears the case's name if the race no longer matches the case.
void reconcile(RacesSettings& settings);

}  // namespace slotscape
