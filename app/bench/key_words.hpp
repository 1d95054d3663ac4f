#pragma once

#include "gpu/workloads/settings.hpp"

#include <string>

namespace slotscape {

/// --- where keys come from, in a few words.

/// Keys of a bench: `zipf_keys` as in `bench::TableCase`.
struct BenchKeys {
  KeySettings keys;
  std::uint64_t zipf_keys = 0;
};

/// A pattern and what is not usual about it, "zipf exponent=1.2 keys=1048576", or a file with a column. Throws Error
/// that says what there is to choose from.
BenchKeys keys_of_words(std::string const& words, std::string const& column);
/// For `keys_of_words`; of a file, its path.
std::string words_of_keys(BenchKeys const& keys);

/// The same for tables of measurements: a file has its name only.
std::string keys_text(KeySettings const& keys, std::uint64_t zipf_keys = 0);

}  // namespace slotscape
