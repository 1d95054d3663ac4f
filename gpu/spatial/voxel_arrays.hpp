#pragma once

#include "gpu/execution/executor.hpp"
#include "gpu/spatial/voxel_sets.hpp"

namespace slotscape::spatial {

/// Owns the arrays of one model's voxels. The arrays only grow.
template <exec::Executor Exec, PairFormat Format>
class VoxelArrays {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  void reserve(Exec& exec, std::uint64_t capacity)
  {
    capacity_ = capacity;
    if (capacity <= keys_.size()) { return; }
    *this = VoxelArrays();
    capacity_ = capacity;
    keys_ = Buffer<typename Format::Key>(exec, capacity);
    slots_ = Buffer<Slot>(exec, capacity);
    surfels_ = Buffer<Surfel>(exec, capacity);
    points_ = Buffer<std::uint32_t>(exec, capacity);
    faces_ = Buffer<std::uint32_t>(exec, capacity * face_count);
    status_ = Buffer<VoxelStatus>(exec, capacity);
    seeds_ = Buffer<std::uint32_t>(exec, capacity);
    sums_ = Buffer<VoxelSums>(exec, capacity);
  }
  Voxels<Format> view(std::uint32_t* count) const
  {
    return {capacity_,      count,         keys_.data(),   slots_.data(), surfels_.data(),
            points_.data(), faces_.data(), status_.data(), seeds_.data()};
  }
  std::uint64_t capacity() const { return capacity_; }
  VoxelSums* sums() const { return sums_.data(); }

private:
  std::uint64_t capacity_ = 0;
  Buffer<typename Format::Key> keys_;
  Buffer<Slot> slots_;
  Buffer<Surfel> surfels_;
  Buffer<std::uint32_t> points_;
  Buffer<std::uint32_t> faces_;
  Buffer<VoxelStatus> status_;
  Buffer<std::uint32_t> seeds_;
  Buffer<VoxelSums> sums_;
};

}  // namespace slotscape::spatial
