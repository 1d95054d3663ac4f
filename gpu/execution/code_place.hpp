#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace slotscape {

/// An operation's position in a family's pseudocode: the label of a line, and variables by name. Names are literals.
struct CodePlace {
  std::string_view line = {};
  std::vector<std::pair<std::string_view, std::uint64_t>> variables = {};
};

}  // namespace slotscape
