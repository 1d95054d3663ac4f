#include "app/widgets/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {

std::string grouped(std::uint64_t number)
{
  std::string const digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) { text += ','; }
    text += digits[i];
  }
  return text;
}

std::string short_number(double number)
{
  constexpr std::array<char const*, 5> units{"", " k", " M", " G", " T"};
  double const size = std::abs(number);
  if (size < 1e-9) { return "0"; }
  if (size < 0.1) { return fmt::format("{:.3g}", number); }
  std::size_t unit = 0;
  double scaled = number;
  for (; std::abs(scaled) >= 999.5 && unit + 1 < units.size(); ++unit) { scaled /= 1000.0; }
  if (unit == 0 && number == std::floor(number)) { return fmt::format("{:.0f}", number); }
  double const shown = std::abs(scaled);
  int const decimals = shown >= 99.95 ? 0 : shown >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}{}", scaled, decimals, units[unit]);
}

std::string brief_number(double number)
{
  std::string text = short_number(number);
  std::size_t const unit = std::min(text.find(' '), text.size());
  if (text.find('.') >= unit) { return text; }
  std::size_t const last = text.find_last_not_of('0', unit - 1);
  std::size_t const keep = text[last] == '.' ? last : last + 1;
  return text.erase(keep, unit - keep);
}

std::string bytes_text(std::uint64_t bytes)
{
  constexpr std::array<char const*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  double scaled = static_cast<double>(bytes);
  for (; scaled >= 1024.0 && unit + 1 < units.size(); ++unit) { scaled /= 1024.0; }
  return fmt::format("{:.{}f} {}", scaled, scaled == std::floor(scaled) ? 0 : 1, units[unit]);
}

std::string percent(double share)
{
  return fmt::format("{:.1f} %", share * 100.0);
}

std::string milliseconds(double seconds)
{
  double const ms = seconds * 1e3;
  return fmt::format("{:.{}f} ms", ms, ms < 1.0 ? 3 : ms < 10.0 ? 2 : 1);
}

std::string uncapitalised(std::string_view text)
{
  std::string result(text);
  bool const capital = !result.empty() && result[0] >= 'A' && result[0] <= 'Z';
  if (capital) { result[0] = static_cast<char>(result[0] - 'A' + 'a'); }
  return result;
}

}  // namespace slotscape
