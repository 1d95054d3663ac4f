#pragma once

#include "app/keys/file_keys.hpp"
#include "app/keys/files/made.hpp"

#include <functional>

namespace slotscape::key_files {

/// Iterates over the cells of a column, in order: the text, without surrounding blanks unless quoted, and its place.
using EachCell = std::function<void(std::function<void(std::string_view cell, std::uint64_t place)> const& take)>;

/// Keys from the cells of a column: numbers if most cells are numbers, otherwise hashed texts. Empty cells are left out
/// or rejected. Throws Error that names the first cell that does not fit.
MadeKeys keys_of_cells(EachCell const& each, Origin const& origin, KeyReading const& reading);

/// The kind of a cell's content.
enum class CellKind : std::uint8_t {
  empty,
  missing,   ///< a word such as NA
  whole,     ///< from 0 to 2^64 - 1
  negative,  ///< from -2^63 to -1
  too_large,
  fraction,
  text
};
struct Cell {
  CellKind kind = CellKind::empty;
  std::uint64_t number = 0;  ///< the number; for a negative one, its bits
  bool is_rounded = false;   ///< possibly: it has an exponent, as spreadsheets write long numbers
  bool is_padded = false;    ///< has leading zeros
  bool is_pointed = false;   ///< ends in .000, which may be a thousands group
};
/// A text that is the same for equal numbers, however they are written; other texts are unchanged.
std::string text_of_number(std::string_view text);
/// Whole numbers may be written as 17, +17, -17, 0x11, 17.0 or 1.7e1.
Cell read_cell(std::string_view text);

/// Adds a note such as "12 empty cells were left out", or throws Error if they are to be rejected. Does nothing if
/// there are none.
void note_empty(Occurrences const& empty, Origin const& origin, KeyReading const& reading, MadeKeys& made);

}  // namespace slotscape::key_files
