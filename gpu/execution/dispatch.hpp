#pragma once

#include "gpu/base/error.hpp"
#include "gpu/execution/backend.hpp"

namespace slotscape {

namespace exec {
class Cpu;
class Cuda;
}  // namespace exec

/// Calls `call.template operator()<Exec>()` with the executor of a backend. The callee is declared as a template and
/// specialised in a source file of each backend. Throws Error if CUDA is requested in a program without it.
template <class Call>
decltype(auto) dispatch(Backend backend, Call const& call)
{
  if (backend == Backend::cpu) { return call.template operator()<exec::Cpu>(); }
#if SLOTSCAPE_HAS_CUDA
  return call.template operator()<exec::Cuda>();
#else
  throw Error("This program was built without CUDA: choose the CPU.");
#endif
}

}  // namespace slotscape
