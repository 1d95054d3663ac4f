#pragma once

#include "gpu/base/pair_format.hpp"

namespace slotscape {

/// Operations submitted together, in device memory.
template <PairFormat Format>
struct Batch {
  std::uint64_t count;
  Operation const* operations;
  typename Format::Key const* keys;
  typename Format::Value* values;  ///< in for inserts of pairs, out for finds (`Format::empty_value` if missing)
  Outcome* outcomes;               ///< out
  std::uint8_t* changes;           ///< out: one per slot; or null
  bool distinct;                   ///< no key is inserted twice
  OperationMask kinds = OperationMask::all;  ///< operations that may occur
  bool keeps_outcomes = true;                ///< if false, `outcomes` is scratch memory: nobody reads it afterwards
};

}  // namespace slotscape
