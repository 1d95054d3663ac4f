#include "app/base/alike.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

/// Calls take(character) for each character of a text.
template <class Take>
void each_character(std::string_view text, Take const& take)
{
  while (!text.empty()) {
    utf8proc_int32_t character = 0;
    auto const* const bytes = reinterpret_cast<utf8proc_uint8_t const*>(text.data());
    utf8proc_ssize_t const length = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &character);
    if (length <= 0) { return; }
    take(character, text.substr(0, static_cast<std::size_t>(length)));
    text.remove_prefix(static_cast<std::size_t>(length));
  }
}

bool is_blank(utf8proc_int32_t character)
{
  utf8proc_category_t const category = utf8proc_category(character);
  return (character >= '\t' && character <= '\r') ||
         (category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP);
}

bool is_invisible(utf8proc_int32_t character)
{
  return character >= 0x80 && utf8proc_get_property(character)->ignorable != 0;
}

bool is_mark(utf8proc_int32_t character)
{
  utf8proc_category_t const category = utf8proc_category(character);
  bool const is_punctuation = category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
  return is_punctuation || category == UTF8PROC_CATEGORY_SK || category == UTF8PROC_CATEGORY_SM;
}

/// The plain keyboard character that looks like this quotation mark or dash.
utf8proc_int32_t plain_mark(utf8proc_int32_t character)
{
  constexpr std::array<utf8proc_int32_t, 12> single{0x60,   0xb4,   0x2b9,  0x2bb,  0x2bc,  0x2018,
                                                    0x2019, 0x201a, 0x201b, 0x2032, 0x2039, 0x203a};
  constexpr std::array<utf8proc_int32_t, 8> twofold{0xab, 0xbb, 0x2ba, 0x201c, 0x201d, 0x201e, 0x201f, 0x2033};
  if (std::ranges::find(single, character) != single.end()) { return '\''; }
  if (std::ranges::find(twofold, character) != twofold.end()) { return '"'; }
  constexpr utf8proc_int32_t minus = 0x2212;
  bool const is_dash = character == minus || utf8proc_category(character) == UTF8PROC_CATEGORY_PD;
  return is_dash ? '-' : character;
}

void append_character(std::string& text, utf8proc_int32_t character)
{
  std::array<utf8proc_uint8_t, 4> bytes{};
  utf8proc_ssize_t const length = utf8proc_encode_char(character, bytes.data());
  text.append(reinterpret_cast<char const*>(bytes.data()), static_cast<std::size_t>(length));
}

/// The text in a Unicode normal form; unchanged if it cannot be normalised.
std::string mapped(std::string_view text, int options)
{
  utf8proc_uint8_t* made = nullptr;
  auto const* const bytes = reinterpret_cast<utf8proc_uint8_t const*>(text.data());
  utf8proc_ssize_t const length = utf8proc_map(bytes, static_cast<utf8proc_ssize_t>(text.size()), &made,
                                               static_cast<utf8proc_option_t>(options | UTF8PROC_STABLE));
  if (length < 0) { return std::string(text); }
  std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> const owner(made, std::free);
  return {reinterpret_cast<char const*>(made), static_cast<std::size_t>(length)};
}

std::string composed(std::string_view text)
{
  return mapped(text, UTF8PROC_COMPOSE);
}

/// A text split into parts that are compared separately.
struct Parts {
  std::string blanks;  ///< each run of other characters is replaced by an 'x'
  std::string invisible;
  std::string marks;
  std::string letters;

  explicit Parts(std::string_view text)
  {
    each_character(text, [&](utf8proc_int32_t character, std::string_view bytes) {
      if (is_blank(character)) {
        blanks += bytes;
      } else if (is_invisible(character)) {
        invisible += bytes;
      } else {
        if (!blanks.ends_with('x')) { blanks += 'x'; }
        (is_mark(character) ? marks : letters) += bytes;
      }
    });
  }
};

}  // namespace

std::string look_of(std::string_view text)
{
  std::string plain;
  plain.reserve(text.size());
  bool is_ascii = true;
  bool blank_before = false;
  each_character(text, [&](utf8proc_int32_t character, std::string_view) {
    if (is_blank(character)) {
      blank_before = true;
    } else if (!is_invisible(character)) {
      if (std::exchange(blank_before, false) && !plain.empty()) { plain += ' '; }
      utf8proc_int32_t const mark = plain_mark(character);
      is_ascii = is_ascii && mark < 0x80;
      append_character(plain, mark);
    }
  });
  return is_ascii ? lower_case(plain) : mapped(plain, UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD);
}

Differences& Differences::operator|=(Differences const& others)
{
  accents = accents || others.accents;
  invisible = invisible || others.invisible;
  blanks = blanks || others.blanks;
  marks = marks || others.marks;
  forms = forms || others.forms;
  capitals = capitals || others.capitals;
  return *this;
}

Differences differences_of(std::string_view left, std::string_view right)
{
  Parts const a(left);
  Parts const b(right);
  auto const differ = [&](int options) { return mapped(a.letters, options) != mapped(b.letters, options); };
  auto const is_composed = [](std::string const& letters) { return composed(letters) == letters; };
  return {.accents = is_composed(a.letters) != is_composed(b.letters),
          .invisible = a.invisible != b.invisible,
          .blanks = a.blanks != b.blanks,
          .marks = a.marks != b.marks,
          .forms = differ(UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD),
          .capitals = differ(UTF8PROC_COMPOSE | UTF8PROC_COMPAT)};
}

std::string differences_text(Differences const& differences)
{
  std::vector<std::string> names;
  if (differences.accents) { names.emplace_back(tr("composed and decomposed accents")); }
  if (differences.invisible) { names.emplace_back(tr("invisible characters")); }
  if (differences.blanks) { names.emplace_back(tr("blanks")); }
  if (differences.marks) { names.emplace_back(tr("quotation marks or dashes")); }
  if (differences.forms) { names.emplace_back(tr("letter forms")); }
  if (differences.capitals) { names.emplace_back(tr("capitalisation")); }
  return listed(names, tr("and"));
}

std::size_t columns_of_terminal(std::string_view text)
{
  int columns = 0;
  each_character(text, [&](utf8proc_int32_t character, std::string_view) { columns += utf8proc_charwidth(character); });
  return static_cast<std::size_t>(columns);
}

}  // namespace slotscape
