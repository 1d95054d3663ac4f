#pragma once

#include "app/base/text.hpp"
#include "app/clouds/readers/readers.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace slotscape::clouds {

/// Iterates over the lines of a file, which end in \n, \r\n or \r.
class Lines {
public:
  explicit Lines(Source const& source, std::size_t begin = 0) : source_(source), at_(begin) {}

  /// Nullopt after the last line. Throws Cancelled.
  std::optional<std::string_view> next();
  std::size_t number() const { return number_; }  ///< line number of the latest line, from 1
  std::size_t offset() const { return at_; }      ///< in bytes, just after the latest line

private:
  Source const& source_;
  std::size_t at_;
  std::size_t number_ = 0;
};

/// Removes and returns the first word, with the separators around it. Empty if none is left.
std::string_view next_word(std::string_view& text, std::string_view separators = blanks);

/// The whole word as a number; infinity and NaN are allowed, and numbers too large become infinite.
std::optional<double> number_in(std::string_view word);
/// The whole word as a count.
std::optional<std::uint64_t> count_in(std::string_view word);
/// Removes three numbers from the front of the text; nullopt if it does not begin with three.
std::optional<std::array<double, 3>> three_numbers(std::string_view& text);

/// A short quotation from a file, safe to print.
std::string in_quotes(std::string_view text);

}  // namespace slotscape::clouds
