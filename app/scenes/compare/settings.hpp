#pragma once

#include "app/scenes/slots/settings.hpp"

#include <vector>

namespace slotscape {

inline constexpr std::size_t fewest_compared = 2;
inline constexpr std::size_t most_compared = 4;

/// Everything the compare scene is set to, saved and loaded as it is (`app/scenario`).
struct CompareSettings {
  std::vector<TableSettings> tables;  ///< 2 to 4; none: none were compared yet
  SlotsSettings shared;               ///< keys, seed, drive and view of all; its table is the first
};

/// A set of tables to compare that begins with `first`: the others of `before`, as far as they differ from it, or else
/// one that differs in its deletion, its family or its hash.
std::vector<TableSettings> compared_with(TableSettings const& first, std::vector<TableSettings> const& before);

/// Settings for one more table: those of `like` with something changed, such that none of `tables` has them.
TableSettings another_table(TableSettings const& like, std::vector<TableSettings> const& tables);

}  // namespace slotscape
