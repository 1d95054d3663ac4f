#include "gpu/bench/backends.hpp"
#include "gpu/bench/build_trial_of.hpp"
#include "gpu/bench/multivalue_bench_of.hpp"
#include "gpu/execution/cuda.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>

namespace slotscape::bench {
namespace {

using multivalue::GroupsView;
using multivalue::Range;

/// A baseline without a hash table: radix sort, run lengths and their prefix sums by CUB, in memory that is allocated
/// once, and binary search. The host does not wait.
template <PairFormat Format>
class SortAndSearch {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  template <class T>
  using Buffer = exec::Cuda::Buffer<T>;

public:
  SortAndSearch(exec::Cuda& exec, std::uint64_t pairs)
      : exec_(exec),
        count_(static_cast<std::int64_t>(pairs)),
        sorted_(exec, pairs),
        values_(exec, pairs),
        keys_(exec, pairs),
        offsets_(exec, pairs + 1),
        distinct_(exec, 1)
  {
    scratch_ = Buffer<std::byte>(exec, scratch_bytes());
  }

  multivalue::BuildReport build(Key const* keys, Value const* values, std::uint64_t count)
  {
    auto bytes = scratch_.size();
    SLOTSCAPE_CUDA_CHECK(
        cub::DeviceRadixSort::SortPairs(scratch_.data(), bytes, keys, sorted_.data(), values, values_.data(), count_));
    SLOTSCAPE_CUDA_CHECK(cub::DeviceRunLengthEncode::Encode(scratch_.data(), bytes, sorted_.data(), keys_.data(),
                                                            offsets_.data(), distinct_.data(), count_));
    SLOTSCAPE_CUDA_CHECK(
        cub::DeviceScan::ExclusiveSum(scratch_.data(), bytes, offsets_.data(), offsets_.data(), count_ + 1));
    SLOTSCAPE_CUDA_CHECK(cudaStreamSynchronize(nullptr));
    return {.pairs = count};
  }

  void retrieve(Key const* keys, std::uint64_t count, Range* out)
  {
    using View = slotscape::View<typename SortedArray::template Layout<Format>, exec::Cuda::Machine<Format>>;
    using Ranges = multivalue::RangesView<SortedArray, View>;
    Ranges const ranges{{}, groups()};
    exec_.for_each(count, multivalue::Retrieve<Ranges>{ranges, keys, out});
  }

  GroupsView<Format> groups() const
  {
    return {keys_.data(), offsets_.data(), values_.data(), static_cast<Slot>(distinct())};
  }
  std::uint64_t distinct() const
  {
    std::int64_t distinct = 0;
    exec_.download(std::span(&distinct, 1), static_cast<std::int64_t const*>(distinct_.data()));
    return static_cast<std::uint64_t>(distinct);
  }
  /// Bytes of the actual keys, offsets and values.
  std::uint64_t memory_bytes() const
  {
    return distinct() * (sizeof(Key) + sizeof(std::uint32_t)) + static_cast<std::uint64_t>(count_) * sizeof(Value);
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

  exec::Cuda& exec_;
  std::int64_t count_;
  Buffer<Key> sorted_;
  Buffer<Value> values_;
  Buffer<Key> keys_;  ///< distinct keys
  Buffer<std::uint32_t> offsets_;
  Buffer<std::int64_t> distinct_;
  Buffer<std::byte> scratch_;
};

template <PairFormat Format>
std::unique_ptr<MultiValueBench> make_bench(MultiValueCase const& subject)
{
  if (!subject.by_cub) { return multivalue_bench_of<exec::Cuda, Format>(subject); }
  return std::make_unique<MultiValueBenchOf<exec::Cuda, Format, SortAndSearch<Format>>>(subject, [&](exec::Cuda& exec) {
    return std::make_unique<SortAndSearch<Format>>(exec, subject.pairs);
  });
}

}  // namespace

template <>
std::unique_ptr<MultiValueBench> make_multivalue_bench_on<exec::Cuda>(MultiValueCase const& subject)
{
  return subject.settings.key_bits == 64 ? make_bench<Wide>(subject) : make_bench<Narrow>(subject);
}

template <>
std::unique_ptr<BuildTrials> make_build_trials_on<exec::Cuda>(std::uint64_t pairs)
{
  return std::make_unique<BuildTrialsOf<exec::Cuda>>(pairs);
}

}  // namespace slotscape::bench
