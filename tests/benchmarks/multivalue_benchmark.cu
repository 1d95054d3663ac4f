#include "tests/benchmarks/multivalue_benchmark.hpp"

#include "gpu/execution/cuda.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>

namespace slotscape::multivalue {
namespace {

using Device = exec::Cuda;
template <class T>
using Buffer = Device::Buffer<T>;

/// What a program without a hash table would do: radix sort, run lengths and their prefix sums by CUB, in memory that
/// is made once, and binary search. The host does not wait.
template <PairFormat Format>
class SortAndSearch {
  using Key = typename Format::Key;
  using Value = typename Format::Value;

public:
  SortAndSearch(Device& device, std::uint64_t pairs)
      : device_(device),
        count_(static_cast<std::int64_t>(pairs)),
        sorted_(device, pairs),
        values_(device, pairs),
        keys_(device, pairs),
        offsets_(device, pairs + 1),
        distinct_(device, 1)
  {
    scratch_ = Buffer<std::byte>(device, scratch_bytes());
  }

  void build(Key const* keys, Value const* values)
  {
    auto bytes = scratch_.size();
    SLOTSCAPE_CUDA_CHECK(
        cub::DeviceRadixSort::SortPairs(scratch_.data(), bytes, keys, sorted_.data(), values, values_.data(), count_));
    SLOTSCAPE_CUDA_CHECK(cub::DeviceRunLengthEncode::Encode(scratch_.data(), bytes, sorted_.data(), keys_.data(),
                                                            offsets_.data(), distinct_.data(), count_));
    SLOTSCAPE_CUDA_CHECK(
        cub::DeviceScan::ExclusiveSum(scratch_.data(), bytes, offsets_.data(), offsets_.data(), count_ + 1));
    SLOTSCAPE_CUDA_CHECK(cudaStreamSynchronize(nullptr));
  }
  void retrieve(Key const* keys, std::uint64_t count, Range* out)
  {
    std::int64_t distinct = 0;
    device_.download(std::span(&distinct, 1), static_cast<std::int64_t const*>(distinct_.data()));
    using View = slotscape::View<typename SortedArray::template Layout<Format>, Device::Machine<Format>>;
    using Ranges = RangesView<SortedArray, View>;
    Ranges const ranges{{}, {keys_.data(), offsets_.data(), values_.data(), static_cast<Slot>(distinct)}};
    device_.for_each(count, Retrieve<Ranges>{ranges, keys, out});
  }

private:
  std::size_t scratch_bytes()
  {
    std::size_t sort = 0;
    std::size_t encode = 0;
    std::size_t scan = 0;
    Key const* const keys = nullptr;
    Value const* const values = nullptr;
    SLOTSCAPE_CUDA_CHECK(
        cub::DeviceRadixSort::SortPairs(nullptr, sort, keys, sorted_.data(), values, values_.data(), count_));
    SLOTSCAPE_CUDA_CHECK(cub::DeviceRunLengthEncode::Encode(nullptr, encode, sorted_.data(), keys_.data(),
                                                            offsets_.data(), distinct_.data(), count_));
    SLOTSCAPE_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(nullptr, scan, offsets_.data(), offsets_.data(), count_ + 1));
    return std::max({sort, encode, scan});
  }

  Device& device_;
  std::int64_t count_;
  Buffer<Key> sorted_;
  Buffer<Value> values_;
  Buffer<Key> keys_;  ///< the different ones
  Buffer<std::uint32_t> offsets_;
  Buffer<std::int64_t> distinct_;
  Buffer<std::byte> scratch_;
};

template <PairFormat Format>
void sort_and_search(benchmark::State& state, Workload const& workload)
{
  try {
    Device device;
    PairsOnDevice<Device, Format> pairs(device, workload);
    SortAndSearch<Format> table(device, workload.pairs);
    time_both(
        state, device, workload.pairs, [&] { table.build(pairs.keys.data(), pairs.values.data()); },
        [&] { table.retrieve(pairs.keys.data(), workload.pairs, pairs.ranges.data()); });
    state.counters["lost"] = static_cast<double>(pairs.lost());
  } catch (std::exception const& error) {
    state.SkipWithError(error.what());
  }
}

template <PairFormat Format>
void add_sort_and_search(Workload const& workload)
{
  std::string const name =
      "multivalue/cuda/sort_and_search_by_cub/" + std::to_string(Format::bits) + "-bit/" + workload.name();
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { sort_and_search<Format>(state, workload); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

bool const added = [] {
  auto const sizes = {std::uint64_t{1} << 20, std::uint64_t{100'000'000}};
  for_workloads(sizes, [](Workload const& workload) {
    add_sort_and_search<Narrow>(workload);
    add_sort_and_search<Wide>(workload);
  });
  add_constructions<Device>("cuda", sizes);
  return true;
}();

}  // namespace
}  // namespace slotscape::multivalue
