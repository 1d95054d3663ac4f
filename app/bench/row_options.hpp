#pragma once

#include "app/base/text.hpp"
#include "app/bench/lists.hpp"
#include "app/bench/measurement.hpp"
#include "app/keys/key_words.hpp"
#include "gpu/bench/join_bench.hpp"

#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

inline constexpr std::string_view by_hash = "hash";
inline constexpr std::string_view by_sort = "sort";

inline std::string text_of(bench::KeySkew const& skew)
{
  return skew.half ? "half" : fmt::format("{}", skew.exponent);
}

inline bench::KeySkew read_skew(std::string const& word)
{
  bench::KeySkew skew;
  skew.half = word == "half";
  if (!skew.half) { read_number("--skew", word, 0.0, bench::max_skew, skew.exponent); }
  return skew;
}

/// The options for methods and keys that both measurements share.
class RowOptions {
public:
  explicit RowOptions(std::vector<std::string> ours) : ours_(std::move(ours)) {}

  void add_to(CLI::App& command)
  {
    command
        .add_option("--methods", typed_methods_,
                    fmt::format("{} and, on a CPU, tables by others: {}; ours, unless told", fmt::join(ours_, ","),
                                fmt::join(rivals(), ",")))
        ->type_name("LIST");
    command.add_flag("--rivals", with_rivals_, "hash tables for CPUs by others, too");
    command
        .add_option("--skew", typed_skews_,
                    "how unequal keys are: exponents of Zipf's law, 0 for none, or half: one key has every other row; "
                    "0,1.2")
        ->type_name("LIST");
    command.add_option("--key-bits", typed_key_bits_, "32, 64 or 32,64; a key file that needs 64 gets them")
        ->type_name("LIST");
    command.add_option("--keys", typed_keys_, "a key file or a pattern without repeats, in place of random keys")
        ->type_name("KEYS");
    reading_.add_to(command);
  }

  bool tells_methods() const { return with_rivals_ || !typed_methods_.empty(); }

  void interpret()
  {
    std::vector<std::string> known = ours_;
    std::vector<std::string> const others = rivals();
    known.insert(known.end(), others.begin(), others.end());
    methods = read_names("--methods", typed_methods_, with_rivals_ ? known : ours_, known);
    skews =
        read_list("--skew", typed_skews_, std::vector{bench::KeySkew{}, bench::KeySkew{.exponent = 1.2}}, read_skew);
    if (!typed_keys_.empty() || reading_.given()) {
      keys = keys_of_words(typed_keys_, reading_.reading()).keys;
      if (keys.distribution == KeyDistribution::zipf) {
        throw Error("--keys: rows get unequal keys by --skew; choose another pattern, or a key file");
      }
    }
    key_bits = read_key_bits(typed_key_bits_);
    widen_for(keys);
    checksum = keys_checksum(keys);
  }
  /// Adopts the key width that another file needs, unless a width was typed.
  void widen_for(KeySettings const& others)
  {
    if (typed_key_bits_.empty() && key_bits_for(others) == 64) { key_bits = {64}; }
    for (int const bits : key_bits) { check_keys_fit(others, bits); }
  }

  bool has_file() const { return keys.distribution == KeyDistribution::file; }
  /// The numbers of rows: those typed, otherwise that of the file, otherwise the default.
  std::vector<std::uint64_t> rows(std::vector<std::uint64_t> const& typed, Backend backend) const
  {
    if (!typed.empty()) { return typed; }
    if (has_file()) { return {keys.file_keys->size()}; }
    return {backend == Backend::cuda ? 100'000'000 : std::uint64_t{1} << 20};
  }
  /// The identity of a case, in words and in columns. `skew`: of random rows; none for rows from files.
  static std::string words(std::string const& method, int bits, std::optional<bench::KeySkew> const& skew)
  {
    return fmt::format("{}, {}-bit{}", method, bits, skew ? ", skew " + text_of(*skew) : "");
  }
  BenchRow columns(std::string const& method, int bits, std::optional<bench::KeySkew> const& skew) const
  {
    return {{"method", method},
            {"key_bits", bits},
            {"skew", skew ? Json(text_of(*skew)) : Json()},
            {"keys", keys_text(keys)},
            {"keys_checksum", text_or_null(checksum)}};
  }
  /// The settings of our own methods, and the name of a rival.
  joins::Settings settings(std::string const& method, int bits, std::optional<double> load = std::nullopt) const
  {
    joins::Settings settings{.key_bits = bits};
    settings.load_factor = load.value_or(settings.load_factor);
    if (method == by_sort) { settings.construction = multivalue::Construction::sort; }
    return settings;
  }
  std::string rival(std::string const& method) const
  {
    return std::ranges::find(ours_, method) != ours_.end() ? "" : method;
  }
  /// Why a method cannot be measured; empty if it can.
  static std::string obstacle(std::string const& rival, Backend backend)
  {
    auto const known = std::ranges::find(bench::row_rivals(), rival, &bench::Rival::name);
    if (known == bench::row_rivals().end()) { return ""; }
    if (backend != Backend::cpu) { return "it runs on the CPU only"; }
    return known->built_in ? ""
                           : fmt::format("it is not part of this program, which was built without {}", known->package);
  }

  std::vector<std::string> methods;
  std::vector<bench::KeySkew> skews;
  std::vector<int> key_bits;
  KeySettings keys;
  std::string checksum;  ///< of the key file

private:
  static std::vector<std::string> rivals()
  {
    std::vector<std::string> names;
    for (bench::Rival const& rival : bench::row_rivals()) { names.emplace_back(rival.name); }
    return names;
  }

  std::vector<std::string> ours_;
  bool with_rivals_ = false;
  std::string typed_methods_;
  std::string typed_skews_;
  std::string typed_key_bits_;
  std::string typed_keys_;
  KeyFileOptions reading_;
};

inline Json millions_a_second(double rows, double seconds)
{
  return number_or_null(rounded(1e-6 * rows / seconds));
}

}  // namespace slotscape
