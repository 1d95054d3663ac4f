#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

std::string grouped(std::uint64_t number);  ///< "1,048,576"
/// Moves a number slightly away from 0, so that halves of the last digit are rounded as in textbooks: 2.625 to 2.63.
inline double halves_up(double number)
{
  return number * (1.0 + 1e-12);
}
std::string with_decimals(double number, int decimals);  ///< 0.625 with two decimals: "0.63"
std::string short_number(double number);                 ///< "1.05 M", "65.5 k", "0.48", "12"
std::string brief_number(double number);                 ///< short_number without trailing zeros: "1 k", "0.5"
std::string bytes_text(std::uint64_t bytes);             ///< "8 MiB"
std::string percent(double share);                       ///< "52.4 %"
std::string uncapitalised(std::string_view text);        ///< "Probe length" becomes "probe length"
/// A text of the current language for the middle of a sentence: "probe length", but "Sondierlänge".
std::string in_sentence(std::string_view said);
std::string milliseconds(double seconds);  ///< "3.21 ms"
/// A title as a file name: "Probe length, accesses" becomes "probe-length".
std::string file_name_of(std::string_view title);
std::string lower_case(std::string_view text);
inline constexpr std::string_view blanks = " \t\r\v\f";
/// The text without surrounding blanks.
std::string_view trimmed(std::string_view text);
/// "a, b and c".
std::string listed(std::vector<std::string> const& names, std::string_view last = "and");
/// Formats a CSV field, in quotes if necessary.
std::string in_csv(std::string const& text);

/// The candidate with the fewest edits from `word` (Levenshtein 1966, ignoring case), or empty if none is close.
std::string_view nearest(std::string_view word, std::span<std::string_view const> candidates);

/// "did you mean 'murmur3'? Choose from: murmur3, xxhash, ..." for the end of an error message.
std::string suggest(std::string_view word, std::span<std::string_view const> candidates);

/// Parses the whole text as a number; nullopt if it is not one.
template <class Number>
std::optional<Number> parse_number(std::string_view text)
{
  Number number{};
  auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool const whole = failure == std::errc{} && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

}  // namespace slotscape
