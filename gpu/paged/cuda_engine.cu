#include "gpu/library/cuda_table.cuh"
#include "gpu/paged/engine_of.hpp"

namespace slotscape::paged {

template <>
std::unique_ptr<PagedEngine> make_engine_on<exec::Cuda>(Making const& making)
{
  return make_engine_of<exec::Cuda, CudaPagedTable>(making);
}

}  // namespace slotscape::paged
