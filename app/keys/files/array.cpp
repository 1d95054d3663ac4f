#include "app/keys/files/key_file.hpp"

#include "app/base/encoding.hpp"
#include "app/base/npy.hpp"
#include "app/base/text.hpp"
#include "app/keys/files/cells.hpp"
#include "app/keys/files/columns.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

namespace slotscape::key_files {
namespace {

constexpr double lowest_number = -9223372036854775808.0;  ///< -2^63, the lowest signed number
constexpr double past_largest = 18446744073709551616.0;   ///< 2^64, just above the unsigned range

constexpr std::uint64_t not_a_time = std::uint64_t{1} << 63;

std::vector<std::string> titles_of(NpyColumns const& array)
{
  std::vector<std::string> titles(array.columns.size());
  std::ranges::transform(array.columns, titles.begin(), &NpyColumn::name);
  return titles;
}

Origin origin_of(std::filesystem::path const& file, NpyColumn const& column)
{
  return {path_text(file), column.name, Origin::Unit::row};
}

/// The unit of dates, "M8[D]", or durations, "m8[25s]", which never match each other; otherwise empty.
std::string unit_of(NpyColumn const& column)
{
  bool const is_time = column.kind == 'M' || column.kind == 'm';
  return is_time ? fmt::format("{}8[{}]", column.kind, column.unit) : std::string();
}

MadeKeys whole_numbers(NpyColumns const& array, NpyColumn const& column, Origin const& origin,
                       KeyReading const& reading)
{
  bool const is_time = column.kind == 'M' || column.kind == 'm';
  bool const has_sign = column.kind == 'i' || is_time;
  NumberKeys keys(origin);
  keys.reserve(array.rows);
  Occurrences empty;
  for (std::uint64_t row = 0; row < array.rows; ++row) {
    std::uint64_t const bits = whole_of(column, array.value(column, row));
    if (is_time && bits == not_a_time) {
      empty.add(row + 1, "NaT");
    } else if (has_sign && static_cast<std::int64_t>(bits) < 0) {
      keys.add_negative(static_cast<std::int64_t>(bits), row + 1);
    } else {
      keys.add(bits, row + 1);
    }
  }
  MadeKeys made = keys.take();
  made.notes.units = unit_of(column);
  note_empty(empty, origin, reading, made);
  return made;
}

/// The limit beyond which floating-point numbers of this size cannot represent every integer.
double exact_limit(std::uint64_t bytes)
{
  return bytes == 8 ? 0x1p53 : bytes == 4 ? 0x1p24 : 0x1p11;
}

/// A census of the numbers in a floating-point column.
struct Floats {
  Occurrences empty;
  Occurrences fractions;
  Occurrences inexact;
};
Floats look_through(NpyColumns const& array, NpyColumn const& column)
{
  Floats floats;
  for (std::uint64_t row = 0; row < array.rows; ++row) {
    double const number = number_of(array.value(column, row));
    if (std::isnan(number)) {
      floats.empty.add(row + 1, "NaN");
    } else if (!(std::floor(number) == number && number >= lowest_number && number < past_largest)) {
      floats.fractions.add(row + 1, fmt::format("{}", number));
    } else if (std::abs(number) > exact_limit(column.bytes)) {
      floats.inexact.add(row + 1, fmt::format("{:.0f}", number));
    }
  }
  return floats;
}

MadeKeys floating_point(NpyColumns const& array, NpyColumn const& column, Origin const& origin,
                        KeyReading const& reading)
{
  Floats const floats = look_through(array, column);
  NumberKeys keys(origin);
  keys.reserve(array.rows);
  for (std::uint64_t row = 0; row < array.rows; ++row) {
    double const number = number_of(array.value(column, row));
    if (std::isnan(number)) { continue; }
    if (floats.fractions.count != 0) {
      keys.add(std::bit_cast<std::uint64_t>(number == 0.0 ? 0.0 : number), row + 1);
    } else if (number < 0.0) {
      keys.add_negative(static_cast<std::int64_t>(number), row + 1);
    } else {
      keys.add(static_cast<std::uint64_t>(number), row + 1);
    }
  }
  MadeKeys made = keys.take();
  made.notes.are_floats = floats.fractions.count != 0;
  if (made.notes.are_floats) {
    made.notes.findings.push_back(
        tr_plural("{}: {} key is not a 64-bit whole number (the first is {} in row {}), so each key is the 64 bits of "
                  "its floating-point number, one to one.",
                  "{}: {} keys are not 64-bit whole numbers (the first is {} in row {}), so each key is the 64 bits of "
                  "its floating-point number, one to one.",
                  floats.fractions.count, origin.short_name(), grouped(floats.fractions.count), floats.fractions.text,
                  floats.fractions.first));
  } else if (floats.inexact.count != 0) {
    made.notes.findings.push_back(tr_plural(
        "{}: {} key is beyond {:.0f} (the first is {} in row {}), where float{} cannot represent every whole number: "
        "different keys may have become equal before they were saved. Save them as int64 from the start.",
        "{}: {} keys are beyond {:.0f} (the first is {} in row {}), where float{} cannot represent every whole number: "
        "different keys may have become equal before they were saved. Save them as int64 from the start.",
        floats.inexact.count, origin.short_name(), grouped(floats.inexact.count), exact_limit(column.bytes),
        floats.inexact.text, floats.inexact.first, 8 * column.bytes));
  }
  note_empty(floats.empty, origin, reading, made);
  return made;
}

/// Converts UTF-32 to UTF-8, without trailing zeros.
std::string text_of(NpyColumn const& column, std::string const& bytes)
{
  if (column.kind != 'U') {
    std::size_t const last = bytes.find_last_not_of('\0');
    return last == std::string::npos ? std::string() : valid_text(bytes.substr(0, last + 1));
  }
  std::string in_utf16 = "\xff\xfe";
  auto const add = [&](std::uint32_t unit) {
    in_utf16 += static_cast<char>(unit & 0xff);
    in_utf16 += static_cast<char>(unit >> 8);
  };
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t letter = 0;
    std::memcpy(&letter, bytes.data() + at, sizeof(letter));
    if (letter == 0) { break; }
    if (letter < 0x10000) {
      add(letter);
    } else {
      add(0xd800 + ((letter - 0x10000) >> 10 & 0x3ff));
      add(0xdc00 + ((letter - 0x10000) & 0x3ff));
    }
  }
  return decoded(in_utf16);
}

/// The name of a missing value, NaN or NaT; empty if the value is not missing.
std::string_view missing_word(NpyColumn const& column, std::string const& value)
{
  switch (column.kind) {
    case 'f': return std::isnan(number_of(value)) ? "NaN" : "";
    case 'M':
    case 'm': return whole_of(column, value) == not_a_time ? "NaT" : "";
    default: return "";
  }
}

bool has_texts(NpyColumn const& column)
{
  return column.kind == 'S' || column.kind == 'U';
}

std::string text_of_float(std::string_view value)
{
  return text_of_number(fmt::format("{}", number_of(value)));
}

/// A value of a row as a text that is the same for equal values, even in files of other types. are_numbers: texts may
/// be numbers.
std::string part_of_key(NpyColumn const& column, std::string const& value, bool are_numbers)
{
  switch (column.kind) {
    case 'S':
    case 'U': return are_numbers ? text_of_number(text_of(column, value)) : text_of(column, value);
    case 'b':
    case 'u': return std::to_string(whole_of(column, value));
    case 'i':
    case 'M':
    case 'm': return std::to_string(static_cast<std::int64_t>(whole_of(column, value)));
    case 'f': return text_of_float(value);
    case 'c': {
      std::string_view const parts = value;
      return text_of_float(parts.substr(0, parts.size() / 2)) + " " + text_of_float(parts.substr(parts.size() / 2));
    }
    default: return value;
  }
}

/// A number as people write it.
std::string text_as_written(NpyColumn const& column, std::string const& value)
{
  return column.kind == 'f' ? fmt::format("{}", number_of(value)) : part_of_key(column, value, false);
}

/// The keys of a column of numbers that are hashed as texts.
MadeKeys hashed_numbers(NpyColumns const& array, NpyColumn const& column, Origin const& origin,
                        KeyReading const& reading)
{
  HashedKeys keys(origin);
  Occurrences empty;
  for (std::uint64_t row = 0; row < array.rows; ++row) {
    std::string const value = array.value(column, row);
    if (std::string_view const word = missing_word(column, value); !word.empty()) {
      empty.add(row + 1, word);
      continue;
    }
    keys.add_part(text_as_written(column, value));
    keys.end_key(row + 1);
  }
  MadeKeys made = keys.take(HashedFrom::texts, tr("the keys are read as texts"));
  made.notes.units = unit_of(column);
  note_empty(empty, origin, reading, made);
  return made;
}

/// In an array, blanks around texts are part of them, as arrays store texts exactly. In text files they are not, so
/// users who compare the two get a finding.
void note_kept_blanks(NpyColumns const& array, std::span<std::size_t const> columns, Origin const& origin,
                      MadeKeys& made)
{
  Occurrences blanks;
  for (std::size_t const at : columns) {
    NpyColumn const& column = array.columns[at];
    if (!has_texts(column)) { continue; }
    for (std::uint64_t row = 0; row < array.rows; ++row) {
      std::string const text = text_of(column, array.value(column, row));
      if (trimmed(text).size() != text.size()) { blanks.add(row + 1, text); }
    }
  }
  if (blanks.count == 0) { return; }
  made.notes.findings.push_back(
      tr_plural("{}: {} text has blanks around it, such as {} in {}, which are part of the key. To get the same key as "
                "from a text file, strip them: np.strings.strip(array).",
                "{}: {} texts have blanks around them, such as {} in {}, which are part of the keys. To get the same "
                "keys as from a text file, strip them: np.strings.strip(array).",
                blanks.count, origin.short_name(), grouped(blanks.count), in_quotes(blanks.text),
                origin.row(blanks.first)));
}

/// Whether most of a column's texts are numbers.
bool has_numbers_as_texts(NpyColumns const& array, NpyColumn const& column)
{
  if (!has_texts(column)) { return false; }
  std::int64_t more_numbers = 0;
  for (std::uint64_t row = 0; row < array.rows; ++row) {
    CellKind const kind = read_cell(text_of(column, array.value(column, row))).kind;
    if (kind != CellKind::empty && kind != CellKind::missing) { more_numbers += kind == CellKind::text ? -1 : 1; }
  }
  return more_numbers >= 0;
}

MadeKeys hashed_rows(NpyColumns const& array, std::vector<std::size_t> const& columns, Origin const& origin,
                     KeyReading const& reading, std::string_view what)
{
  HashedKeys keys(origin);
  Occurrences empty;
  std::vector<std::string> parts;
  std::vector<bool> are_numbers;
  std::vector<std::string> units;
  for (std::size_t const at : columns) {
    are_numbers.push_back(!reading.as_text && has_numbers_as_texts(array, array.columns[at]));
    std::string unit = unit_of(array.columns[at]);
    if (!unit.empty()) { units.push_back(std::move(unit)); }
  }
  auto const add_row = [&](std::uint64_t row) {
    parts.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      NpyColumn const& column = array.columns[columns[i]];
      std::string const value = array.value(column, row);
      std::string part = part_of_key(column, value, are_numbers[i]);
      std::string_view const word = missing_word(column, value);
      if (part.empty() || !word.empty()) { return empty.add(row + 1, word); }
      parts.push_back(std::move(part));
    }
    for (std::string const& part : parts) { keys.add_part(part); }
    keys.end_key(row + 1);
  };
  for (std::uint64_t row = 0; row < array.rows; ++row) { add_row(row); }
  MadeKeys made = keys.take(HashedFrom::rows, what);
  made.notes.units = fmt::format("{}", fmt::join(units, ", "));
  note_empty(empty, origin, reading, made);
  note_kept_blanks(array, columns, origin, made);
  return made;
}

MadeKeys keys_of_column(NpyColumns const& array, std::size_t at, std::filesystem::path const& file,
                        KeyReading const& reading)
{
  NpyColumn const& column = array.columns[at];
  Origin const origin = origin_of(file, column);
  bool const is_number = std::string_view("biuMmf").find(column.kind) != std::string_view::npos;
  if (reading.as_text && is_number) { return hashed_numbers(array, column, origin, reading); }
  switch (column.kind) {
    case 'b':
    case 'i':
    case 'u':
    case 'M':
    case 'm': return whole_numbers(array, column, origin, reading);
    case 'f': return floating_point(array, column, origin, reading);
    case 'S':
    case 'U': {
      auto const each = [&](auto const& take) {
        for (std::uint64_t row = 0; row < array.rows; ++row) {
          take(text_of(column, array.value(column, row)), row + 1);
        }
      };
      MadeKeys made = keys_of_cells(each, origin, reading);
      if (made.notes.hashed_from != HashedFrom::nothing) { note_kept_blanks(array, {&at, 1}, origin, made); }
      return made;
    }
    default: return hashed_rows(array, {at}, origin, reading, tr("the keys are {} bytes each", column.bytes));
  }
}

}  // namespace

MadeKeys keys_of_array(std::filesystem::path const& file, KeyReading const& reading)
{
  NpyColumns const array = read_npy_columns(file);
  std::vector<std::string> const titles = titles_of(array);
  std::string const name = path_text(file);
  bool const has_titles = array.columns.size() != 1 || !titles.front().empty();
  if (!has_titles) { refuse_column(name, reading.column); }
  if (array.columns.size() == 1 && reading.column.empty()) { return keys_of_column(array, 0, file, reading); }
  if (reading.column.empty()) { refuse_several_columns(name, titles); }
  std::vector<std::size_t> const columns = columns_named(reading.column, titles, name);
  MadeKeys made = columns.size() == 1 ? keys_of_column(array, columns.front(), file, reading)
                                      : hashed_rows(array, columns, {name, reading.column, Origin::Unit::row}, reading,
                                                    tr("the keys are the columns {} together", reading.column));
  if (titles.size() > 1) { made.notes.columns = titles; }
  return made;
}

std::vector<std::string> columns_of_array(std::filesystem::path const& file)
{
  NpyColumns const array = read_npy_columns(file);
  return array.columns.size() > 1 ? titles_of(array) : std::vector<std::string>();
}

}  // namespace slotscape::key_files
