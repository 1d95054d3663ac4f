#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Reads separated values record by record (RFC 4180): fields in quotes may hold separators, quotes and line breaks. A
/// quote within an unquoted field is an ordinary character.
class CsvReader {
public:
  /// The text must outlive the reader. Skips a byte order mark and a first line that declares the separator: "sep=;".
  CsvReader(std::string_view text, char separator);

  /// Reads the next record that is not an empty line; returns false at the end.
  bool next(std::vector<std::string>& fields);
  /// Whether each field of the last record was in quotes.
  std::vector<bool> const& in_quotes() const { return in_quotes_; }
  /// The line on which the last record began, counted from 1.
  std::size_t line() const { return record_line_; }
  /// The line of an unclosed quote, whose field swallows the rest of the text; 0: none.
  std::size_t open_quote() const { return open_quote_; }

private:
  /// Returns whether the field is in quotes.
  bool read_field(std::string& field);
  void read_quoted(std::string& field);

  std::string_view rest_;
  char separator_;
  std::vector<bool> in_quotes_;
  std::size_t line_ = 1;
  std::size_t record_line_ = 0;
  std::size_t open_quote_ = 0;
};

/// Why a record with more fields than columns cannot be read, as the end of a sentence, and what to do: its values may
/// be shifted into the wrong columns. Names decimal commas, thousands separators and a separator at the end of the line
/// where they may be the reason.
std::string why_too_many(std::span<std::string_view const> fields, std::size_t columns, char separator);

/// The separator of a text: the one that the first line declares; otherwise whichever of comma, semicolon, tab and bar
/// splits the first lines into records of equal length with the most fields; otherwise the most frequent one in the
/// first line.
char separator_of(std::string_view text);

}  // namespace slotscape
