#pragma once

#include "gpu/library/basic_neighbour_grid.hpp"
#include "gpu/library/table.hpp"

namespace slotscape {

/// Points in the cells of a grid, in host memory, searched by all cores.
class CpuNeighbourGrid : public BasicNeighbourGrid<exec::Cpu> {
public:
  /// Throws Error for an invalid radius or divisor.
  explicit CpuNeighbourGrid(NeighbourGridOptions const& options) : BasicNeighbourGrid(options, library::cpu_of(options))
  {
  }
};

}  // namespace slotscape
