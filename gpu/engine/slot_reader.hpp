#pragma once

#include "gpu/execution/executor.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace slotscape {

/// Reads the words of a table on the device from the host, a window of them at a time.
template <exec::Executor Exec, class Word>
class SlotReader {
public:
  SlotReader(Exec& exec, Word const* words, std::uint64_t count) : exec_(exec), words_(words), count_(count) {}

  Word read(std::uint64_t index)
  {
    std::uint64_t const start = index / window_size * window_size;
    if (window_.empty() || start != start_) {
      window_.resize(std::min(window_size, count_ - start));
      exec_.download(std::span(window_), words_ + start);
      start_ = start;
    }
    return window_[index - start];
  }

private:
  static constexpr std::uint64_t window_size = 4096;

  Exec& exec_;
  Word const* words_;
  std::uint64_t count_;
  std::vector<Word> window_;
  std::uint64_t start_ = 0;
};

}  // namespace slotscape
