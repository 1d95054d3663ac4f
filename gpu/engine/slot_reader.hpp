#pragma once

#include "gpu/tables/machines.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace slotscape {

/// Reads the words of a device's table on the host, a window of them at a time.
template <class Exec>
class SlotReader {
public:
  SlotReader(Exec& exec, Word const* table, std::uint64_t slots) : exec_(exec), table_(table), slots_(slots) {}

  Word read(Slot slot)
  {
    std::uint64_t const size = std::min<std::uint64_t>(4096, slots_);
    std::uint64_t const start = slot / size * size;
    if (window_.empty() || start != start_) {
      window_.resize(size);
      exec_.download(std::span(window_), table_ + start);
      start_ = start;
    }
    return window_[slot - start];
  }

private:
  Exec& exec_;
  Word const* table_;
  std::uint64_t slots_;
  std::vector<Word> window_;
  std::uint64_t start_ = 0;
};

}  // namespace slotscape
