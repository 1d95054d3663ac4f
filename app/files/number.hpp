#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace slotscape {

/// The number that the whole text is, if it is one.
template <class Number>
std::optional<Number> parse_number(std::string_view text)
{
  Number number{};
  auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool const whole = failure == std::errc{} && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

}  // namespace slotscape
