#include "app/keys/comparing.hpp"

#include "app/base/alike.hpp"
#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/keys/file_keys.hpp"
#include "app/keys/files/made.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <span>

namespace slotscape {
namespace {

using Texts = std::span<SampledText const>;

/// The texts with this look; removes them, and all before them, from `texts`.
Texts take_look(Texts& texts, Key look)
{
  auto const begin = std::ranges::lower_bound(texts, look, {}, &SampledText::look);
  auto const end = std::ranges::upper_bound(begin, texts.end(), look, {}, &SampledText::look);
  Texts const taken(begin, end);
  texts = Texts(end, texts.end());
  return taken;
}

/// Statistics of texts that look alike.
struct Alike {
  std::uint64_t count = 0;
  SampledText const* first = nullptr;  ///< first in the file
  Differences differences;

  void add(SampledText const& text, SampledText const& other)
  {
    constexpr std::uint64_t max_compared = 1000;
    if (count++ < max_compared) { differences |= differences_of(text.text, other.text); }
    if (first == nullptr || text.place < first->place) { first = &text; }
  }
};

Alike alike_ones(TextSample const& stored, TextSample const& asked)
{
  Alike alike;
  Texts others = stored.texts;
  for (Texts rest = asked.texts; !rest.empty() && rest.front().look < stored.end;) {
    Key const look = rest.front().look;
    Texts const ours = take_look(rest, look);
    Texts const theirs = take_look(others, look);
    for (SampledText const& text : ours) {
      bool const is_there = std::ranges::find(theirs, text.key, &SampledText::key) != theirs.end();
      if (!theirs.empty() && !is_there) { alike.add(text, theirs.front()); }
    }
  }
  return alike;
}

/// "line 3"
std::string place_of(SampledText const& text, KeySettings const& keys)
{
  using key_files::Origin;
  bool const is_array = extension_of(path_of_text(keys.file_name)) == ".npy";
  return Origin{.file = keys.file_name, .unit = is_array ? Origin::Unit::row : Origin::Unit::line}.row(text.place);
}

std::string_view inside_quotes(std::string_view typed)
{
  std::string_view const text = trimmed(typed);
  bool const is_quoted = text.size() > 1 && text.starts_with('"') && text.ends_with('"');
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::string why_not_comparable(KeySettings const& left, KeySettings const& right)
{
  if (!left.file_keys || !right.file_keys) { return {}; }
  auto const name = name_of_keys;
  bool const left_has_numbers = notes_of(left).hashed_from == HashedFrom::nothing;
  bool const right_has_numbers = notes_of(right).hashed_from == HashedFrom::nothing;
  if (left_has_numbers != right_has_numbers) {
    return tr(
        "Texts never match numbers: {} has numbers, and {} has texts or several columns. Choose columns of one kind, "
        "or read both as texts.",
        name(left_has_numbers ? left : right), name(left_has_numbers ? right : left));
  }
  if (!left_has_numbers && notes_of(left).hashed_from != notes_of(right).hashed_from) {
    bool const left_has_rows = notes_of(left).hashed_from == HashedFrom::rows;
    return tr(
        "Each key of {} is made of several columns, and each key of {} is one text: no keys would match. Choose the "
        "same number of columns in both.",
        name(left_has_rows ? left : right), name(left_has_rows ? right : left));
  }
  bool const both_tell = !notes_of(left).units.empty() && !notes_of(right).units.empty();
  if (notes_of(left).units != notes_of(right).units && (both_tell || notes_of(left).hashed_from == HashedFrom::rows)) {
    auto const unit = [](KeySettings const& keys) {
      std::string const& units = notes_of(keys).units;
      return units.empty() ? std::string(tr("none")) : units;
    };
    return tr(
        "Dates and times match only if they have the same type: {} has {}, and {} has {}. Save both with one type, in "
        "NumPy by array.astype('M8[s]').",
        name(left), unit(left), name(right), unit(right));
  }
  if (notes_of(left).are_floats != notes_of(right).are_floats) {
    bool const is_left = notes_of(left).are_floats;
    return tr(
        "{} has numbers with fractions, so its keys are the bits of floating-point numbers, and {} has whole numbers: "
        "no keys would match. Read both as texts: --as-text, or \"as_text\": true in a scenario.",
        name(is_left ? left : right), name(is_left ? right : left));
  }
  if (!left_has_numbers || notes_of(left).with_sign == notes_of(right).with_sign) { return {}; }
  bool const left_has_sign = notes_of(left).with_sign;
  auto const& unsigned_keys = *(left_has_sign ? right : left).file_keys;
  auto const too_large = std::ranges::find_if(unsigned_keys, [](Key key) { return key >> 63 != 0; });
  if (too_large == unsigned_keys.end()) { return {}; }
  return tr(
      "{} has negative numbers, and {} has {}: tables could not tell such numbers apart. Numbers must be either from "
      "-9223372036854775808 to 9223372036854775807, or from 0 to 18446744073709551615.",
      name(left_has_sign ? left : right), name(left_has_sign ? right : left), *too_large);
}

void check_comparable(KeySettings const& left, KeySettings const& right)
{
  if (std::string const why = why_not_comparable(left, right); !why.empty()) { throw Error(why); }
}

std::string look_alike_hint(KeySettings const& stored, KeySettings const& asked)
{
  TextSample const& of_stored = notes_of(stored).texts;
  TextSample const& of_asked = notes_of(asked).texts;
  Alike const alike = alike_ones(of_stored, of_asked);
  if (alike.count == 0) { return {}; }
  bool const all_compared = of_stored.is_whole() && of_asked.is_whole();
  std::string const count = all_compared ? grouped(alike.count) : tr("at least {}", grouped(alike.count));
  std::string text = tr_plural("{}: {} text is not in {}, which has a look-alike, such as {} in {}.",
                               "{}: {} texts are not in {}, which has look-alikes, such as {} in {}.", alike.count,
                               name_of_keys(asked), count, name_of_keys(stored),
                               key_files::in_quotes(alike.first->text), place_of(*alike.first, asked));
  if (std::string const what = differences_text(alike.differences); !what.empty()) {
    text += " " + tr("They differ in {}.", what);
  }
  return text + " " +
         tr("Texts are the same key only if all their bytes are the same: convert both files to one form.");
}

std::string look_alike_hint(KeySettings const& stored, std::string_view typed, Key key)
{
  std::string_view const text = inside_quotes(typed);
  if (text.empty() || key_of_text(text) != key) { return {}; }  // the user typed other keys, too
  Texts texts = notes_of(stored).texts.texts;
  Texts const alike = take_look(texts, key_of_text(look_of(text)));
  bool const is_there = std::ranges::find(alike, key, &SampledText::key) != alike.end();
  if (alike.empty() || is_there) { return {}; }
  SampledText const& first = *std::ranges::min_element(alike, {}, &SampledText::place);
  std::string const what = differences_text(differences_of(first.text, text));
  std::string const quoted = key_files::in_quotes(first.text);
  return what.empty() ? tr("The file has {} in {}, which looks the same.", quoted, place_of(first, stored))
                      : tr("The file has {} in {}, which looks the same but differs in {}.", quoted,
                           place_of(first, stored), what);
}

std::string const& LookAlikes::hint(KeySettings const& stored, KeySettings const& asked)
{
  auto const is_of_these = [&](Hint const& hint) {
    return hint.stored == stored.file_keys && hint.asked == asked.file_keys;
  };
  auto const found = std::ranges::find_if(hints_, is_of_these);
  if (found != hints_.end()) { return found->text; }
  constexpr std::size_t max_hints = 8;
  if (hints_.size() == max_hints) { hints_.erase(hints_.begin()); }
  return hints_.emplace_back(Hint{stored.file_keys, asked.file_keys, look_alike_hint(stored, asked)}).text;
}

}  // namespace slotscape
