#pragma once

#include "gpu/base/pair_format.hpp"

namespace slotscape {

/// Operations submitted together, in device memory.
template <PairFormat Format>
struct Batch {
  std::uint64_t count;
  Operation const* operations;  ///< or null, if `kinds` is a single kind
  typename Format::Key const* keys;
  typename Format::Value* values;  ///< in for inserts of pairs, out for finds (`Format::empty_value` if missing)
  Outcome* outcomes;               ///< out; or null, if they are not needed
  std::uint8_t* changes;           ///< out: one per slot; or null
  bool distinct;                   ///< no key is inserted twice
  OperationMask kinds = OperationMask::all;  ///< operations that may occur
  bool keeps_outcomes = true;                ///< if false, `outcomes` is scratch memory that is not read afterwards

  SLOTSCAPE_HOST_DEVICE Operation operation(std::uint64_t i) const
  {
    return operations != nullptr ? operations[i] : single_operation(kinds);
  }
  /// The `size` operations from `first` on.
  Batch part(std::uint64_t first, std::uint64_t size) const
  {
    Batch result = *this;
    result.count = size;
    result.keys += first;
    if (operations != nullptr) { result.operations += first; }
    if (values != nullptr) { result.values += first; }
    if (outcomes != nullptr) { result.outcomes += first; }
    return result;
  }
};

}  // namespace slotscape
