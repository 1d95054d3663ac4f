#pragma once

#include "app/keys/file_keys.hpp"

#include <string>

namespace CLI {
class App;
}

namespace slotscape {

/// --- where keys come from, in a few words.

/// Keys of a bench: `zipf_keys` as in `bench::TableCase`.
struct BenchKeys {
  KeySettings keys;
  std::uint64_t zipf_keys = 0;
};

/// How a key file is read, on the command line.
class KeyFileOptions {
public:
  void add_to(CLI::App& command);
  bool given() const { return !column_.empty() || !empty_.empty() || as_text_; }
  /// Throws Error at an invalid one.
  KeyReading reading() const;

private:
  std::string column_;
  std::string empty_;
  bool as_text_ = false;
};
/// What is not usual about it, as such options in a shell: " --column 'user id'".
std::string options_of(KeyReading const& reading);
/// A word for a shell, in quotes.
std::string in_shell(std::string const& text);

/// A pattern and what is not usual about it, "zipf exponent=1.2 keys=1048576", or a file with a column. Throws Error
/// that says what there is to choose from.
BenchKeys keys_of_words(std::string const& words, KeyReading const& reading = {});
/// For `keys_of_words`; of a file, its path.
std::string words_of_keys(BenchKeys const& keys);

/// The same for tables of measurements: a file has its name only.
std::string keys_text(KeySettings const& keys, std::uint64_t zipf_keys = 0);
/// Which keys these are, and in which order, whatever their file is called: 64 bits in hexadecimal digits. Empty for
/// patterns, which their words say.
std::string keys_checksum(KeySettings const& keys);

}  // namespace slotscape
