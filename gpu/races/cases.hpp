#pragma once

#include "gpu/races/judge.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::races {

inline constexpr std::array<std::uint64_t, 4> slot_choices{8, 16, 32, 64};
inline constexpr std::size_t max_before = 64;  ///< calls before the threads begin

/// The description of a race.
struct RaceSettings {
  TableSettings table{.family = "linear_probing", .slots = 8, .hash = HashKind::identity};
  std::string published = {};  ///< name of a published table, used instead of the family
  std::vector<Call> before = {};
  std::vector<Call> calls = {};
  MemoryModel memory = MemoryModel::in_order;
  friend bool operator==(RaceSettings const&, RaceSettings const&) = default;
};

/// Throws Error, with advice, if the race is invalid.
Race make_race(RaceSettings const& settings);

/// An instructive race.
struct Case {
  std::string_view name;   ///< in scenarios and on the command line
  std::string_view title;  ///< "Two inserts of one key"
  std::string_view what;   ///< hint for viewers of the race
  RaceSettings race;
  bool legal;  ///< result of a search through all schedules
};
std::span<Case const> famous_cases();
/// Null if there is no case of that name.
Case const* find_case(std::string_view name);

}  // namespace slotscape::races
