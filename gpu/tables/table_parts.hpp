#pragma once

#include "gpu/tables/settings.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// Consecutive slots of a table that belong together: a level, or a separate sub-table.
struct TablePart {
  std::string name;  ///< short, for the map: "A3"
  Slot first;
  std::uint64_t slots;
  friend bool operator==(TablePart const&, TablePart const&) = default;
};

/// The name of one of many parts: "A3".
inline std::string numbered(char letter, std::uint32_t number)
{
  return std::string(1, letter).append(std::to_string(number));
}

/// All parts of a table, in order, from its first slot to its last.
using TableParts = std::vector<TablePart>;

}  // namespace slotscape
