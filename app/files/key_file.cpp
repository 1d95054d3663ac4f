#include "app/files/key_file.hpp"

#include "app/files/text_file.hpp"
#include "gpu/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace slotscape {

namespace {

std::string_view trimmed(std::string_view text)
{
  constexpr std::string_view blanks = " \t\r\v\f";
  std::size_t const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) { return {}; }
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// A short form of what stands in a file, safe to print.
std::string quoted(std::string_view text)
{
  std::string shown;
  for (char const letter : text.substr(0, 40)) {
    auto const byte = static_cast<unsigned char>(letter);
    shown += byte < 0x20 || byte == 0x7f ? '?' : letter;
  }
  return fmt::format("'{}{}'", shown, text.size() > 40 ? "..." : "");
}

constexpr Key largest = std::numeric_limits<Key>::max();

std::string does_not_fit()
{
  return fmt::format("does not fit in {} bits", std::numeric_limits<Key>::digits);
}

/// Returns what is wrong with `word`, or nothing and the key.
std::string parse_key(std::string_view word, Key& key)
{
  bool const negative = word.starts_with('-');
  std::string_view digits = negative ? word.substr(1) : word;
  bool const hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (hexadecimal) { digits.remove_prefix(2); }
  auto const [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), key, hexadecimal ? 16 : 10);
  bool const whole = failure != std::errc::invalid_argument && end == digits.data() + digits.size();
  if (!whole) { return "is not a whole number"; }
  if (failure == std::errc::result_out_of_range) { return negative ? "is negative" : does_not_fit(); }
  return negative ? "is negative" : "";
}

std::vector<Key> parse_text(std::string_view text, std::string const& name)
{
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) { text.remove_prefix(byte_order_mark.size()); }
  std::vector<Key> keys;
  for (std::size_t line = 1; !text.empty(); ++line) {
    std::size_t const newline = std::min(text.find('\n'), text.size());
    std::string_view const raw = text.substr(0, newline);
    std::string_view const word = trimmed(raw.substr(0, raw.find('#')));
    text.remove_prefix(std::min(newline + 1, text.size()));
    if (word.empty()) { continue; }
    Key key = 0;
    if (std::string const wrong = parse_key(word, key); !wrong.empty()) {
      throw Error(
          fmt::format("{}: line {}: {} {}; each line must hold one key from 0 to {}, decimal or hexadecimal with 0x",
                      name, line, quoted(word), wrong, largest));
    }
    keys.push_back(key);
  }
  return keys;
}

template <class Word>
std::vector<Key> parse_words(std::string_view bytes, std::string const& name)
{
  static_assert(std::endian::native == std::endian::little, "the words of a key file are little-endian");
  if (bytes.size() % sizeof(Word) != 0) {
    throw Error(fmt::format("{}: {} bytes are no multiple of {}; this key file holds little-endian {}-bit words", name,
                            bytes.size(), sizeof(Word), 8 * sizeof(Word)));
  }
  std::vector<Word> words(bytes.size() / sizeof(Word));
  if (!words.empty()) { std::memcpy(words.data(), bytes.data(), bytes.size()); }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!std::in_range<Key>(words[i])) {
      throw Error(fmt::format("{}: word {}: {} {}", name, i + 1, words[i], does_not_fit()));
    }
  }
  return {words.begin(), words.end()};
}

std::string ending_of(std::filesystem::path const& file)
{
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return ending;
}

std::vector<Key> parse(std::string const& content, std::string const& name, std::string const& ending)
{
  if (ending == ".bin" || ending == ".u32") { return parse_words<std::uint32_t>(content, name); }
  if (ending == ".u64") { return parse_words<std::uint64_t>(content, name); }
  if (content.find('\0') != std::string::npos) {
    throw Error(
        fmt::format("{}: this looks like a binary file; name it .bin or .u32 to have it read as little-endian "
                    "32-bit words, .u64 for 64-bit words, or give a text file with one key per line",
                    name));
  }
  return parse_text(content, name);
}

}  // namespace

std::shared_ptr<std::vector<Key> const> read_key_file(std::filesystem::path const& file)
{
  std::string const name = file.string();
  auto keys = std::make_shared<std::vector<Key> const>(parse(read_text_file(file), name, ending_of(file)));
  if (keys->empty()) {
    throw Error(
        fmt::format("{}: the file is empty: it holds no keys; write one key per line, from 0 to {}", name, largest));
  }
  return keys;
}

KeySettings with_key_file(KeySettings keys, std::filesystem::path const& file)
{
  keys.file_keys = read_key_file(file);
  keys.file_name = file.string();
  keys.distribution = KeyDistribution::file;
  return keys;
}

}  // namespace slotscape
