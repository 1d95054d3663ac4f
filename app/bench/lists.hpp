#pragma once

#include "app/base/option_text.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Splits a list at its commas. Throws Error that names the option if a word is empty.
std::vector<std::string> words_of(std::string_view option, std::string const& text);

/// A whole number in digits or as a power of two. Throws Error that names the option if it is not a number from `low`
/// to `high`.
std::uint64_t read_count(std::string_view option, std::string const& word, std::uint64_t low, std::uint64_t high);

/// A list that `read` reads word by word; `usual` if the option was not given.
template <class T, class Read>
std::vector<T> read_list(std::string_view option, std::string const& text, std::vector<T> usual, Read const& read)
{
  if (text.empty()) { return usual; }
  std::vector<T> list;
  for (std::string const& word : words_of(option, text)) { list.push_back(read(word)); }
  return list;
}

inline std::vector<std::uint64_t> read_counts(std::string_view option, std::string const& text,
                                              std::vector<std::uint64_t> usual, std::uint64_t low, std::uint64_t high)
{
  return read_list(option, text, std::move(usual),
                   [=](std::string const& word) { return read_count(option, word, low, high); });
}

/// Load factors of measured tables.
inline constexpr double min_measured_load = 0.01;
inline constexpr double max_measured_load = 1.0;
inline constexpr double max_load_of_chains = 8.0;

/// Load factors, up to `most`.
inline std::vector<double> read_loads(std::string const& text, std::vector<double> usual,
                                      double most = max_measured_load)
{
  return read_list("--load", text, std::move(usual), [most](std::string const& word) {
    double load = 0.0;
    read_number("--load", word, min_measured_load, most, load);
    return load;
  });
}

/// 32, 64 or both; 32 if the option was not given.
std::vector<int> read_key_bits(std::string const& text);

/// Names of an enum's values.
template <class Enum>
std::vector<Enum> read_choices(std::string_view option, std::string const& text, std::vector<Enum> usual)
{
  return read_list(option, text, std::move(usual), [=](std::string const& word) {
    Enum value{};
    read_choice(option, word, value);
    return value;
  });
}

/// Names from a fixed list. Throws Error that suggests a name if a word is unknown.
std::vector<std::string> read_names(std::string_view option, std::string const& text, std::vector<std::string> usual,
                                    std::vector<std::string> const& known);

}  // namespace slotscape
