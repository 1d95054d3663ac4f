// Neighbours of points on the CPU.

#include "gpu/library/neighbour_grid.hpp"
#include "tests/library/neighbour_cases.hpp"
#include "tests/library/on_cpu.hpp"

namespace slotscape {
namespace {

struct NeighboursOnCpu : OnCpu {
  CpuNeighbourGrid make_grid(NeighbourGridOptions const& options) { return CpuNeighbourGrid(options); }
  template <class T>
  std::vector<T> copied(T const* from, std::uint64_t count)
  {
    return std::vector<T>(from, from + count);
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibraryNeighbours, NeighboursOnCpu);

}  // namespace
}  // namespace slotscape
