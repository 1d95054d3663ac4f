#pragma once

#include "app/keys/file_keys.hpp"

#include <string>

namespace CLI {
class App;
}

namespace slotscape {

/// --- short descriptions of where keys come from.

/// The keys of a bench: `zipf_keys` as in `bench::TableCase`.
struct BenchKeys {
  KeySettings keys;
  std::uint64_t zipf_keys = 0;
};

/// Command-line options for reading a key file.
class KeyFileOptions {
public:
  void add_to(CLI::App& command);
  bool given() const { return !column_.empty() || !empty_.empty() || as_text_; }
  /// Throws Error if an option is invalid.
  KeyReading reading() const;

private:
  std::string column_;
  std::string empty_;
  bool as_text_ = false;
};
/// The non-default settings as shell options: " --column 'user id'".
std::string options_of(KeyReading const& reading);
/// A word quoted for a shell.
std::string in_shell(std::string const& text);

/// Parses a pattern with its non-default settings, "zipf exponent=1.2 keys=1048576", or a file with a column. Throws
/// Error that lists the choices.
BenchKeys keys_of_words(std::string const& words, KeyReading const& reading = {});
/// The words for `keys_of_words`; for a file, its path.
std::string words_of_keys(BenchKeys const& keys);

/// The words for tables of measurements: a file is shown by name only.
std::string keys_text(KeySettings const& keys, std::uint64_t zipf_keys = 0);
/// A checksum of the keys and their order, regardless of the file's name: 64 bits in hexadecimal digits. Empty for
/// patterns, which are described completely by their words.
std::string keys_checksum(KeySettings const& keys);

}  // namespace slotscape
