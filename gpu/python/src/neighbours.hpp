#pragma once

#include <cstdint>
#include <memory>

namespace slotscape::python {

/// Points in the cells of a grid. Arrays are on its device; every call waits until it is done. Points are three floats
/// each.
class AnyGrid {
public:
  virtual ~AnyGrid() = default;
  virtual void build(void const* points, std::uint64_t count) = 0;
  /// Finds the neighbours of queries, or those of the points themselves if there are no `queries` (null); of each only
  /// the nearest `k`, or all of them if that is 0. Returns how many there are, and keeps them for `take`.
  virtual std::uint64_t find(void const* queries, std::uint64_t count, std::uint32_t k) = 0;
  /// Writes offsets, one more than there are queries, numbers and distances of what was found; and forgets it.
  virtual void take(std::int64_t* offsets, std::int32_t* numbers, float* distances) = 0;
};

/// `stream`: of CUDA, as a number; 0 elsewhere. Defined by neighbours_cpu.cpp or neighbours_cuda.cu.
std::unique_ptr<AnyGrid> make_grid(float radius, int divisor, std::uintptr_t stream);

}  // namespace slotscape::python
