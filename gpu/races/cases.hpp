#pragma once

#include "gpu/races/judge.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::races {

inline constexpr std::array<std::uint64_t, 4> slot_choices{8, 16, 32, 64};
inline constexpr std::size_t max_before = 64;  ///< calls before the threads begin

/// A race as it is written down.
struct RaceSettings {
  TableSettings table{.family = "linear_probing", .slots = 8, .hash = HashKind::identity};
  std::string published = {};  ///< the name of a published table, instead of the family
  std::vector<Call> before = {};
  std::vector<Call> calls = {};
  MemoryModel memory = MemoryModel::in_order;
  friend bool operator==(RaceSettings const&, RaceSettings const&) = default;
};

/// Throws Error, saying what to do, if there is no such race.
Race make_race(RaceSettings const& settings);

/// A race worth knowing.
struct Case {
  std::string_view name;   ///< in scenarios and on the command line
  std::string_view title;  ///< "Two inserts of one key"
  std::string_view what;   ///< what to look at
  RaceSettings race;
  bool legal;  ///< what a search through all schedules finds
};
std::span<Case const> famous_cases();
/// Null if there is none of that name.
Case const* find_case(std::string_view name);

}  // namespace slotscape::races
