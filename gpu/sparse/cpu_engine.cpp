#include "gpu/execution/cpu.hpp"
#include "gpu/sparse/engine_of.hpp"
#include "gpu/sparse/make_engine.hpp"

namespace slotscape::sparse {

std::unique_ptr<SparseEngine> make_cpu_sparse_engine()
{
  return std::make_unique<SparseEngineOf<exec::Cpu>>();
}

}  // namespace slotscape::sparse
