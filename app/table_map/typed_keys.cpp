#include "app/table_map/typed_keys.hpp"

#include "app/base/text.hpp"
#include "app/table_map/step/step_state.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

namespace slotscape {
namespace {

constexpr std::string_view separators = ", ;\t\n\r";

/// Dashes of any length become one character, and nothing separates them or equals signs from their numbers, unless a
/// dash may be a sign.
std::string in_plain_characters(std::string_view text, KeyStyle style)
{
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    std::string_view const rest = text.substr(i);
    bool const dash = rest.starts_with("\u2013") || rest.starts_with("\u2014");
    plain += dash ? '-' : rest.front();
    i += dash ? 3 : 1;
  }
  std::string joined;
  for (char const character : plain) {
    bool const joins = character == '=' || (character == '-' && style != KeyStyle::with_sign);
    while (joins && joined.ends_with(' ')) { joined.pop_back(); }
    bool const joined_before = joined.ends_with('-') || joined.ends_with('=');
    if (character != ' ' || !joined_before) { joined += character; }
  }
  return joined;
}

std::optional<std::uint64_t> number_in(std::string_view text)
{
  bool const hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  std::string_view const digits = hexadecimal ? text.substr(2) : text;
  std::uint64_t number = 0;
  auto const [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, hexadecimal ? 16 : 10);
  bool const whole = error == std::errc{} && end == digits.data() + digits.size() && !digits.empty();
  return whole ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> key_in(std::string_view text, KeyStyle style)
{
  auto const number = number_in(text);
  return number ? number : key_named(text, style);
}

/// The numbers of one word: "17", "33-40", "17=5", "33-40=5", "Ada=5", "-5".
struct Word {
  Key first;
  Key last;
  std::uint64_t value;

  /// Where a key stands among those of the style.
  static std::uint64_t place(Key key, KeyStyle style)
  {
    constexpr std::uint64_t middle = std::uint64_t{1} << 63;
    return style == KeyStyle::with_sign ? static_cast<std::uint64_t>(signed_of_key(key)) ^ middle : key;
  }
  static Key next(Key key, KeyStyle style)
  {
    return style == KeyStyle::with_sign ? key_of_signed(signed_of_key(key) + 1) : key + 1;
  }
};
std::optional<Word> read_word(std::string_view word, KeyStyle style)
{
  std::size_t const equals = word.find('=');
  std::string_view const keys = word.substr(0, equals);
  std::size_t const dash = keys.find('-', style == KeyStyle::with_sign ? 1 : 0);
  auto const first = key_in(keys.substr(0, dash), style);
  auto const last = dash == std::string_view::npos ? first : key_in(keys.substr(dash + 1), style);
  auto const value =
      equals == std::string_view::npos ? std::optional<std::uint64_t>(0) : number_in(word.substr(equals + 1));
  if (!first || !last || !value) { return std::nullopt; }
  return Word{*first, *last, *value};
}

std::string why_no_key(std::string_view text, int key_bits, KeyStyle style)
{
  std::span<std::string_view const> const spoken = spoken_keys(style);
  if (style == KeyStyle::with_sign) {
    return tr("'{}' is no key: type numbers, ranges and values, such as 17, -5, 33–40, 5=12", text);
  }
  if (spoken.empty()) {
    return tr("'{}' is not a key: type numbers from 0 to {}, ranges and values, such as 17, 33–40, 5=12", text,
              largest_key(key_bits));
  }
  bool const names = style == KeyStyle::names;
  std::string_view const near = nearest(text.substr(0, text.find('=')), spoken);
  if (!near.empty()) {
    return names ? tr("'{}' is not in the list of names: did you mean {}?", text, near)
                 : tr("'{}' is not in the list of words: did you mean {}?", text, near);
  }
  return names ? tr("'{}' is not in the list of names: try {}, {} or {}=12, or a number", text, spoken[0], spoken[1],
                    spoken[2])
               : tr("'{}' is not in the list of words: try {}, {} or {}=12, or a number", text, spoken[0], spoken[1],
                    spoken[2]);
}

/// Appends a key of 16 bytes: its lower half as a key, its upper half as the value.
std::string append_wide_key(std::string_view text, std::vector<Pair>& pairs)
{
  constexpr std::size_t half = 16;
  bool const hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  std::size_t const digits = hexadecimal ? text.size() - 2 : 0;
  std::size_t const upper_digits = digits > half ? digits - half : 0;
  auto const lower =
      number_in(upper_digits == 0 ? std::string(text) : "0x" + std::string(text.substr(2 + upper_digits)));
  auto const upper = upper_digits == 0 ? std::optional<std::uint64_t>(0) : number_in(text.substr(0, 2 + upper_digits));
  if (!lower || !upper || digits > 2 * half) {
    return tr("'{}' is no key of 16 bytes: type up to 32 hexadecimal digits, such as 0x0123456789abcdef00", text);
  }
  pairs.push_back({*lower, *upper});
  return {};
}

/// Appends the keys of a word; returns what is wrong with it, or nothing.
std::string append_word(std::string_view text, Operation operation, int key_bits, KeyStyle style,
                        std::vector<Pair>& pairs)
{
  if (key_bits > 64) { return append_wide_key(text, pairs); }
  auto const word = read_word(text, style);
  if (!word) { return why_no_key(text, key_bits, style); }
  std::uint64_t const begin = Word::place(word->first, style);
  std::uint64_t const end = Word::place(word->last, style);
  if (end < begin) { return tr("'{}' ends before it begins", text); }
  if (end - begin >= max_typed_keys - std::min(pairs.size(), max_typed_keys)) {
    return tr("more than {} keys: use a key file for that many", max_typed_keys);
  }
  if (style == KeyStyle::with_sign && key_bits < 64 && signed_of_key(word->first) < 0) {
    return tr("'{}' is negative, and keys of 32 bits have no sign: choose keys of 64 bits first", text);
  }
  for (Key key = word->first;; key = Word::next(key, style)) {
    std::string wrong = why_refused({operation, key, word->value}, key_bits);
    if (!wrong.empty()) { return wrong; }
    pairs.push_back({key, word->value});
    if (key == word->last) { return {}; }
  }
}

}  // namespace

std::string pair_text(Pair const& pair, KeyStyle style)
{
  std::string const key = key_text(pair.key, style);
  return pair.value == 0 ? key : fmt::format("{}={}", key, pair.value);
}

void TypedKeys::show(OnKey const& on_key, KeyStyle style)
{
  operation = on_key.operation;
  text = pair_text({on_key.key, on_key.operation == Operation::insert ? on_key.value : 0}, style);
  replaced = true;
}

void TypedKeys::type(char character)
{
  if (!std::exchange(begun, true)) { text.clear(); }
  text += character;
  focus = true;
  replaced = true;
}

ParsedKeys const& TypedKeys::parsed(int key_bits, KeyStyle style)
{
  Reading now{text, operation, key_bits, style};
  if (now != read_) {
    parsed_ = parse_keys(text, operation, key_bits, style);
    read_ = std::move(now);
  }
  return parsed_;
}

std::optional<OnKeys> TypedKeys::enter(int key_bits, KeyStyle style)
{
  ParsedKeys const& keys = parsed(key_bits, style);
  if (!keys.error.empty()) { return std::nullopt; }
  focus = begun = false;
  if (past.empty() || past.back() != text) { past.push_back(text); }
  shown = past.size();
  return OnKeys{operation, std::make_shared<std::vector<Pair> const>(keys.pairs)};
}

void TypedKeys::note(OnKeys const& on_keys)
{
  constexpr std::size_t most = 8;
  auto const count = static_cast<std::ptrdiff_t>(std::min(on_keys.pairs->size(), most));
  std::vector<Pair> latest(on_keys.pairs->begin(), on_keys.pairs->begin() + count);
  for (Pair const& pair : lately) {
    if (std::ranges::find(latest, pair.key, &Pair::key) == latest.end()) { latest.push_back(pair); }
  }
  latest.resize(std::min(latest.size(), most));
  lately = std::move(latest);
}

ParsedKeys parse_keys(std::string_view text, Operation operation, int key_bits, KeyStyle style)
{
  std::string const plain = in_plain_characters(text, style);
  ParsedKeys parsed;
  for (std::string_view rest = plain; !rest.empty();) {
    std::size_t const start = rest.find_first_not_of(separators);
    if (start == std::string_view::npos) { break; }
    rest.remove_prefix(start);
    std::string_view const word = rest.substr(0, rest.find_first_of(separators));
    rest.remove_prefix(word.size());
    parsed.error = append_word(word, operation, key_bits, style, parsed.pairs);
    if (!parsed.error.empty()) { return parsed; }
  }
  if (parsed.pairs.empty()) {
    std::span<std::string_view const> const spoken = spoken_keys(style);
    parsed.error = spoken.empty()
                       ? tr("type one or more keys, such as 17, 42, 33–40 or 5=12")
                       : tr("type one or more keys, such as {}, {}, 42 or {}=12", spoken[0], spoken[1], spoken[2]);
  }
  return parsed;
}

}  // namespace slotscape
