#include "app/base/text.hpp"

#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numeric>
#include <vector>

namespace slotscape {
namespace {

char lower(char letter)
{
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

std::size_t edits(std::string_view from, std::string_view to)
{
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < to.size(); ++j) {
      std::size_t const replaced = diagonal + (lower(from[i]) == lower(to[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string grouped(std::uint64_t number)
{
  // In other languages, a comma would look like a decimal separator: docs/translating.md.
  std::string_view const separator = language_in_use() == "en" ? "," : "\u00a0";
  std::string const digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) { text += separator; }
    text += digits[i];
  }
  return text;
}

std::string with_decimals(double number, int decimals)
{
  return fmt::format("{:.{}f}", halves_up(number), decimals);
}

std::string short_number(double number)
{
  constexpr std::array<char const*, 5> units{"", " k", " M", " G", " T"};
  double const size = std::abs(number);
  if (size < 1e-9) { return "0"; }
  if (size < 0.1) { return fmt::format("{:.3g}", halves_up(number)); }
  std::size_t unit = 0;
  double scaled = number;
  for (; std::abs(scaled) >= 999.5 && unit + 1 < units.size(); ++unit) { scaled /= 1000.0; }
  if (unit == 0 && number == std::floor(number)) { return fmt::format("{:.0f}", number); }
  double const shown = std::abs(scaled);
  int const decimals = shown >= 99.95 ? 0 : shown >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}{}", halves_up(scaled), decimals, units[unit]);
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
  return fmt::format("{} {}", with_decimals(scaled, scaled == std::floor(scaled) ? 0 : 1), units[unit]);
}

std::string percent(double share)
{
  return fmt::format("{} %", with_decimals(share * 100.0, 1));
}

std::string lower_case(std::string_view text)
{
  std::string result(text);
  std::ranges::transform(result, result.begin(), lower);
  return result;
}

std::string_view trimmed(std::string_view text)
{
  std::size_t const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) { return {}; }
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string listed(std::vector<std::string> const& names, std::string_view last)
{
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    bool const ends = i + 1 == names.size();
    text += i == 0 ? names[i] : fmt::format("{} {}", ends ? fmt::format(" {}", last) : ",", names[i]);
  }
  return text;
}

std::string in_csv(std::string const& text)
{
  if (text.find_first_of(",\"\r\n") == std::string::npos) { return text; }
  std::string quoted = "\"";
  for (char const letter : text) { quoted += letter == '"' ? "\"\"" : std::string(1, letter); }
  return quoted + "\"";
}

std::string file_name_of(std::string_view title)
{
  std::string name;
  for (char const letter : lower_case(title.substr(0, title.find(',')))) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      name += letter;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (name.ends_with('-')) { name.pop_back(); }
  return name;
}

std::string milliseconds(double seconds)
{
  double const ms = seconds * 1e3;
  if (seconds > 0.0 && ms < 0.001) { return fmt::format("{:.0f} ns", seconds * 1e9); }
  return fmt::format("{} ms", with_decimals(ms, ms < 1.0 ? 3 : ms < 10.0 ? 2 : 1));
}

std::string uncapitalised(std::string_view text)
{
  std::string result(text);
  bool const capital = !result.empty() && result[0] >= 'A' && result[0] <= 'Z';
  if (capital) { result[0] = static_cast<char>(result[0] - 'A' + 'a'); }
  return result;
}

std::string in_sentence(std::string_view said)
{
  return language_in_use() == "en" ? uncapitalised(said) : std::string(said);
}

std::string_view nearest(std::string_view word, std::span<std::string_view const> candidates)
{
  std::string_view best;
  std::size_t fewest = 0;
  for (std::string_view const candidate : candidates) {
    std::size_t const distance = edits(word.substr(0, 64), candidate);
    bool const near = distance <= std::max<std::size_t>(2, candidate.size() / 2) && distance < candidate.size();
    if (near && (best.empty() || distance < fewest)) {
      best = candidate;
      fewest = distance;
    }
  }
  return best;
}

std::string suggest(std::string_view word, std::span<std::string_view const> candidates)
{
  std::string_view const best = nearest(word, candidates);
  std::string const all = fmt::format("{}", fmt::join(candidates, ", "));
  return best.empty() ? tr("choose from: {}", all) : tr("did you mean '{}'? Choose from: {}", best, all);
}

}  // namespace slotscape
