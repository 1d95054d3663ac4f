// Replaces app/base/alike.cpp, without Unicode tables: texts look alike if they differ only in blanks and in the case
// of English letters.

#include "app/base/alike.hpp"
#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

bool is_blank(char character)
{
  return character == ' ' || (character >= '\t' && character <= '\r');
}

std::string with_single_blanks(std::string_view text)
{
  std::string plain;
  bool blank_before = false;
  for (char const character : text) {
    if (is_blank(character)) {
      blank_before = true;
      continue;
    }
    if (std::exchange(blank_before, false) && !plain.empty()) { plain += ' '; }
    plain += character;
  }
  return plain;
}

}  // namespace

std::string look_of(std::string_view text)
{
  return lower_case(with_single_blanks(text));
}

Differences& Differences::operator|=(Differences const& others)
{
  blanks = blanks || others.blanks;
  capitals = capitals || others.capitals;
  return *this;
}

Differences differences_of(std::string_view left, std::string_view right)
{
  std::string const a = with_single_blanks(left);
  std::string const b = with_single_blanks(right);
  return {.blanks = lower_case(std::string(left)) != lower_case(std::string(right)) && a == b, .capitals = a != b};
}

std::string differences_text(Differences const& differences)
{
  std::vector<std::string> names;
  if (differences.blanks) { names.emplace_back(tr("blanks")); }
  if (differences.capitals) { names.emplace_back(tr("capitalisation")); }
  return listed(names, tr("and"));
}

std::size_t columns_of_terminal(std::string_view text)
{
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0u) != 0x80u; }));
}

}  // namespace slotscape
