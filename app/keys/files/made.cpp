#include "app/keys/files/made.hpp"

#include "app/base/alike.hpp"
#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/pair_format.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace slotscape::key_files {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
constexpr std::uint64_t lowest_free = 3;  ///< the keys of this many numbers from -2^63 on are reserved

constexpr std::uint64_t check_seed = 0x636865636b;

/// Adds a finding about texts of a file that look the same to people but are different keys.
void note_look_alikes(TextSample const& sample, Origin const& origin, Findings& findings)
{
  Occurrences alike;
  Differences differences;
  std::vector<SampledText> const& texts = sample.texts;
  for (std::size_t i = 0, first = 0; i < texts.size(); ++i) {
    if (texts[i].look != texts[first].look) { first = i; }
    if (i == first) { continue; }
    Differences const these = differences_of(texts[first].text, texts[i].text);
    if (!these.are_invisible()) { continue; }
    differences |= these;
    alike.add(std::max(texts[first].place, texts[i].place), texts[i].text);
  }
  if (alike.count == 0) { return; }
  findings.push_back(tr_plural(
      "{}: {} text looks like another text of the file, such as {} in {}, but is a different key. They differ in {}.",
      "{}: {} texts look like other texts of the file, such as {} in {}, but are different keys. They differ in {}.",
      alike.count, origin.short_name(), grouped(alike.count), in_quotes(alike.text), origin.row(alike.first),
      differences_text(differences)));
}

}  // namespace

std::string Origin::short_name() const
{
  return file.substr(file.rfind('/') + 1);
}

std::string Origin::row(std::uint64_t number) const
{
  switch (unit) {
    case Unit::line: return tr("line {}", number);
    case Unit::row: return tr("row {}", number);
    case Unit::word: break;
  }
  return tr("word {}", number);
}

std::string Origin::place(std::uint64_t number) const
{
  return column.empty() ? row(number) : tr("{}, column {}", row(number), in_quotes(column));
}

void Occurrences::add(std::uint64_t place, std::string_view what)
{
  if (!what.empty() && with_text++ == 0) { a_text = what; }
  if (count++ != 0) { return; }
  first = place;
  text = what;
}

std::string in_quotes(std::string_view text)
{
  constexpr std::size_t most = 40;
  std::string shown;
  for (char const letter : text.substr(0, most)) {
    auto const byte = static_cast<unsigned char>(letter);
    shown += byte < 0x20 || byte == 0x7f ? '?' : letter;
  }
  while (!is_utf8(shown) && !shown.empty()) { shown.pop_back(); }  // the cut was within a character
  return fmt::format("'{}{}'", shown, text.size() > most ? "..." : "");
}

void NumberKeys::add(std::uint64_t number, std::uint64_t place)
{
  if (number >= sign_bit) { beyond_sign_.add(place, std::to_string(number)); }
  if (is_reserved(number, 64)) { return reserved_.add(place, std::to_string(number)); }
  if (is_reserved(number, 32)) { beyond_32_bits_.add(place, std::to_string(number)); }
  keys_.push_back(number);
}

void NumberKeys::add_negative(std::int64_t number, std::uint64_t place)
{
  negative_.add(place, std::to_string(number));
  bool const has_no_key = static_cast<std::uint64_t>(number) - sign_bit < lowest_free;
  if (has_no_key) { return reserved_with_sign_.add(place, std::to_string(number)); }
  keys_.push_back(key_of_signed(number));
}

MadeKeys NumberKeys::take()
{
  if (negative_.count != 0 && beyond_sign_.count != 0) {
    throw Error(
        tr("{}: {}: {} is too large in a file with negative numbers, such as {} in {}: they would share keys; keys "
           "must be either from 0 to 18446744073709551615 or from -9223372036854775808 to 9223372036854775807",
           origin_.file, origin_.place(beyond_sign_.first), beyond_sign_.text, negative_.text,
           origin_.row(negative_.first)));
  }
  MadeKeys made{std::move(keys_), {.with_sign = negative_.count != 0}};
  if (made.notes.with_sign) {
    made.notes.findings.push_back(tr_plural(
        "{}: {} key is negative (the first is {} in {}). Tables store them as unsigned 64-bit numbers, one to "
        "one, and they are shown with their sign.",
        "{}: {} keys are negative (the first is {} in {}). Tables store them as unsigned 64-bit numbers, one "
        "to one, and they are shown with their sign.",
        negative_.count, origin_.short_name(), grouped(negative_.count), negative_.text, origin_.row(negative_.first)));
  }
  if (!made.notes.with_sign && beyond_32_bits_.count != 0) {
    made.notes.findings.push_back(
        tr_plural("{}: {} key does not fit in 32 bits (the first is {} in {}), so tables have 64-bit keys.",
                  "{}: {} keys do not fit in 32 bits (the first is {} in {}), so tables have 64-bit keys.",
                  beyond_32_bits_.count, origin_.short_name(), grouped(beyond_32_bits_.count), beyond_32_bits_.text,
                  origin_.row(beyond_32_bits_.first)));
  }
  Occurrences const& reserved = made.notes.with_sign ? reserved_with_sign_ : reserved_;
  if (reserved.count != 0) {
    std::string const file = origin_.short_name();
    std::string const count = grouped(reserved.count);
    std::string const first = origin_.row(reserved.first);
    made.notes.findings.push_back(
        made.notes.with_sign
            ? tr_plural(
                  "{}: {} key was left out (the first is {} in {}): tables reserve the three lowest 64-bit numbers. "
                  "If you need these keys, give them other numbers in the file.",
                  "{}: {} keys were left out (the first is {} in {}): tables reserve the three lowest 64-bit "
                  "numbers. If you need these keys, give them other numbers in the file.",
                  reserved.count, file, count, reserved.text, first)
            : tr_plural(
                  "{}: {} key was left out (the first is {} in {}): tables reserve the three largest 64-bit numbers. "
                  "If you need these keys, give them other numbers in the file.",
                  "{}: {} keys were left out (the first is {} in {}): tables reserve the three largest 64-bit "
                  "numbers. If you need these keys, give them other numbers in the file.",
                  reserved.count, file, count, reserved.text, first));
    made.notes.left_out = reserved.count;
  }
  return made;
}

void TextSampler::add(Key key, std::span<std::string const> parts, std::uint64_t place)
{
  constexpr std::size_t max_bytes = 256;
  if (keys_.contains(key)) { return; }
  TextKey look;
  for (std::string const& part : parts) { look.add(look_of(part)); }
  Key const of_look = look.take();
  if (of_look >= sample_.end) { return; }
  std::string const text = fmt::format("{}", fmt::join(parts, ", "));
  sample_.texts.push_back({of_look, key, place, text.substr(0, max_bytes)});
  keys_.insert(key);
  if (sample_.texts.size() == 2 * max_texts) { leave_out_the_upper_half(); }
}

TextSample TextSampler::take()
{
  std::ranges::stable_sort(sample_.texts, {}, &SampledText::look);
  return std::move(sample_);
}

void TextSampler::leave_out_the_upper_half()
{
  std::vector<SampledText>& texts = sample_.texts;
  std::ranges::nth_element(texts, texts.begin() + max_texts, {}, &SampledText::look);
  sample_.end = texts[max_texts].look;
  std::erase_if(texts, [&](SampledText const& text) {
    if (text.look < sample_.end) { return false; }
    keys_.erase(text.key);
    return true;
  });
}

void HashedKeys::add_part(std::string_view text)
{
  key_.add(text);
  check_ = hash_of_text(check_ ^ check_seed, text);
  if (part_count_ == parts_.size()) { parts_.emplace_back(); }
  parts_[part_count_++] = text;
}

void HashedKeys::end_key(std::uint64_t place)
{
  keys_.push_back(key_.take());
  checks_.push_back(std::exchange(check_, 0));
  texts_.add(keys_.back(), std::span(parts_).first(std::exchange(part_count_, 0)), place);
}

MadeKeys HashedKeys::take(HashedFrom from, std::string_view what)
{
  std::uint64_t const same = collisions(keys_, checks_);
  std::string const fell_together =
      same == 0 ? std::string(tr("No two different keys have the same hash."))
                : tr_plural("{} hash is shared by different keys, which count as the same.",
                            "{} hashes are shared by different keys, which count as the same.", same, grouped(same));
  Findings findings{tr("{}: {}: each was hashed to a 64-bit key. {}", origin_.short_name(), what, fell_together)};
  TextSample texts = texts_.take();
  note_look_alikes(texts, origin_, findings);
  return {std::move(keys_), {.hashed_from = from, .findings = std::move(findings), .texts = std::move(texts)}};
}

std::uint64_t collisions(std::vector<Key> const& keys, std::vector<std::uint64_t> const& checks)
{
  std::vector<std::pair<Key, std::uint64_t>> both(keys.size());
  std::ranges::transform(keys, checks, both.begin(),
                         [](Key key, std::uint64_t check) { return std::pair(key, check); });
  std::ranges::sort(both);
  both.erase(std::unique(both.begin(), both.end()), both.end());
  std::uint64_t count = 0;
  for (std::size_t i = 1; i < both.size(); ++i) {
    bool const goes_on = both[i].first == both[i - 1].first;
    bool const is_counted = i >= 2 && both[i - 2].first == both[i].first;
    count += goes_on && !is_counted ? 1u : 0u;
  }
  return count;
}

}  // namespace slotscape::key_files
