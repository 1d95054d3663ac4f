#pragma once

#include "app/clouds/readers/text.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace slotscape::clouds {

inline constexpr std::string_view any_separators = " \t\r\v\f,;|";

/// Removes a comment at the end of the line, which begins with # or //; but "1.#QNAN" is a number.
std::string_view without_comment(std::string_view line);
/// Whether a line is nothing but a comment: it begins with #, //, % or !.
bool is_comment(std::string_view line);

/// Splits lines into fields. The separator is a semicolon, a bar, a comma, a tab, or a blank, which stands for any
/// number of blanks.
class RowSplitter {
public:
  /// Detects the separator from these lines of the file. Commas count as decimal commas where they are within numbers
  /// that other characters separate.
  explicit RowSplitter(std::span<std::string_view const> lines);

  /// Strips surrounding blanks and quotes from fields. Adjacent separators enclose an empty field; several numbers
  /// separated by blanks, such as "3 255 0 0", are separate fields.
  void split(std::string_view line, std::vector<std::string_view>& fields) const;
  char separator() const { return separator_; }

private:
  void split_at_blanks(std::string_view line, std::vector<std::string_view>& fields) const;
  void split_at_separator(std::string_view line, std::vector<std::string_view>& fields) const;

  char separator_;
};

/// The number in a field; NaN if the field is empty or marks a missing value ("NA", "null", "-"). Nullopt for other
/// words.
std::optional<double> number_in_field(std::string_view field);
/// Replaces a decimal comma by a point; unchanged if the field is not a number with one comma.
std::string with_point(std::string_view field);
bool has_decimal_comma(std::string_view field);
/// Whether the field has points and commas, or several commas, and so contains thousands separators.
bool has_thousands(std::string_view field);

}  // namespace slotscape::clouds
