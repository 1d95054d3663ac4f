#pragma once

#include "app/keys/file_keys.hpp"
#include "app/keys/files/made.hpp"

#include <functional>

namespace slotscape::key_files {

/// Goes through the cells of a column, in order: the text, without blanks around it but in quotes, and its place.
using EachCell = std::function<void(std::function<void(std::string_view cell, std::uint64_t place)> const& take)>;

/// Numbers, where most cells are numbers; else texts, which are hashed. Empty cells are left out, or refused. Throws
/// Error that names the first cell that does not fit in.
MadeKeys keys_of_cells(EachCell const& each, Origin const& origin, KeyReading const& reading);

/// What a cell says.
enum class CellKind : std::uint8_t {
  empty,
  missing,   ///< a word for that, such as NA
  whole,     ///< from 0 to 2^64 - 1
  negative,  ///< from -2^63 on
  too_large,
  fraction,
  text
};
struct Cell {
  CellKind kind = CellKind::empty;
  std::uint64_t number = 0;  ///< of a negative one, its bits
  bool is_rounded = false;   ///< it may be: it has an exponent, as spreadsheets write long numbers
  bool is_padded = false;    ///< with zeros in front
  bool is_pointed = false;   ///< with .000 in the end, which may be thousands
};
/// A text that is the same for equal numbers, however they are written; other texts stay as they are.
std::string text_of_number(std::string_view text);
/// Whole numbers may be written as 17, +17, -17, 0x11, 17.0 or 1.7e1.
Cell read_cell(std::string_view text);

/// Notes that "12 empty cells were left out", or throws Error if they are to be refused. None: nothing.
void note_empty(Occurrences const& empty, Origin const& origin, KeyReading const& reading, MadeKeys& made);

}  // namespace slotscape::key_files
