#pragma once

#include "gpu/sparse/engine.hpp"

namespace slotscape::sparse {

/// Makes the engine of a backend, which instantiates it.
template <class Exec>
std::unique_ptr<SparseEngine> make_engine_on();

}  // namespace slotscape::sparse
