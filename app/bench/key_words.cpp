#include "app/bench/key_words.hpp"

#include "app/scene/option_text.hpp"
#include "app/simulation/names.hpp"
#include "app/table_scene/key_settings.hpp"
#include "gpu/tables/validation.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>
#include <vector>

namespace slotscape {
namespace {

namespace fs = std::filesystem;

/// What can be set of a pattern.
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
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  std::string const option = "--keys: " + name;
  std::vector<std::string_view> const names = names_of(into.keys.distribution);
  if (names.empty()) { throw Error(fmt::format("--keys: '{}': this pattern has no settings", words)); }
  if (std::ranges::find(names, name) == names.end()) {
    throw Error(fmt::format("--keys: '{}': '{}' is no setting of this pattern; {}", words, name, suggest(name, names)));
  }
  if (value.empty()) { throw Error(fmt::format("--keys: '{}': give '{}' a number, after '='", words, name)); }
  if (name == "stride") { read_whole(option, value, 1, most, into.keys.stride); }
  if (name == "length") { read_whole(option, value, 1, most, into.keys.cluster_length); }
  if (name == "exponent") { read_number(option, value, 0.01, 100.0, into.keys.zipf_exponent); }
  if (name == "keys") { read_whole(option, value, 1, max_slots, into.zipf_keys); }
}

}  // namespace

BenchKeys keys_of_words(std::string const& words, std::string const& column)
{
  BenchKeys result;
  if (words.empty()) { return result; }
  std::istringstream text(words);
  std::string pattern;
  text >> pattern;
  if (auto const known = from_text<KeyDistribution>(pattern); known && *known != KeyDistribution::file) {
    result.keys.distribution = *known;
    for (std::string word; text >> word;) {
      std::size_t const equals = std::min(word.find('='), word.size());
      set_word(words, word.substr(0, equals), word.substr(std::min(equals + 1, word.size())), result);
    }
    return result;
  }
  std::error_code unreadable;
  if (fs::exists(words, unreadable)) { return {with_key_file(result.keys, words, column)}; }
  throw Error(fmt::format("--keys: '{}' is neither a file nor a pattern; {}", words,
                          suggest(words, enum_texts<KeyDistribution>())));
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
  return keys.distribution == KeyDistribution::file ? fs::path(words).filename().string() : words;
}

}  // namespace slotscape
