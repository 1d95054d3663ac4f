#pragma once

#include "gpu/base/types.hpp"
#include "gpu/execution/executor.hpp"

#include <cstdint>
#include <utility>

namespace slotscape {

/// A list of operations of a batch, by their numbers, with a second buffer to compact it.
template <class Exec>
struct OperationList {
  typename Exec::template Buffer<std::uint32_t> numbers;
  typename Exec::template Buffer<std::uint32_t> spare;
  std::uint64_t count = 0;

  void grow(Exec& exec, std::uint64_t size)
  {
    exec::grow(exec, numbers, size);
    exec::grow(exec, spare, size);
  }
  /// Drops the `no_slot` entries among the first `size`.
  void compact(Exec& exec, std::uint64_t size)
  {
    count = exec.compact(numbers.data(), size, no_slot, spare.data());
    std::swap(numbers, spare);
  }
};

}  // namespace slotscape
