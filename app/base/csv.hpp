#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Reads separated values record by record (RFC 4180): fields in quotes may hold separators, quotes and line breaks. A
/// quote within a field is a letter like any other.
class CsvReader {
public:
  /// The text must outlive the reader. A byte order mark is passed over, and a first line that names the separator:
  /// "sep=;".
  CsvReader(std::string_view text, char separator);

  /// The next record that is not an empty line; false at the end.
  bool next(std::vector<std::string>& fields);
  /// Of the fields of the last record, whether each stood in quotes.
  std::vector<bool> const& in_quotes() const { return in_quotes_; }
  /// Of the text, from 1, where the last record began.
  std::size_t line() const { return record_line_; }
  /// The line of a quote that is not closed, so that all that follows is in its field; 0: there is none.
  std::size_t open_quote() const { return open_quote_; }

private:
  /// Returns whether it stands in quotes.
  bool read_field(std::string& field);
  void read_quoted(std::string& field);

  std::string_view rest_;
  char separator_;
  std::vector<bool> in_quotes_;
  std::size_t line_ = 1;
  std::size_t record_line_ = 0;
  std::size_t open_quote_ = 0;
};

/// Why a record cannot be read that has more fields than there are columns, as the end of a sentence, and what to do:
/// its values may stand in other columns than they seem to. Decimal commas, separators of thousands and a separator at
/// the end of the line are named where they can be the reason.
std::string why_too_many(std::span<std::string_view const> fields, std::size_t columns, char separator);

/// The one of comma, semicolon, tab and bar that makes records of equal length of the first lines, and of the most
/// fields; or the one that the first line names or, where no lengths are equal, has most often.
char separator_of(std::string_view text);

}  // namespace slotscape
