#include <slotscape/neighbour_grid.hpp>

#include "grid_of.hpp"

namespace slotscape::python {

std::unique_ptr<AnyGrid> make_grid(float radius, int divisor, std::uintptr_t)
{
  return std::make_unique<GridOf<CpuNeighbourGrid>>(NeighbourGridOptions{.radius = radius, .divisor = divisor});
}

}  // namespace slotscape::python
