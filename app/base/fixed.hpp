#pragma once

#include <fmt/format.h>

#include <string>

namespace slotscape {

/// With so many digits after the point: "-1.50". What rounds to zero has no sign.
inline std::string fixed(double number, int digits)
{
  std::string text = fmt::format("{:.{}f}", number, digits);
  bool const negative_zero = text.front() == '-' && text.find_first_not_of("-0.") == std::string::npos;
  return negative_zero ? text.substr(1) : text;
}

}  // namespace slotscape
