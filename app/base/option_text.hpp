#pragma once

#include "app/base/enum_names.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace slotscape {

/// Throws Error that names the option and lists its values.
template <class Enum>
Enum parse_choice(std::string_view option, std::string const& text)
{
  if (auto const value = from_text<Enum>(text)) { return *value; }
  throw Error(tr("{}: '{}' is unknown; {}", option, text, suggest(text, enum_texts<Enum>())));
}

/// --- options of subcommands, as typed. An option that was not given is empty and leaves the setting unchanged. Each
/// function throws Error that names the option and says what it accepts.

template <class Enum>
void read_choice(std::string_view option, std::string const& text, Enum& into)
{
  if (!text.empty()) { into = parse_choice<Enum>(option, text); }
}

/// "true", as for an option without a value, or "false".
inline void read_flag(std::string_view option, std::string const& text, bool& into)
{
  if (text.empty()) { return; }
  if (text != "true" && text != "false") {
    throw Error(tr("{}: '{}' is invalid; it must be true or false", option, text));
  }
  into = text == "true";
}

/// Reads one of these names.
inline void read_name(std::string_view option, std::string const& text, std::span<std::string_view const> names,
                      std::string& into)
{
  if (text.empty()) { return; }
  if (std::ranges::find(names, text) == names.end()) {
    throw Error(tr("{}: '{}' is unknown; {}", option, text, suggest(text, names)));
  }
  into = text;
}

template <class Number>
void read_whole(std::string_view option, std::string const& text, std::uint64_t low, std::uint64_t high, Number& into)
{
  if (text.empty()) { return; }
  auto const number = parse_number<std::uint64_t>(text);
  if (!number || *number < low || *number > high) {
    throw Error(tr("{}: '{}' is invalid; it must be a whole number from {} to {}", option, text, low, high));
  }
  into = static_cast<Number>(*number);
}

template <class Number>
void read_power_of_two(std::string_view option, std::string const& text, std::uint64_t low, std::uint64_t high,
                       Number& into)
{
  if (text.empty()) { return; }
  auto const number = parse_number<std::uint64_t>(text);
  if (!number || *number < low || *number > high || !std::has_single_bit(*number)) {
    throw Error(tr("{}: '{}' is invalid; it must be a power of two from {} to {}", option, text, low, high));
  }
  into = static_cast<Number>(*number);
}

/// Without an upper limit, accepts any number from `low` on; `low` may be the smallest number above 0.
inline void read_number(std::string_view option, std::string const& text, double low, double high, double& into)
{
  if (text.empty()) { return; }
  auto const number = parse_number<double>(text);
  if (number && *number >= low && *number <= high) {
    into = *number;
    return;
  }
  if (high < std::numeric_limits<double>::max()) {
    throw Error(tr("{}: '{}' is invalid; it must be a number from {} to {}", option, text, low, high));
  }
  throw Error(low == std::numeric_limits<double>::min()
                  ? tr("{}: '{}' is invalid; it must be a number above 0", option, text)
                  : tr("{}: '{}' is invalid; it must be a number that is at least {}", option, text, low));
}
/// `read_number`, but also with a decimal comma, as the window's fields accept it.
inline void read_decimal(std::string_view option, std::string text, double low, double high, double& into)
{
  std::ranges::replace(text, ',', '.');
  read_number(option, text, low, high, into);
}

}  // namespace slotscape
