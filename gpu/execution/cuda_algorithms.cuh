#pragma once

#include "gpu/execution/cuda_select.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace slotscape::exec {

namespace kernels {

template <class U>
struct Nth {
  U const* numbers;
  __device__ U operator()(std::uint64_t i) const { return numbers[i]; }
};

}  // namespace kernels

template <class U>
std::uint64_t Cuda::compact(U const* numbers, std::uint64_t count, std::type_identity_t<U> none, U* out)
{
  return select(count, none, out, kernels::Nth<U>{numbers});
}

template <class U>
void Cuda::sort(U* keys, std::uint64_t count)
{
  sort_by_key(keys, static_cast<cub::NullType*>(nullptr), count);
}
template <class U, class V>
void Cuda::sort_pairs(U* keys, V* values, std::uint64_t count)
{
  sort_by_key(keys, values, count);
}

template <class U, class V>
void Cuda::sort_by_key(U* keys, V* values, std::uint64_t count)
{
  constexpr bool pairs = !std::is_same_v<V, cub::NullType>;
  Buffer<U> sorted_keys(*this, count);
  Buffer<V> sorted_values(*this, pairs ? count : 0);
  auto const items = static_cast<std::int64_t>(count);
  int const bits = 8 * sizeof(U);
  with_scratch([&](void* scratch, std::size_t& bytes) {
    if constexpr (pairs) {
      return cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, sorted_keys.data(), values, sorted_values.data(),
                                             items, 0, bits, stream_);
    } else {
      return cub::DeviceRadixSort::SortKeys(scratch, bytes, keys, sorted_keys.data(), items, 0, bits, stream_);
    }
  });
  copy(keys, static_cast<U const*>(sorted_keys.data()), count);
  if constexpr (pairs) { copy(values, static_cast<V const*>(sorted_values.data()), count); }
  wait();
}

template <class U>
std::uint64_t Cuda::exclusive_scan(U* counts, std::uint64_t count)
{
  if (count == 0) { return 0; }
  U last = 0;
  download(std::span(&last, 1), static_cast<U const*>(counts + count - 1));
  prefix_sums(counts, count);
  U before = 0;
  download(std::span(&before, 1), static_cast<U const*>(counts + count - 1));
  return std::uint64_t{before} + last;
}

template <class U>
void Cuda::prefix_sums(U* counts, std::uint64_t count)
{
  if (count == 0) { return; }
  with_scratch([&](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(scratch, bytes, counts, counts, static_cast<std::int64_t>(count), stream_);
  });
}

}  // namespace slotscape::exec
