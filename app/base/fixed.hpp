#pragma once

#include <fmt/format.h>

#include <string>

namespace slotscape {

/// A number with `digits` digits after the point: "-1.50". A number that rounds to zero has no sign.
inline std::string fixed(double number, int digits)
{
  std::string text = fmt::format("{:.{}f}", number, digits);
  bool const negative_zero = text.front() == '-' && text.find_first_not_of("-0.") == std::string::npos;
  return negative_zero ? text.substr(1) : text;
}

/// Replaces the hyphen of "-1.50" by a true minus: "−1.50".
inline std::string with_minus(std::string const& number)
{
  return number.starts_with('-') ? "−" + number.substr(1) : number;
}

}  // namespace slotscape
