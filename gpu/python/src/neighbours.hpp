#pragma once

#include <cstdint>
#include <memory>

namespace slotscape::python {

/// Points in the cells of a grid. Arrays are on its device; every call waits for completion. Each point is three
/// floats.
class AnyGrid {
public:
  virtual ~AnyGrid() = default;
  virtual void build(void const* points, std::uint64_t count) = 0;
  /// Finds the neighbours of queries, or of the points themselves if `queries` is null: only the nearest `k` of each,
  /// or all if `k` is 0. Returns their number, and keeps them for `take`.
  virtual std::uint64_t find(void const* queries, std::uint64_t count, std::uint32_t k) = 0;
  /// Writes the offsets (number of queries + 1), numbers and distances of the found neighbours, and discards them.
  virtual void take(std::int64_t* offsets, std::int32_t* numbers, float* distances) = 0;
};

/// `stream`: a CUDA stream as a number; 0 elsewhere. Defined by neighbours_cpu.cpp or neighbours_cuda.cu.
std::unique_ptr<AnyGrid> make_grid(float radius, int divisor, std::uintptr_t stream);

}  // namespace slotscape::python
