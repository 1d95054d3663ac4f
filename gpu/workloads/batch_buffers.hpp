#pragma once

#include "gpu/execution/executor.hpp"

namespace slotscape {

/// The operations of a batch, in device memory. The buffers grow up to `limit` operations and never shrink.
template <exec::Executor Exec, PairFormat Format>
struct BatchBuffers {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  Buffer<Operation> operations;
  Buffer<typename Format::Key> keys;
  Buffer<typename Format::Value> values;  ///< input of inserts, output of finds
  Buffer<Outcome> outcomes;

  void grow(Exec& exec, std::uint64_t count, std::uint64_t limit)
  {
    exec::grow(exec, operations, count, limit);
    exec::grow(exec, keys, count, limit);
    exec::grow(exec, values, count, limit);
    exec::grow(exec, outcomes, count, limit);
  }
};

}  // namespace slotscape
