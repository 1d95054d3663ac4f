#pragma once

#include "gpu/engine/trace.hpp"
#include "gpu/tables/settings.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

struct FamilyInfo;

/// A line of a family's pseudocode.
struct CodeLine {
  int indent = 0;  ///< levels; the name of the operation is at 0
  std::string text;
  std::string_view label;  ///< of the accesses that this line stands for; empty if it stands for none
};

/// As the algorithm runs, with other threads at work; or as a textbook has it, for one thread: an insertion goes its
/// way once, and needs no compare-and-swap.
enum class CodeStyle : std::uint8_t { threads, textbook };

/// Labels that no access has: of the lines at which an operation ends. An insertion finds no place; a lookup finds its
/// key; a key is not there, as an empty slot says, or as nothing is left to look at.
inline constexpr std::string_view full_line = "full";
inline constexpr std::string_view found_line = "found";
inline constexpr std::string_view empty_line = "empty";
inline constexpr std::string_view absent_line = "absent";
inline constexpr std::array end_lines{full_line, found_line, empty_line, absent_line};

/// Nor has this line of textbook code: an insertion remembers the first tombstone that it passes.
inline constexpr std::string_view remember_line = "remember";

/// How a table performs an operation, line by line, beginning with its name, in the language in use. Empty if its
/// family has no pseudocode. It lies beside the family's header, as NAME.txt: sections that begin with the name of an
/// operation, and at the end of a line '@' with the label that the family's code gives its accesses (`View::at`), with
/// one of `end_lines`, or with `remember_line`; an insertion has `full_line`. A section whose name follows "textbook "
/// replaces it in textbook code. A line with '@reuse' is a condition, and left out; what stands below it, further in,
/// is code of tables where any key may take the slot of an erased one. A line that ends in '@PARAMETER=NUMBER', after
/// its label, is code only of tables in which the family's parameter has this value.
std::vector<CodeLine> pseudocode_of(TableSettings const& table, Operation operation, CodeStyle style = {});
/// The same of a text, for a table of the family.
std::vector<CodeLine> code_lines(std::string_view text, Operation operation, FamilyInfo const& family,
                                 TableSettings const& table, CodeStyle style = {});

/// The label of the line at which the operation ends; empty where its last access says all.
std::string_view end_line(Trace const& trace, std::vector<CodeLine> const& lines);

}  // namespace slotscape
