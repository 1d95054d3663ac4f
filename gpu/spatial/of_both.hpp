#pragma once

#include "gpu/spatial/engine.hpp"

namespace slotscape::spatial {

/// A parallel loop over the items of both models, in one launch. A's items come first.
template <class F>
struct ForBothModels {
  F of[model_count];
  std::uint64_t items_of_a;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    bool const in_a = i < items_of_a;
    of[in_a ? 0 : 1](in_a ? i : i - items_of_a);
  }
};

}  // namespace slotscape::spatial
