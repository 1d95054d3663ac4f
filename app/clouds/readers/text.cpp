#include "app/clouds/readers/text.hpp"

#include "app/base/text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <limits>

namespace slotscape::clouds {

std::optional<std::string_view> Lines::next()
{
  if (at_ >= source_.bytes.size()) { return std::nullopt; }
  if (number_ % 4096 == 0) { source_.reached(at_); }
  ++number_;
  std::size_t const end = std::min(source_.bytes.find_first_of("\r\n", at_), source_.bytes.size());
  std::string_view const line = source_.bytes.substr(at_, end - at_);
  bool const two = source_.bytes.substr(end, 2) == "\r\n";
  at_ = std::min(end + (two ? 2 : 1), source_.bytes.size());
  return line;
}

std::string_view next_word(std::string_view& text, std::string_view separators)
{
  text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
  std::size_t const end = std::min(text.find_first_of(separators), text.size());
  std::string_view const word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

namespace {

/// Parses infinity and NaN as older Microsoft libraries write them: "-1.#IND", "1.#QNAN0", "1.#INF".
std::optional<double> number_of_microsoft(std::string_view word)
{
  double const sign = word.starts_with('-') ? -1.0 : 1.0;
  if (word.starts_with('-')) { word.remove_prefix(1); }
  if (word.starts_with("1.#INF")) { return sign * std::numeric_limits<double>::infinity(); }
  for (std::string_view const none : {"1.#IND", "1.#QNAN", "1.#SNAN"}) {
    if (word.starts_with(none)) { return std::numeric_limits<double>::quiet_NaN(); }
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> number_in(std::string_view word)
{
  if (word.starts_with('+')) { word.remove_prefix(1); }
  double number = 0.0;
  auto const [end, failure] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (failure == std::errc::invalid_argument) { return std::nullopt; }
  if (end != word.data() + word.size()) { return *end == '#' ? number_of_microsoft(word) : std::nullopt; }
  // Too large or too small for a double: strtod gives infinity or 0.
  if (failure == std::errc::result_out_of_range) { return std::strtod(std::string(word).c_str(), nullptr); }
  return number;
}

std::optional<std::uint64_t> count_in(std::string_view word)
{
  return parse_number<std::uint64_t>(word);
}

std::optional<std::array<double, 3>> three_numbers(std::string_view& text)
{
  std::array<double, 3> numbers{};
  for (double& number : numbers) {
    std::optional<double> const found = number_in(next_word(text));
    if (!found) { return std::nullopt; }
    number = *found;
  }
  return numbers;
}

std::string in_quotes(std::string_view text)
{
  std::string shown;
  for (char const letter : text.substr(0, 40)) {
    auto const byte = static_cast<unsigned char>(letter);
    shown += byte < 0x20 || byte >= 0x7f ? '?' : letter;
  }
  return fmt::format("'{}{}'", shown, text.size() > 40 ? "..." : "");
}

}  // namespace slotscape::clouds
