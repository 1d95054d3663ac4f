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
  int indent = 0;  ///< levels; the operation's name is at 0
  std::string text;
  std::string_view label;  ///< label of the accesses that this line stands for; empty if it has none
};

/// `threads`: as the algorithm runs, with other threads at work. `textbook`: as a textbook has it, for one thread; an
/// insertion makes a single pass and needs no compare-and-swap.
enum class CodeStyle : std::uint8_t { threads, textbook };

/// Labels of the lines at which an operation ends; no access has these. An insertion finds no place; a lookup finds its
/// key; a key is absent, because a slot is empty or because there is nothing left to search.
inline constexpr std::string_view full_line = "full";
inline constexpr std::string_view found_line = "found";
inline constexpr std::string_view empty_line = "empty";
inline constexpr std::string_view absent_line = "absent";
inline constexpr std::array end_lines{full_line, found_line, empty_line, absent_line};

/// Label of a textbook line, also without accesses: an insertion remembers the first tombstone that it passes.
inline constexpr std::string_view remember_line = "remember";

/// How a table performs an operation, line by line, starting with its name, in the current language. Empty if its
/// family has no pseudocode. The text is in NAME.txt beside the family's header. Each section begins with the name of
/// an operation. A line may end in '@' and a label: the label that the family's code gives its accesses (`View::at`),
/// one of `end_lines`, or `remember_line`; an insertion has `full_line`. A section whose name follows "textbook "
/// replaces the plain one in textbook code. A line with '@reuse' is a condition and is left out; the lines indented
/// below it are kept only for tables in which any key may take the slot of an erased key. A line that ends in
/// '@PARAMETER=NUMBER', after its label, is kept only for tables in which the family's parameter has this value.
std::vector<CodeLine> pseudocode_of(TableSettings const& table, Operation operation, CodeStyle style = {});
/// Parses the pseudocode of an operation from a text, for a table of the family.
std::vector<CodeLine> code_lines(std::string_view text, Operation operation, FamilyInfo const& family,
                                 TableSettings const& table, CodeStyle style = {});

/// The label of the line at which the operation ends; empty if its last access already shows the end.
std::string_view end_line(Trace const& trace, std::vector<CodeLine> const& lines);

}  // namespace slotscape
