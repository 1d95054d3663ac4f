#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slotscape {

/// --- texts as people see them: for hints, and for people's names. Keys of tables are compared byte by byte.

/// A form that texts share which look alike (Unicode's NFKC with case folding, and more): letters composed, in lower
/// case and of one width, plain quotation marks and dashes, single blanks with none around the text, and nothing
/// invisible.
std::string look_of(std::string_view text);

/// What two texts of one look differ in.
struct Differences {
  bool accents = false;    ///< of which one has composed letters, and the other one letters and marks: é
  bool invisible = false;  ///< characters, such as the zero-width space
  bool blanks = false;
  bool marks = false;  ///< quotation marks, dashes and the like
  bool forms = false;  ///< of letters: full-width ones, ligatures
  bool capitals = false;

  /// Nobody sees them, so the texts are the same to everyone but a program.
  bool are_invisible() const { return !marks && !forms && !capitals; }
  Differences& operator|=(Differences const& others);
};
Differences differences_of(std::string_view left, std::string_view right);
/// "capital letters and blanks", in the language in use; empty if there are none.
std::string differences_text(Differences const& differences);

/// How many columns of a terminal a text takes.
std::size_t columns_of_terminal(std::string_view text);

}  // namespace slotscape
