#include <slotscape/cuda_neighbour_grid.cuh>

#include "grid_of.hpp"

namespace slotscape::python {

std::unique_ptr<AnyGrid> make_grid(float radius, int divisor, std::uintptr_t stream)
{
  return std::make_unique<GridOf<CudaNeighbourGrid>>(NeighbourGridOptions{.radius = radius, .divisor = divisor},
                                                     reinterpret_cast<cudaStream_t>(stream));
}

}  // namespace slotscape::python
