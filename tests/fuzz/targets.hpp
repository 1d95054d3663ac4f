#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string_view>

/// Every reader and parser that is given bytes of strangers: for libFuzzer, and for a test that reads the corpus.
namespace slotscape::fuzz {

struct Target {
  std::string_view name;  ///< also of its folder in tests/fuzz/corpus
  void (*read)(std::string_view bytes);
  std::size_t max_bytes = 4096;  ///< longer ones say no more, and take longer
};
std::span<Target const> targets();

/// A reader has broken a promise. What it should throw at bad bytes is Error, with a sentence.
struct Broken : std::logic_error {
  using std::logic_error::logic_error;
};

/// Has the target read these bytes. Throws Broken, or whatever else than Error the reader throws.
void run(Target const& target, std::string_view bytes);

}  // namespace slotscape::fuzz
