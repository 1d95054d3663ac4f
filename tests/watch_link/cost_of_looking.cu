// Tables in the memory of a device: seen in place, by an IPC handle or a file descriptor, or copied.

#include "tests/watch_link/cost_of_looking.hpp"

#include "gpu/execution/backend.hpp"
#include "gpu/execution/cuda_error.hpp"

namespace slotscape::watch::cost {
namespace {

constexpr unsigned threads = 256;

__device__ std::uint64_t hash(std::uint64_t x)
{
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

__device__ void put(Slot* slots, std::uint64_t mask, std::uint64_t key, std::uint64_t value)
{
  for (std::uint64_t at = hash(key) & mask;; at = (at + 1) & mask) {
    auto* const place = reinterpret_cast<unsigned long long*>(&slots[at].key);
    unsigned long long const found = atomicCAS(place, 0ull, static_cast<unsigned long long>(key));
    if (found != 0 && found != key) { continue; }
    slots[at].value = value;
    return;
  }
}

__device__ std::uint64_t get(Slot const* slots, std::uint64_t mask, std::uint64_t key)
{
  std::uint64_t at = hash(key) & mask;
  while (slots[at].key != key) { at = (at + 1) & mask; }
  return slots[at].value;
}

__global__ void fill(Slot* slots, std::uint64_t mask, std::uint64_t keys)
{
  std::uint64_t const i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < keys) { put(slots, mask, i + 1, i); }
}

/// Every other thread replaces a key, the others find one: all of them are there.
__global__ void work(Slot* slots, std::uint64_t mask, std::uint64_t keys, std::uint64_t first)
{
  std::uint64_t const i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint64_t const key = hash(first + i) % keys + 1;
  if (i / 32 % 2 == 0) {
    put(slots, mask, key, first + i);
  } else if (get(slots, mask, key) == ~std::uint64_t{0}) {  // never, which the compiler does not know
    slots[0].value = 1;
  }
}

void measure_table(std::string const& memory, Slot* slots, Settings const& settings)
{
  std::uint64_t const mask = settings.slots - 1;
  std::uint64_t const keys = keys_of(settings);
  SLOTSCAPE_CUDA_CHECK(cudaMemset(slots, 0, settings.slots * sizeof(Slot)));
  fill<<<static_cast<unsigned>((keys + threads - 1) / threads), threads>>>(slots, mask, keys);
  SLOTSCAPE_CUDA_CHECK(cudaDeviceSynchronize());
  std::string const name = "cost-" + std::to_string(getpid());
  Watch const watch(name, slots, settings.slots, layout_of(settings));
  std::uint64_t first = 0;
  measure(
      memory, name,
      [&] {
        constexpr unsigned batch = 1u << 22;
        constexpr int batches = 16;
        for (int i = 0; i < batches; ++i, first += batch) {
          work<<<batch / threads, threads>>>(slots, mask, keys, first);
        }
        SLOTSCAPE_CUDA_CHECK(cudaDeviceSynchronize());
        return std::uint64_t{batch} * batches;
      },
      settings);
}

Slot* from_pool(cudaMemPool_t pool, std::uint64_t bytes)
{
  void* memory = nullptr;
  SLOTSCAPE_CUDA_CHECK(cudaMallocFromPoolAsync(&memory, bytes, pool, nullptr));
  SLOTSCAPE_CUDA_CHECK(cudaDeviceSynchronize());
  return static_cast<Slot*>(memory);
}

}  // namespace

void measure_on_device(Settings const& settings)
{
  if (std::string const why = why_no_cuda(); !why.empty()) {
    std::printf("No device: %s\n", why.c_str());
    return;
  }
  std::uint64_t const bytes = settings.slots * sizeof(Slot);
  void* memory = nullptr;
  SLOTSCAPE_CUDA_CHECK(cudaMalloc(&memory, bytes));
  measure_table("memory of cudaMalloc", static_cast<Slot*>(memory), settings);
  SLOTSCAPE_CUDA_CHECK(cudaFree(memory));

  cudaMemPoolProps shared{};
  shared.allocType = cudaMemAllocationTypePinned;
  shared.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  shared.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr;
  SLOTSCAPE_CUDA_CHECK(cudaMemPoolCreate(&pool, &shared));
  Slot* slots = from_pool(pool, bytes);
  measure_table("a pool with file descriptors", slots, settings);
  SLOTSCAPE_CUDA_CHECK(cudaFreeAsync(slots, nullptr));
  SLOTSCAPE_CUDA_CHECK(cudaDeviceSynchronize());
  SLOTSCAPE_CUDA_CHECK(cudaMemPoolDestroy(pool));

  SLOTSCAPE_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  slots = from_pool(pool, bytes);
  measure_table("the default pool", slots, settings);
  SLOTSCAPE_CUDA_CHECK(cudaFreeAsync(slots, nullptr));
}

void* device_memory(std::uint64_t bytes)
{
  if (!why_no_cuda().empty()) { return nullptr; }
  void* memory = nullptr;
  SLOTSCAPE_CUDA_CHECK(cudaMalloc(&memory, bytes));
  return memory;
}

}  // namespace slotscape::watch::cost
