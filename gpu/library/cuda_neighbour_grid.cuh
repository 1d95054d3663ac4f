#pragma once

#include "gpu/library/cuda_table.cuh"
// These warnings concern functions for both host and device, which are called with memory of either.
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20011, 20014
#include "gpu/library/basic_neighbour_grid.hpp"

namespace slotscape {

/// Points in the cells of a grid, in the memory of the current CUDA device. Its arguments are those of
/// `CpuNeighbourGrid`.
class CudaNeighbourGrid : public BasicNeighbourGrid<exec::Cuda> {
public:
  /// The stream must outlive the grid.
  explicit CudaNeighbourGrid(NeighbourGridOptions const& options, cudaStream_t stream = nullptr)
      : BasicNeighbourGrid(options, library::cuda_of(options, stream))
  {
  }
};

}  // namespace slotscape

#pragma nv_diagnostic pop
