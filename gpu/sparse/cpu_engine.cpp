#include "gpu/execution/cpu.hpp"
#include "gpu/sparse/engine_of.hpp"
#include "gpu/sparse/make_engine.hpp"

namespace slotscape::sparse {

template <>
std::unique_ptr<SparseEngine> make_engine_on<exec::Cpu>()
{
  return std::make_unique<SparseEngineOf<exec::Cpu>>();
}

}  // namespace slotscape::sparse
