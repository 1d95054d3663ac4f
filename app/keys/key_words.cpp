#include "app/keys/key_words.hpp"

#include "app/base/encoding.hpp"
#include "app/base/option_text.hpp"
#include "app/keys/keys_json.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/random.hpp"
#include "gpu/tables/validation.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

namespace slotscape {
namespace {

namespace fs = std::filesystem;

/// The names of a pattern's settings.
std::vector<std::string_view> names_of(KeyDistribution distribution)
{
  switch (distribution) {
    case KeyDistribution::strided: return {"stride"};
    case KeyDistribution::clustered: return {"length"};
    case KeyDistribution::zipf: return {"exponent", "keys"};
    default: return {};
  }
}

void set_word(std::string const& words, std::string const& name, std::string const& value, BenchKeys& into)
{
  std::string const option = "--keys: " + name;
  std::vector<std::string_view> const names = names_of(into.keys.distribution);
  if (names.empty()) { throw Error(fmt::format("--keys: '{}': this pattern has no settings", words)); }
  if (std::ranges::find(names, name) == names.end()) {
    throw Error(fmt::format("--keys: '{}': '{}' is no setting of this pattern; {}", words, name, suggest(name, names)));
  }
  if (value.empty()) { throw Error(fmt::format("--keys: '{}': give '{}' a number, after '='", words, name)); }
  if (name == "keys") { return read_whole(option, value, 1, max_slots, into.zipf_keys); }
  for (Setting<KeySettings> const& setting : settings_of<KeySettings>()) {
    if (option_of(setting.text) == "--" + name) { setting.type(option, value, into.keys); }
  }
}

}  // namespace

void KeyFileOptions::add_to(CLI::App& command)
{
  command
      .add_option("--column", column_,
                  "the column of the key file that holds the keys; several, as 'day + user', are hashed together")
      ->type_name("NAME");
  command.add_option("--empty", empty_, "what to do with empty cells of the key file: skip or refuse")
      ->type_name("WAY");
  command.add_flag("--as-text", as_text_, "read the keys of the file as texts and hash them, numbers, too");
}

KeyReading KeyFileOptions::reading() const
{
  bool const known = empty_.empty() || empty_ == "skip" || empty_ == "refuse";
  if (!known) { throw Error(fmt::format("--empty: '{}' is unknown; it must be skip or refuse", empty_)); }
  return {valid_text(column_), empty_ == "refuse", as_text_};
}

std::string in_shell(std::string const& text)
{
  std::string quoted = "'";
  for (char const letter : text) { quoted += letter == '\'' ? "'\\''" : std::string(1, letter); }
  return quoted + "'";
}

std::string options_of(KeyReading const& reading)
{
  std::string const column = reading.column.empty() ? "" : fmt::format(" --column {}", in_shell(reading.column));
  return fmt::format("{}{}{}", column, reading.refuses_empty ? " --empty refuse" : "",
                     reading.as_text ? " --as-text" : "");
}

BenchKeys keys_of_words(std::string const& words, KeyReading const& reading)
{
  BenchKeys result;
  std::istringstream text(words);
  std::string pattern;
  text >> pattern;
  auto const known = from_text<KeyDistribution>(pattern);
  if (words.empty() || (known && *known != KeyDistribution::file)) {
    if (std::string const options = options_of(reading); !options.empty()) {
      throw Error(fmt::format("{} says how a key file is read, and --keys names no file: leave it out, or name one",
                              options.substr(1)));
    }
    if (known) { result.keys.distribution = *known; }
    for (std::string word; text >> word;) {
      std::size_t const equals = std::min(word.find('='), word.size());
      set_word(words, word.substr(0, equals), word.substr(std::min(equals + 1, word.size())), result);
    }
    return result;
  }
  std::error_code unreadable;
  for (fs::path const& file : {fs::path(words), path_of_text(words)}) {
    if (fs::exists(file, unreadable)) { return {with_key_file(result.keys, file, reading)}; }
  }
  if (words.find_first_of("./") != std::string::npos) {
    throw Error(fmt::format("--keys: there is no file '{}'", words));
  }
  std::vector<std::string_view> patterns = enum_texts<KeyDistribution>();
  std::erase(patterns, to_text(KeyDistribution::file));
  throw Error(fmt::format("--keys: '{}' is neither a file nor a pattern; {}", words, suggest(words, patterns)));
}

std::string words_of_keys(BenchKeys const& bench_keys)
{
  KeySettings const usual;
  KeySettings const& keys = bench_keys.keys;
  if (keys.distribution == KeyDistribution::file) { return keys.file_name; }
  std::string words(to_text(keys.distribution));
  bool const is_zipf = keys.distribution == KeyDistribution::zipf;
  if (keys.distribution == KeyDistribution::strided && keys.stride != usual.stride) {
    words += fmt::format(" stride={}", keys.stride);
  }
  if (keys.distribution == KeyDistribution::clustered && keys.cluster_length != usual.cluster_length) {
    words += fmt::format(" length={}", keys.cluster_length);
  }
  if (is_zipf && keys.zipf_exponent != usual.zipf_exponent) {
    words += fmt::format(" exponent={}", keys.zipf_exponent);
  }
  if (is_zipf && bench_keys.zipf_keys != 0) { words += fmt::format(" keys={}", bench_keys.zipf_keys); }
  return words;
}

std::string keys_text(KeySettings const& keys, std::uint64_t zipf_keys)
{
  std::string const words = words_of_keys({keys, zipf_keys});
  return keys.distribution == KeyDistribution::file ? words.substr(words.rfind('/') + 1) : words;
}

std::string keys_checksum(KeySettings const& keys)
{
  if (keys.distribution != KeyDistribution::file || !keys.file_keys) { return ""; }
  std::uint64_t sum = keys.file_keys->size();
  for (Key const key : *keys.file_keys) { sum = random64(sum, key); }
  return fmt::format("0x{:016x}", sum);
}

}  // namespace slotscape
