#pragma once

#include "app/clouds/readers/source.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace slotscape::clouds {

/// Goes over the lines of a file, which end with \n, \r\n or \r.
class Lines {
public:
  explicit Lines(Source const& source, std::size_t begin = 0) : source_(source), at_(begin) {}

  /// Nothing after the last line. Throws Cancelled.
  std::optional<std::string_view> next();
  std::size_t number() const { return number_; }  ///< of the last line, from 1
  std::size_t offset() const { return at_; }      ///< in bytes, behind the last line

private:
  Source const& source_;
  std::size_t at_;
  std::size_t number_ = 0;
};

inline constexpr std::string_view blanks = " \t\r\v\f";
std::string_view trimmed(std::string_view text);
/// Cuts the first word off the text, and what separates it from the rest. Empty where none is left.
std::string_view next_word(std::string_view& text, std::string_view separators = blanks);
std::string lower_case(std::string_view text);

/// The number that the whole word is: infinite or not a number where it says so or is too large.
std::optional<double> number_in(std::string_view word);
/// A count that the whole word is.
std::optional<std::uint64_t> count_in(std::string_view word);
/// Three numbers from the front of the text, which is cut off; nothing where there are fewer or others.
std::optional<std::array<double, 3>> three_numbers(std::string_view& text);

/// A short form of what stands in a file, safe to print.
std::string quoted(std::string_view text);

}  // namespace slotscape::clouds
