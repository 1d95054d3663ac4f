#include "app/base/encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace slotscape {
namespace {

constexpr char32_t replacement = 0xfffd;

constexpr std::uint8_t byte_of(char letter)
{
  return static_cast<std::uint8_t>(letter);
}

/// The length in bytes of the character at the start of the text; 0 if it is not valid UTF-8 (overlong forms and
/// surrogates are not).
std::size_t length_of_character(std::string_view text)
{
  std::uint8_t const first = byte_of(text.front());
  if (first < 0x80) { return 1; }
  std::size_t const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) { return 0; }
  std::uint8_t const second = byte_of(text[1]);
  bool const outside = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                       (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  if (outside) { return 0; }
  auto const follows = [](char letter) { return (byte_of(letter) & 0xc0) == 0x80; };
  return std::ranges::all_of(text.substr(1, length - 1), follows) ? length : 0;
}

void append(std::string& text, char32_t character)
{
  auto const add = [&](char32_t byte) { text += static_cast<char>(static_cast<std::uint8_t>(byte)); };
  auto const add_tail = [&](int shift) { add(0x80 | ((character >> shift) & 0x3f)); };
  if (character < 0x80) { return add(character); }
  if (character < 0x800) {
    add(0xc0 | (character >> 6));
  } else if (character < 0x10000) {
    add(0xe0 | (character >> 12));
    add_tail(6);
  } else {
    add(0xf0 | (character >> 18));
    add_tail(12);
    add_tail(6);
  }
  add_tail(0);
}

/// Windows-1252 differs from Latin-1 in these bytes: 0x80 to 0x9f.
constexpr std::array<char16_t, 32> windows_1252{0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
                                                0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
                                                0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                                0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};

std::string from_windows_1252(std::string_view bytes)
{
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (char const letter : bytes) {
    std::uint8_t const byte = byte_of(letter);
    append(text, byte >= 0x80 && byte < 0xa0 ? windows_1252[byte - 0x80] : byte);
  }
  return text;
}

/// A surrogate without its other half becomes a replacement character.
std::string from_utf16(std::string_view bytes, bool big_endian)
{
  auto const unit = [&](std::size_t i) -> char32_t {
    std::uint8_t const low = byte_of(bytes[i + (big_endian ? 1 : 0)]);
    std::uint8_t const high = byte_of(bytes[i + (big_endian ? 0 : 1)]);
    return static_cast<char32_t>(high << 8 | low);
  };
  std::string text;
  text.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    char32_t const first = unit(i);
    bool const pair = first >= 0xd800 && first < 0xdc00 && i + 3 < bytes.size() && (unit(i + 2) & 0xfc00) == 0xdc00;
    if (pair) {
      append(text, 0x10000 + ((first - 0xd800) << 10) + (unit(i + 2) - 0xdc00));
      i += 2;
    } else {
      append(text, first >= 0xd800 && first < 0xe000 ? replacement : first);
    }
  }
  return text;
}

/// In UTF-16 without a byte order mark, most letters have a zero in every second byte; other texts have no zeros.
/// Returns whether the zeros come first, as in big-endian words; nullopt if the text is not UTF-16.
std::optional<bool> looks_like_utf16(std::string_view bytes)
{
  std::string_view const start = bytes.substr(0, 4096);
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < start.size(); ++i) { zeros[i % 2] += start[i] == '\0' ? 1u : 0u; }
  auto const most = [&](std::size_t side) { return zeros[side] * 10 >= start.size() * 4 && zeros[1 - side] == 0; };
  bool const even_size = bytes.size() % 2 == 0 && bytes.size() >= 4;
  if (even_size && most(0)) { return true; }
  return even_size && most(1) ? std::optional(false) : std::nullopt;
}

std::string without_lone_returns(std::string text)
{
  if (text.find('\n') == std::string::npos) { std::ranges::replace(text, '\r', '\n'); }
  return text;
}

bool is_control(unsigned char byte)
{
  return byte < 0x20 || byte == 0x7f;
}

/// The length of the first character if it controls a terminal or the direction of text: ASCII's control characters,
/// U+0080 to U+009F, U+200E, U+200F, U+202A to U+202E, and U+2066 to U+2069. Otherwise 0.
std::size_t length_of_control(std::string_view text)
{
  auto const byte = [&](std::size_t i) { return i < text.size() ? byte_of(text[i]) : std::uint8_t{0}; };
  auto const third_is = [&](std::uint8_t from, std::uint8_t to) { return byte(2) >= from && byte(2) <= to; };
  if (is_control(byte(0))) { return 1; }
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0) { return 2; }
  bool const turns = byte(0) == 0xe2 && ((byte(1) == 0x80 && (third_is(0x8e, 0x8f) || third_is(0xaa, 0xae))) ||
                                         (byte(1) == 0x81 && third_is(0xa6, 0xa9)));
  return turns ? 3 : 0;
}

/// Decodes "\xF6" at the start of a text, as `path_text` escapes a byte.
std::optional<char> escaped_byte(std::string_view text)
{
  if (text.size() < 4 || !text.starts_with("\\x")) { return std::nullopt; }
  auto const digit = [](char letter) {
    bool const is_letter = letter >= 'A' && letter <= 'F';
    return letter >= '0' && letter <= '9' ? letter - '0' : is_letter ? letter - 'A' + 10 : -1;
  };
  int const high = digit(text[2]);
  int const low = digit(text[3]);
  if (high < 0 || low < 0) { return std::nullopt; }
  int const byte = 16 * high + low;
  bool const is_plain = byte < 0x80 && byte != '\\' && !is_control(static_cast<unsigned char>(byte));
  return is_plain ? std::nullopt : std::optional(static_cast<char>(byte));
}

}  // namespace

bool is_utf8(std::string_view text)
{
  while (!text.empty()) {
    std::size_t const length = length_of_character(text);
    if (length == 0) { return false; }
    text.remove_prefix(length);
  }
  return true;
}

std::string valid_text(std::string_view text)
{
  return is_utf8(text) ? std::string(text) : from_windows_1252(text);
}

std::string printable(std::string_view text)
{
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    std::size_t const length = text.front() == '\n' ? 0 : length_of_control(text);
    plain += length == 0 ? text.front() : '?';
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return plain;
}

std::string decoded(std::string content)
{
  using namespace std::string_view_literals;
  std::string_view const bytes = content;
  if (bytes.starts_with("\xef\xbb\xbf"sv)) { return without_lone_returns(valid_text(bytes.substr(3))); }
  if (bytes.starts_with("\xff\xfe"sv)) { return without_lone_returns(from_utf16(bytes.substr(2), false)); }
  if (bytes.starts_with("\xfe\xff"sv)) { return without_lone_returns(from_utf16(bytes.substr(2), true)); }
  if (auto const big_endian = looks_like_utf16(bytes)) { return without_lone_returns(from_utf16(bytes, *big_endian)); }
  return without_lone_returns(is_utf8(bytes) ? std::move(content) : from_windows_1252(bytes));
}

std::string path_text(std::filesystem::path const& path)
{
  std::string const& bytes = path.generic_string();
  std::string text;
  for (std::string_view rest = bytes; !rest.empty();) {
    std::size_t const length = length_of_character(rest);
    bool const is_text = length != 0 && !escaped_byte(rest) && length_of_control(rest) == 0;
    text += is_text ? std::string(rest.substr(0, length)) : fmt::format("\\x{:02X}", byte_of(rest.front()));
    rest.remove_prefix(is_text ? length : 1);
  }
  return text;
}

std::filesystem::path path_of_text(std::string_view text)
{
  std::string bytes;
  while (!text.empty()) {
    auto const byte = escaped_byte(text);
    bytes += byte.value_or(text.front());
    text.remove_prefix(byte ? 4 : 1);
  }
  return bytes;
}

}  // namespace slotscape
