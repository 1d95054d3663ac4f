#pragma once

#include "app/keys/key_notes.hpp"

#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace slotscape::key_files {

/// Collects a `TextSample`. Texts are found alike in two files if their looks are in the samples of both: so these keep
/// the ones with the lowest looks (Broder 1997).
class TextSampler {
public:
  static constexpr std::size_t max_texts = std::size_t{1} << 16;

  /// parts: of several columns; `key` is the key of all.
  void add(Key key, std::span<std::string const> parts, std::uint64_t place);
  TextSample take();

private:
  void leave_out_the_upper_half();

  TextSample sample_;
  std::unordered_set<Key> keys_;  ///< of the texts of the sample
};

}  // namespace slotscape::key_files
