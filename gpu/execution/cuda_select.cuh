#pragma once

#include "gpu/execution/cuda.cuh"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_select.cuh>

namespace slotscape::exec {

/// The predicate of `Cuda::select`. A function object: CUB may query its return type in host code, which device lambdas
/// do not allow.
template <class T>
struct Differs {
  T none;

  __device__ bool operator()(T const& item) const { return item != none; }
};

template <class T, class F>
auto Cuda::selection(std::uint64_t count, T none, T* out, F const& f)
{
  auto const items = thrust::make_transform_iterator(thrust::make_counting_iterator(std::uint64_t{0}), f);
  return [=, this](void* scratch, std::size_t& bytes) {
    return cub::DeviceSelect::If(scratch, bytes, items, out, selected_.data(), static_cast<std::int64_t>(count),
                                 Differs<T>{none}, stream_);
  };
}
template <class T, class F>
void Cuda::prepare_select(std::uint64_t count, T none, T* out, F const& f)
{
  reserve_scratch(selection(count, none, out, f));
}
template <class T, class F>
std::uint64_t Cuda::select(std::uint64_t count, T none, T* out, F const& f)
{
  with_scratch(selection(count, none, out, f));
  std::uint64_t selected = 0;
  download(std::span(&selected, 1), static_cast<std::uint64_t const*>(selected_.data()));
  return selected;
}

static_assert(Executor<Cuda>);

}  // namespace slotscape::exec
