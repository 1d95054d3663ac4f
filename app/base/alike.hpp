#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slotscape {

/// --- texts as people see them: for hints, and for people's names. Keys of tables are compared byte by byte.

/// The common form of texts that look alike (Unicode's NFKC with case folding, and more): composed letters in lower
/// case and of one width, plain quotation marks and dashes, single blanks with none around the text, and no invisible
/// characters.
std::string look_of(std::string_view text);

/// How two texts that look alike differ.
struct Differences {
  bool accents = false;    ///< é is one character in one text, a letter and its accent in the other
  bool invisible = false;  ///< invisible characters, such as the zero-width space
  bool blanks = false;
  bool marks = false;  ///< quotation marks, dashes and the like
  bool forms = false;  ///< other forms of letters: full width, ligatures
  bool capitals = false;

  /// Whether people cannot see the differences: the texts differ only to a program.
  bool are_invisible() const { return !marks && !forms && !capitals; }
  Differences& operator|=(Differences const& others);
};
Differences differences_of(std::string_view left, std::string_view right);
/// "capital letters and blanks", in the current language; empty if there are no differences.
std::string differences_text(Differences const& differences);

/// The number of terminal columns that a text takes.
std::size_t columns_of_terminal(std::string_view text);

}  // namespace slotscape
