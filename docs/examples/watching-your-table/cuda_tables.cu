// Two tables in the memory of a GPU that can be looked at while kernels fill them: one of your own, in memory of
// cudaMalloc, which viewers see in place; and one of the library, whose memory is of a pool that cannot be shared, so
// it is copied.

#include <slotscape/cuda_table.cuh>
#include <slotscape/watch_table.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

namespace {

constexpr std::uint32_t empty = 0xffffffffu;

/// Keys alone, by linear probing from the finaliser of MurmurHash3.
__global__ void insert(unsigned* slots, unsigned mask, unsigned first, unsigned count)
{
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) { return; }
  unsigned const key = first + i;
  unsigned hash = key;
  hash = (hash ^ (hash >> 16)) * 0x85ebca6bu;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
  hash ^= hash >> 16;
  for (unsigned at = hash & mask;; at = (at + 1) & mask) {
    unsigned const found = atomicCAS(&slots[at], empty, key);
    if (found == empty || found == key) { return; }
  }
}
__global__ void number(unsigned* keys, unsigned first, unsigned count)
{
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) { keys[i] = first + i; }
}

}  // namespace

/// cuda_tables [SECONDS]
int main(int count, char** arguments)
{
  try {
    int const seconds = count > 1 ? std::atoi(arguments[1]) : 60;
    constexpr unsigned slots = 1u << 22;
    constexpr unsigned batch = 1u << 12;
    unsigned* own = nullptr;
    unsigned* keys = nullptr;
    SLOTSCAPE_CUDA_CHECK(cudaMalloc(&own, slots * sizeof(unsigned)));
    SLOTSCAPE_CUDA_CHECK(cudaMalloc(&keys, batch * sizeof(unsigned)));
    SLOTSCAPE_CUDA_CHECK(cudaMemset(own, 0xff, slots * sizeof(unsigned)));
    slotscape::CudaTable<slotscape::families::linear_probing, std::uint32_t> table({.slots = slots});
    bool is_watched = false;
    {
      auto layout = slotscape::WatchLayout::keys<unsigned>(slots);
      layout.empty_key = empty;
      layout.hash.function = "murmur3";
      layout.hash.reduction = "mask";
      layout.probing = "linear";
      slotscape::Watch const watch("cells", own, slots, layout);
      slotscape::Watch const other = slotscape::watch_table("orders", table);
      is_watched = watch.problem().empty() && other.problem().empty();

      auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
      for (unsigned first = 0; std::chrono::steady_clock::now() < end; first += batch) {
        if (first < slots / 10 * 9) {
          insert<<<batch / 256, 256>>>(own, slots - 1, first, batch);
          number<<<batch / 256, 256>>>(keys, first, batch);
          table.insert(keys, keys, batch).or_throw();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      SLOTSCAPE_CUDA_CHECK(cudaDeviceSynchronize());
    }  // the watches end before the memory is freed
    std::printf("%llu orders\n", static_cast<unsigned long long>(table.size()));
    cudaFree(keys);
    cudaFree(own);
    return is_watched ? 0 : 1;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
