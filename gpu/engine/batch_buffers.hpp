#pragma once

#include "gpu/tables/words.hpp"

#include <algorithm>
#include <bit>

namespace slotscape {

/// The operations of a batch, in memory of the device. They grow, up to `limit` operations, and never shrink.
template <class Exec, class Bits>
struct BatchBuffers {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  Buffer<Operation> operations;
  Buffer<typename Bits::Key> keys;
  Buffer<typename Bits::Value> values;  ///< in for inserts, out for finds
  Buffer<Outcome> outcomes;

  void grow(Exec& exec, std::uint64_t count, std::uint64_t limit)
  {
    if (keys.size() >= count) { return; }
    std::uint64_t const size = std::min(limit, std::bit_ceil(count));
    operations = Buffer<Operation>(exec, size);
    values = Buffer<typename Bits::Value>(exec, size);
    outcomes = Buffer<Outcome>(exec, size);
    keys =
        Buffer<typename Bits::Key>(exec, size);  // last: its size stands for all, also where memory runs out in between
  }
};

}  // namespace slotscape
