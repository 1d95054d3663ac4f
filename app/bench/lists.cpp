#include "app/bench/lists.hpp"

#include "app/bench/report.hpp"
#include "app/simulation/families.hpp"

#include <algorithm>

namespace slotscape {

std::vector<std::string> words_of(std::string_view option, std::string const& text)
{
  std::vector<std::string> words = split_csv(text);
  for (std::string const& word : words) {
    if (word.empty()) {
      throw Error(fmt::format("{}: '{}' has an empty item; separate items by commas", option, text));
    }
  }
  return words;
}

std::uint64_t read_count(std::string_view option, std::string const& word, std::uint64_t low, std::uint64_t high)
{
  auto const number = parse_slots(word);
  if (!number || *number < low || *number > high) {
    throw Error(fmt::format("{}: '{}' is invalid; it must be a whole number from {} to {}, such as 2^20", option, word,
                            low, high));
  }
  return *number;
}

std::vector<int> read_key_bits(std::string const& text)
{
  return read_list("--key-bits", text, std::vector{32}, [](std::string const& word) {
    if (word != "32" && word != "64") {
      throw Error(fmt::format("--key-bits: '{}' is invalid; it must be 32, 64 or 32,64", word));
    }
    return word == "32" ? 32 : 64;
  });
}

std::vector<std::string> read_names(std::string_view option, std::string const& text, std::vector<std::string> usual,
                                    std::vector<std::string> const& known)
{
  return read_list(option, text, std::move(usual), [&](std::string const& word) {
    if (std::ranges::find(known, word) != known.end()) { return word; }
    std::vector<std::string_view> const views(known.begin(), known.end());
    throw Error(fmt::format("{}: '{}' is unknown; {}", option, word, suggest(word, views)));
  });
}

}  // namespace slotscape
