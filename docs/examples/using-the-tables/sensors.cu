// The same as sensors.cpp on a GPU: bulk operations on a stream, and a kernel of our own that looks keys up.

#include "readings.hpp"

#include <slotscape/cuda_table.cuh>

#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>

#include <exception>
#include <stdexcept>

namespace {

using Table = slotscape::CudaTable<slotscape::families::linear_probing, std::uint32_t>;
using Set = slotscape::CudaSet<slotscape::families::linear_probing, std::uint32_t>;
using Numbers = thrust::device_vector<std::uint32_t>;

struct DevicePairs {
  Numbers keys;
  Numbers values;
};

std::uint32_t* data(Numbers& numbers)
{
  return thrust::raw_pointer_cast(numbers.data());
}

/// Each key once.
Numbers deduplicate(Numbers& keys, cudaStream_t stream)
{
  Set set({.slots = Set::slots_for(keys.size())}, stream);
  set.insert(data(keys), keys.size()).or_throw();

  Numbers unique(set.size());
  set.export_keys(data(unique), unique.size());
  return unique;
}

/// Whether each key is the first of its kind: of many threads that insert one, exactly one is told so.
__global__ void tell_first(Set::MutableView set, std::uint32_t const* keys, std::uint32_t count, bool* are_first)
{
  std::uint32_t const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) { are_first[i] = set.insert(keys[i]) == slotscape::Outcome::inserted; }
}

std::uint64_t count_first(Numbers& keys, cudaStream_t stream)
{
  Set set({.slots = Set::slots_for(keys.size())}, stream);
  auto const count = static_cast<std::uint32_t>(keys.size());
  thrust::device_vector<bool> are_first(count);
  tell_first<<<(count + 255) / 256, 256, 0, stream>>>(set.mutable_view(), data(keys), count,
                                                      thrust::raw_pointer_cast(are_first.data()));
  if (cudaError_t const status = cudaStreamSynchronize(stream); status != cudaSuccess) {
    throw std::runtime_error(cudaGetErrorString(status));
  }
  return static_cast<std::uint64_t>(thrust::count(are_first.begin(), are_first.end(), true));
}

/// Each key once, and how often it occurs.
DevicePairs count_keys(Numbers& keys, cudaStream_t stream)
{
  Table table({.slots = Table::slots_for(keys.size())}, stream);
  Numbers ones(keys.size(), 1);
  table.insert_or_add(data(keys), data(ones), keys.size()).or_throw();

  std::uint64_t const different = table.size();
  DevicePairs counts{Numbers(different), Numbers(different)};
  table.export_pairs(data(counts.keys), data(counts.values), different);
  return counts;
}

/// Writes the values of both sides for each pair of `left` whose key the table has.
__global__ void join_pairs(Table::View right, std::uint32_t const* keys, std::uint32_t const* values,
                           std::uint32_t count, std::uint32_t* right_values, std::uint32_t* left_values,
                           std::uint32_t* joined)
{
  std::uint32_t const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) { return; }
  if (auto const match = right.find(keys[i])) {
    std::uint32_t const place = atomicAdd(joined, 1);
    right_values[place] = match.value;
    left_values[place] = values[i];
  }
}

DevicePairs join(DevicePairs& left, DevicePairs& right, cudaStream_t stream)
{
  Table table({.slots = Table::slots_for(right.keys.size())}, stream);
  table.insert(data(right.keys), data(right.values), right.keys.size(), {.distinct = true}).or_throw();

  auto const count = static_cast<std::uint32_t>(left.keys.size());
  DevicePairs joined{Numbers(count), Numbers(count)};
  Numbers size(1, 0);
  join_pairs<<<(count + 255) / 256, 256, 0, stream>>>(table.view(), data(left.keys), data(left.values), count,
                                                      data(joined.keys), data(joined.values), data(size));
  if (cudaError_t const status = cudaStreamSynchronize(stream); status != cudaSuccess) {
    throw std::runtime_error(cudaGetErrorString(status));
  }
  joined.keys.resize(size[0]);
  joined.values.resize(size[0]);
  return joined;
}

/// A stream of our own, which outlives the tables that use it.
struct Stream {
  cudaStream_t stream = nullptr;
  Stream() { cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); }
  ~Stream() { cudaStreamDestroy(stream); }
};

}  // namespace

int main()
{
  try {
    Pairs const readings = take_readings();
    Pairs const rooms = list_rooms();
    Stream const own;
    DevicePairs on_device{readings.keys, readings.values};
    DevicePairs rooms_on_device{rooms.keys, rooms.values};
    Numbers const sensors = deduplicate(on_device.keys, own.stream);
    std::uint64_t const first = count_first(on_device.keys, own.stream);
    DevicePairs const counts = count_keys(on_device.keys, own.stream);
    std::uint64_t const counted = thrust::reduce(counts.values.begin(), counts.values.end(), std::uint64_t{0});
    DevicePairs const temperatures_in_rooms = join(on_device, rooms_on_device, own.stream);
    return report(readings, sensors.size(), first, counted, temperatures_in_rooms.keys.size()) ? 0 : 1;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
