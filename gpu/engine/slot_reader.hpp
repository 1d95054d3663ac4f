#pragma once

#include "gpu/execution/executor.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

namespace slotscape {

/// Reads a device table's words from the host, one window at a time and each window once. The table must not change
/// meanwhile. A probe sequence may visit every window of a table in any order.
template <exec::Executor Exec, class Word>
class SlotReader {
public:
  SlotReader(Exec& exec, Word const* words, std::uint64_t count) : exec_(exec), words_(words), count_(count) {}

  Word read(std::uint64_t index)
  {
    std::uint64_t const start = index / window_size * window_size;
    if (last_ == nullptr || start != start_) {
      last_ = &window_at(start);
      start_ = start;
    }
    return (*last_)[index - start];
  }

private:
  static constexpr std::uint64_t window_size = 4096;

  std::vector<Word> const& window_at(std::uint64_t start)
  {
    std::vector<Word>& window = windows_[start];
    if (window.empty()) {
      window.resize(std::min(window_size, count_ - start));
      exec_.download(std::span(window), words_ + start);
    }
    return window;
  }

  Exec& exec_;
  Word const* words_;
  std::uint64_t count_;
  std::unordered_map<std::uint64_t, std::vector<Word>> windows_ = {};  ///< by the index of their first word
  std::vector<Word> const* last_ = nullptr;
  std::uint64_t start_ = 0;
};

}  // namespace slotscape
