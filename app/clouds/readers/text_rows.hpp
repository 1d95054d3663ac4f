#pragma once

#include "app/clouds/readers/text.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace slotscape::clouds {

inline constexpr std::string_view any_separators = " \t\r\v\f,;|";

/// Without the comment at its end, which begins with # or //; but "1.#QNAN" is a number.
std::string_view without_comment(std::string_view line);
/// Whether a line is nothing but a comment: it begins with #, //, % or !.
bool is_comment(std::string_view line);

/// Splits lines into fields. The separator is a semicolon, a bar, a comma, a tab, or a blank for any number of blanks.
class RowSplitter {
public:
  /// For the file that these lines are from. A comma may also mark decimals, where it stands within numbers that other
  /// separators keep apart.
  explicit RowSplitter(std::span<std::string_view const> lines);

  /// Fields lose the blanks and quotes around them. Two separators have an empty field between them; several numbers
  /// with blanks between them, such as "3 255 0 0", are fields of their own.
  void split(std::string_view line, std::vector<std::string_view>& fields) const;
  char separator() const { return separator_; }

private:
  void split_at_blanks(std::string_view line, std::vector<std::string_view>& fields) const;
  void split_at_separator(std::string_view line, std::vector<std::string_view>& fields) const;

  char separator_;
};

/// The number in a field; NaN if the field is empty or says that nothing is there ("NA", "null", "-"). Nullopt for
/// other words.
std::optional<double> number_in_field(std::string_view field);
/// With a point instead of its comma; unchanged if it is no number with one comma.
std::string with_point(std::string_view field);
bool has_decimal_comma(std::string_view field);
/// Points and commas together, or several commas: thousands are separated.
bool has_thousands(std::string_view field);

}  // namespace slotscape::clouds
