#pragma once

#include "gpu/base/types.hpp"

#include <string_view>
#include <vector>

namespace slotscape {

/// A line of a family's pseudocode.
struct CodeLine {
  int indent = 0;  ///< levels; the name of the operation is at 0
  std::string_view text;
  std::string_view label;  ///< of the accesses that this line stands for; empty if it stands for none
};

inline constexpr std::string_view full_line = "full";

/// How a family performs an operation, line by line, beginning with its name. Empty if the family has no pseudocode.
/// It lies beside the family's header, as NAME.txt: sections that begin with the name of an operation, and at the end
/// of a line '@' with the label that the family's code gives its accesses (`View::at`). An insertion has one line more
/// with a label, which no access has: `full_line`, at which one ends that finds no place.
std::vector<CodeLine> pseudocode_of(std::string_view family, Operation operation);
/// The same of a text.
std::vector<CodeLine> code_lines(std::string_view text, Operation operation);

}  // namespace slotscape
