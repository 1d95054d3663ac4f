#include "app/keys/typed_keys.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/family.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace slotscape {
namespace {

constexpr std::string_view separators = ", ;\t\n\r";

/// The length of the quotation that begins a text, including its marks; a doubled mark is part of it. Nothing if it is
/// not closed.
std::optional<std::size_t> length_of_quotation(std::string_view text)
{
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] != '"') { continue; }
    bool const is_doubled = at + 1 < text.size() && text[at + 1] == '"';
    if (!is_doubled) { return at + 1; }
    ++at;
  }
  return std::nullopt;
}

/// The text without its quotation marks, if it has any; nullopt if they do not enclose all of it.
std::optional<std::string> without_quotes(std::string_view text)
{
  if (!text.starts_with('"')) { return std::string(text); }
  if (length_of_quotation(text) != text.size()) { return std::nullopt; }
  std::string plain;
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    plain += text[at];
    if (text[at] == '"') { ++at; }
  }
  return plain;
}

/// Replaces dashes of any length by '-', unless they may be part of a text, and removes blanks around dashes and equals
/// signs, unless a dash may be a sign. Quotations are unchanged.
std::string in_plain_characters(std::string_view text, bool dashes_join, bool dashes_are_alike)
{
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    std::string_view const rest = text.substr(i);
    bool const may_begin = plain.empty() || separators.find(plain.back()) != std::string_view::npos;
    if (rest.front() == '"' && may_begin) {
      std::size_t const length = length_of_quotation(rest).value_or(rest.size());
      plain += rest.substr(0, length);
      i += length;
      continue;
    }
    bool const is_long_dash = dashes_are_alike && (rest.starts_with("\u2013") || rest.starts_with("\u2014"));
    char const character = is_long_dash ? '-' : rest.front();
    i += is_long_dash ? 3 : 1;
    bool const joins = character == '=' || (character == '-' && dashes_join);
    while (joins && plain.ends_with(' ')) { plain.pop_back(); }
    bool const joined_before = (dashes_are_alike && plain.ends_with('-')) || plain.ends_with('=');
    if (character != ' ' || !joined_before) { plain += character; }
  }
  return plain;
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
  if (number) { return number; }
  auto const word = without_quotes(text);
  return word ? key_named(*word, style) : std::nullopt;
}

/// The numbers of one word: "17", "33-40", "17=5", "33-40=5", "Ada=5", "-5".
struct Word {
  Key first;
  Key last;
  std::uint64_t value;

  /// The position of a key in the order of the style.
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

/// Reads a word for a table with text keys: quoted words, and words that are not numbers, are text.
std::optional<Pair> read_text(std::string_view word, KeyStyle style)
{
  bool const is_quoted = word.starts_with('"');
  std::size_t const end_of_quoted = is_quoted ? length_of_quotation(word).value_or(word.size()) : 0;
  std::size_t const equals = word.rfind('=');
  bool const has_sign = equals != std::string_view::npos && equals >= end_of_quoted;
  auto const typed = has_sign ? number_in(word.substr(equals + 1)) : std::nullopt;
  std::string_view const key = typed ? word.substr(0, equals) : word;
  Value const value = typed.value_or(0);
  auto const number = style == KeyStyle::with_sign ? key_in(key, style) : number_in(key);
  if (number) { return Pair{*number, value}; }
  auto const text = without_quotes(key);
  return text && !text->empty() ? std::optional(Pair{key_of_text(*text), value}) : std::nullopt;
}

/// The first word of a text; between quotation marks, it may contain separators.
std::string_view first_word(std::string_view text)
{
  std::size_t const quoted = text.starts_with('"') ? length_of_quotation(text).value_or(text.size()) : 0;
  return text.substr(0, text.find_first_of(separators, quoted));
}

bool begins_with_a_letter(std::string_view text)
{
  auto const first = static_cast<unsigned char>(text.front());
  return first == '"' || first >= 0x80 || std::isalpha(first) != 0;
}

std::string why_no_key(std::string_view text, KeyForm const& form)
{
  auto const& [key_bits, style, keys_of] = form;
  std::span<std::string_view const> const spoken = spoken_keys(style);
  if (keys_of == HashedFrom::texts) {
    return tr("{} is not a text: it needs at least one letter, and a quotation mark at both ends or at neither", text);
  }
  if (keys_of == HashedFrom::rows && spoken.empty()) {
    return tr(
        "'{}' is not a key: the keys are rows of several columns, hashed together, and cannot be looked up by one "
        "text. Type their numbers, as shown on the map",
        text);
  }
  if (spoken.empty() && begins_with_a_letter(text)) {
    return tr("'{}' is not a key: the keys of this table are numbers. Type numbers, ranges or keys with values: {}",
              text, style == KeyStyle::with_sign ? "17, -5, 33–40, 5=12" : "17, 33–40, 5=12");
  }
  if (style == KeyStyle::with_sign) {
    return tr("'{}' is not a key: type numbers, ranges and values, such as 17, -5, 33–40, 5=12", text);
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

std::string too_many_keys()
{
  return tr("more than {} keys: use a key file for that many", max_typed_keys);
}

/// Appends a 16-byte key: its lower half as the key, its upper half as the value.
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
    return tr("'{}' is not a 16-byte key: type up to 32 hexadecimal digits, such as 0x0123456789abcdef00", text);
  }
  pairs.push_back({*lower, *upper});
  return {};
}

/// Appends the key of a text or a number.
std::string append_text(std::string_view text, Operation operation, KeyForm const& form, std::vector<Pair>& pairs)
{
  auto const pair = read_text(text, form.style);
  if (!pair) { return why_no_key(text, form); }
  if (pairs.size() >= max_typed_keys) { return too_many_keys(); }
  std::string wrong = why_refused({operation, pair->key, pair->value}, form.key_bits);
  if (wrong.empty()) { pairs.push_back(*pair); }
  return wrong;
}

/// Appends the keys of a word; returns what is wrong with it, or an empty text.
std::string append_word(std::string_view text, Operation operation, KeyForm const& form, std::vector<Pair>& pairs)
{
  auto const& [key_bits, style, keys_of] = form;
  if (key_bits > 64) { return append_wide_key(text, pairs); }
  if (keys_of == HashedFrom::texts) { return append_text(text, operation, form, pairs); }
  auto const word = read_word(text, style);
  if (!word) { return why_no_key(text, form); }
  std::uint64_t const begin = Word::place(word->first, style);
  std::uint64_t const end = Word::place(word->last, style);
  if (end < begin) { return tr("the range '{}' ends before it begins", text); }
  if (end - begin >= max_typed_keys - std::min(pairs.size(), max_typed_keys)) { return too_many_keys(); }
  if (style == KeyStyle::with_sign && key_bits < 64 && signed_of_key(word->first) < 0) {
    return tr("'{}' is negative, and 32-bit keys have no sign: choose 64-bit keys first", text);
  }
  for (Key key = word->first;; key = Word::next(key, style)) {
    std::string wrong = why_refused({operation, key, word->value}, key_bits);
    if (!wrong.empty()) { return wrong; }
    pairs.push_back({key, word->value});
    if (key == word->last) { return {}; }
  }
}

}  // namespace

std::string why_refused(OnKey const& operation, int key_bits)
{
  constexpr int narrow = 32;
  if (key_bits == narrow && operation.key >> narrow != 0 && operation.key >> 63 == 0) {  // unless negative
    return tr("key {} is too large: the table's keys have {} bits", operation.key, key_bits);
  }
  if (is_reserved(operation.key, key_bits)) {
    return tr("key {} is reserved: no table of {}-bit keys can hold it", operation.key, key_bits);
  }
  if (operation.operation == Operation::insert && operation.value > largest_value(key_bits)) {
    return tr("value {} is reserved: no table of {}-bit values can hold it", operation.value, key_bits);
  }
  return {};
}

ParsedKeys parse_keys(std::string_view text, Operation operation, KeyForm const& form)
{
  bool const are_texts = form.keys_of == HashedFrom::texts;
  bool const dashes_join = form.style != KeyStyle::with_sign && !are_texts;
  std::string const plain = in_plain_characters(text, dashes_join, /*dashes_are_alike=*/!are_texts);
  ParsedKeys parsed;
  for (std::string_view rest = plain; !rest.empty();) {
    std::size_t const start = rest.find_first_not_of(separators);
    if (start == std::string_view::npos) { break; }
    rest.remove_prefix(start);
    std::string_view const word = first_word(rest);
    rest.remove_prefix(word.size());
    parsed.error = append_word(word, operation, form, parsed.pairs);
    if (!parsed.error.empty()) { return parsed; }
  }
  if (parsed.pairs.empty()) {
    std::span<std::string_view const> const spoken = spoken_keys(form.style);
    parsed.error = are_texts ? tr("type one or more keys, such as apple, \"red apple\" or apple=12")
                   : spoken.empty()
                       ? tr("type one or more keys, such as 17, 42, 33–40 or 5=12")
                       : tr("type one or more keys, such as {}, {}, 42 or {}=12", spoken[0], spoken[1], spoken[2]);
  }
  return parsed;
}

}  // namespace slotscape
