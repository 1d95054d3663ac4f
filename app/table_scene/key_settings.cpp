#include "app/table_scene/key_settings.hpp"

#include "app/base/csv.hpp"
#include "app/base/files.hpp"
#include "app/base/npy.hpp"
#include "app/base/text.hpp"
#include "app/simulation/names.hpp"
#include "app/simulation/small_keys.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/pair_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

std::string_view trimmed(std::string_view text)
{
  constexpr std::string_view blanks = " \t\r\v\f";
  std::size_t const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) { return {}; }
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// A short quotation from a file, safe to print.
std::string in_quotes(std::string_view text)
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

/// Returns what is wrong with `word`, or sets `key` and returns an empty text.
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
          fmt::format("{}: line {}: {} {}; each line must contain one key from 0 to {}, decimal or 0x hexadecimal",
                      name, line, in_quotes(word), wrong, largest));
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
    throw Error(
        fmt::format("{}: {} bytes is not a multiple of {}; a key file of this type contains little-endian {}-bit words",
                    name, bytes.size(), sizeof(Word), 8 * sizeof(Word)));
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

bool has_columns(fs::path const& file)
{
  std::string const extension = extension_of(file);
  return extension == ".csv" || extension == ".tsv";
}

/// The place of the column with the keys. Without a name, the only one.
std::size_t column_in(std::vector<std::string> const& titles, std::string const& column, std::string const& name)
{
  std::vector<std::string_view> const names(titles.begin(), titles.end());
  if (column.empty()) {
    if (titles.size() == 1) { return 0; }
    throw Error(fmt::format("{}: there are {} columns; name the one that holds the keys: {}", name, titles.size(),
                            fmt::join(titles, ", ")));
  }
  auto const found = std::ranges::find(titles, column);
  if (found == titles.end()) {
    throw Error(fmt::format("{}: there is no column '{}'; {}", name, column, suggest(column, names)));
  }
  return static_cast<std::size_t>(found - titles.begin());
}

std::vector<Key> parse_column(std::string_view text, std::string const& name, std::string const& column)
{
  CsvReader reader(text, separator_of(text));
  std::vector<std::string> fields;
  std::vector<Key> keys;
  if (!reader.next(fields)) { return keys; }
  Key first = 0;
  bool const untitled = column.empty() && fields.size() == 1 && parse_key(trimmed(fields[0]), first).empty();
  if (untitled) { keys.push_back(first); }
  std::size_t const at = untitled ? 0 : column_in(fields, column, name);
  std::string const title = untitled ? "" : fmt::format(", column '{}'", fields[at]);
  while (reader.next(fields)) {
    if (at >= fields.size()) {
      throw Error(fmt::format("{}: line {}: there {} only {} field{}, and the key should be in field {}", name,
                              reader.line(), fields.size() == 1 ? "is" : "are", fields.size(),
                              fields.size() == 1 ? "" : "s", at + 1));
    }
    std::string_view const word = trimmed(fields[at]);
    Key key = 0;
    if (std::string const wrong = parse_key(word, key); !wrong.empty()) {
      throw Error(
          fmt::format("{}: line {}{}: {} {}; each field of the column must be a key from 0 to {}, decimal or "
                      "0x hexadecimal",
                      name, reader.line(), title, in_quotes(word), word.empty() ? "is empty" : wrong, largest));
    }
    keys.push_back(key);
  }
  return keys;
}

std::vector<Key> parse(std::string const& content, std::string const& name, std::string const& extension)
{
  if (extension == ".bin" || extension == ".u32") { return parse_words<std::uint32_t>(content, name); }
  if (extension == ".u64") { return parse_words<std::uint64_t>(content, name); }
  if (content.find('\0') != std::string::npos) {
    throw Error(
        fmt::format("{}: this looks like a binary file; rename it to .bin or .u32 if it contains little-endian 32-bit "
                    "words, to .u64 for 64-bit words, or use a text file with one key per line",
                    name));
  }
  return parse_text(content, name);
}

constexpr std::uint64_t largest_power = std::uint64_t{1} << 31;

Json changed_fields(KeySettings const& keys, KeySettings const& base)
{
  Json fields = Json::object();
  if (keys.stride != base.stride) { fields["stride"] = keys.stride; }
  if (keys.zipf_exponent != base.zipf_exponent) { fields["zipf_exponent"] = keys.zipf_exponent; }
  if (keys.cluster_length != base.cluster_length) { fields["cluster_length"] = keys.cluster_length; }
  if (!are_small(keys) && keys.file_repeats != base.file_repeats) { fields["repeat"] = keys.file_repeats; }
  return fields;
}

void check_has_file(KeySettings const& keys)
{
  if (keys.distribution == KeyDistribution::file && keys.file_name.empty()) {
    throw Error("cannot save a key stream from a file without the file's name");
  }
}

using SharedKeys = std::shared_ptr<std::vector<Key> const>;

/// The keys of a file, read once per document. Throws Error if the file cannot be read.
SharedKeys keys_of(JsonSource& source, std::string const& file, std::string const& column)
{
  std::any& content = source.files[column.empty() ? file : fmt::format("{}\n{}", file, column)];
  if (!content.has_value()) { content = read_key_file(file, column); }
  return std::any_cast<SharedKeys>(content);
}

void read_file(JsonNode const& node, KeySettings& keys)
{
  JsonSource& source = node.source();
  std::string const file = fs::absolute(source.folder / node.text()).lexically_normal().string();
  try {
    keys.file_keys = keys_of(source, file, keys.file_column);
  } catch (Error const& error) {
    if (source.losses == nullptr) { throw; }
    source.losses->push_back(fmt::format("Could not reload the last key file; using other keys.\n{}", error.what()));
    return;
  }
  keys.file_name = file;
  keys.distribution = KeyDistribution::file;
}

std::uint64_t read_power_of_two(JsonNode const& node)
{
  return node.power_of_two(1, largest_power);
}

/// Small keys are a stream of their own in files.
void read_distribution(JsonNode const& node, KeySettings& keys)
{
  std::vector<std::string_view> names = enum_texts<KeyDistribution>();
  names.push_back(small_keys_name);
  std::size_t const chosen = node.one_of(names, "key distribution");
  if (names[chosen] == small_keys_name) {
    keys = small_keys(std::move(keys));
  } else {
    keys.distribution = *from_text<KeyDistribution>(names[chosen]);
  }
}

std::string_view distribution_text(KeySettings const& keys)
{
  return are_small(keys) ? small_keys_name : to_text(keys.distribution);
}

std::array<Field<KeySettings>, 7> const& stream_fields()
{
  using Keys = KeySettings;
  auto const same = [](auto value) { return value; };
  static std::array<Field<Keys>, 7> const fields{
      field("stride", &Keys::stride, read_power_of_two, same),
      positive_number("zipf_exponent", &Keys::zipf_exponent),
      field("cluster_length", &Keys::cluster_length, read_power_of_two, same),
      Field<Keys>{"column", [](JsonNode const& node, Keys& keys) { keys.file_column = node.text(); },
                  [](Keys const& keys, fs::path const&) {
                    return keys.file_column.empty() ? Json() : Json(keys.file_column);
                  }},
      Field<Keys>{"file", read_file,
                  [](Keys const& keys, fs::path const& folder) {
                    bool const named = !keys.file_name.empty() && !are_small(keys);
                    return named ? Json(relative_name(keys.file_name, folder)) : Json();
                  }},
      Field<Keys>{"repeat", [](JsonNode const& node, Keys& keys) { keys.file_repeats = node.flag(); },
                  [](Keys const& keys, fs::path const&) { return are_small(keys) ? Json() : Json(keys.file_repeats); }},
      Field<Keys>{"distribution", read_distribution,
                  [](Keys const& keys, fs::path const&) { return Json(distribution_text(keys)); }},
  };
  return fields;
}

}  // namespace

std::shared_ptr<std::vector<Key> const> read_key_file(fs::path const& file, std::string const& column)
{
  std::string const name = file.string();
  auto const read = [&] {
    if (extension_of(file) == ".npy") { return read_npy_column(file); }
    std::string const content = read_text_file(file);
    return has_columns(file) ? parse_column(content, name, column) : parse(content, name, extension_of(file));
  };
  auto keys = std::make_shared<std::vector<Key> const>(read());
  if (keys->empty()) {
    throw Error(
        fmt::format("{}: the file is empty or has no keys; write one key per line, from 0 to {}", name, largest));
  }
  return keys;
}

KeySettings with_key_file(KeySettings keys, fs::path const& file, std::string const& column)
{
  keys = without_small_keys(std::move(keys));
  keys.file_keys = read_key_file(file, column);
  keys.file_name = file.string();
  keys.file_column = has_columns(file) ? column : "";
  keys.distribution = KeyDistribution::file;
  return keys;
}

std::vector<std::string> key_columns(fs::path const& file)
{
  if (!has_columns(file)) { return {}; }
  std::string const content = read_text_file(file);
  std::vector<std::string> titles;
  CsvReader(content, separator_of(content)).next(titles);
  Key key = 0;
  if (titles.size() == 1 && parse_key(trimmed(titles[0]), key).empty()) { titles.clear(); }
  return titles;
}

void check_keys_fit(KeySettings const& keys, int key_bits)
{
  if (keys.distribution != KeyDistribution::file || !keys.file_keys) { return; }
  auto const refused = std::ranges::find_if(*keys.file_keys, [&](Key key) { return is_reserved(key, key_bits); });
  if (refused == keys.file_keys->end()) { return; }
  throw Error(fmt::format("{}: key {} is {}, and tables with {}-bit keys take keys up to {}{}", keys.file_name,
                          refused - keys.file_keys->begin() + 1, *refused, key_bits, largest_key(key_bits),
                          key_bits == 32 ? "; choose 64-bit keys" : ""));
}

KeySettings read_key_settings(JsonNode const& node, KeySettings const& base)
{
  bool const names_stream = node.is_text() || node.find("distribution") || node.find("file");
  KeySettings keys = names_stream ? without_small_keys(base) : base;
  if (node.is_text()) {
    read_distribution(node, keys);
  } else {
    read_object<KeySettings>(node, stream_fields(), keys);
  }
  if (keys.distribution == KeyDistribution::file && !keys.file_keys) {
    if (node.source().losses == nullptr) {
      node.fail(R"(keys from a file need the file's name: { "file": "keys.txt" })");
    }
    keys.distribution = base.distribution;
  }
  return keys;
}

Json key_settings_json(KeySettings const& keys, fs::path const& folder)
{
  check_has_file(keys);
  Json json;
  json["distribution"] = nullptr;  // comes first
  write_fields<KeySettings>(json, folder, stream_fields(), keys);
  return json;
}

Json key_settings_json(KeySettings const& keys, KeySettings const& base, fs::path const& folder)
{
  check_has_file(keys);
  bool const same_file = keys.file_name == base.file_name && keys.file_column == base.file_column;
  bool const other_file = !same_file && !keys.file_name.empty() && !are_small(keys);
  Json const changed = changed_fields(keys, base);
  if (changed.empty() && !other_file) { return distribution_text(keys); }
  Json json;
  bool const implied = other_file && keys.distribution == KeyDistribution::file;
  if (!implied) { json["distribution"] = distribution_text(keys); }
  json.update(changed);
  if (other_file) {
    if (!keys.file_column.empty()) { json["column"] = keys.file_column; }
    json["file"] = relative_name(keys.file_name, folder);
  }
  return json;
}

bool same_stream(KeySettings const& left, KeySettings const& right)
{
  return left.distribution == right.distribution && left.stride == right.stride &&
         left.zipf_exponent == right.zipf_exponent && left.cluster_length == right.cluster_length &&
         left.file_name == right.file_name && left.file_column == right.file_column &&
         left.file_repeats == right.file_repeats;
}

}  // namespace slotscape
