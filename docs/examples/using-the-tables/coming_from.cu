// What docs/coming-from-cucollections.md shows, as a program: each function is a piece of one that used cuCollections.

#include <slotscape/block_table.hpp>
#include <slotscape/cuda_table.cuh>

#include <cooperative_groups.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sequence.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace {

using slotscape::Combine;
using slotscape::Outcome;
namespace families = slotscape::families;

using Map = slotscape::CudaTable<families::linear_probing, int, int>;
using Set = slotscape::CudaSet<families::linear_probing, int>;
using Multimap = slotscape::CudaMultiTable<families::linear_probing, int, int>;
using Ints = thrust::device_vector<int>;

constexpr int count = 50'000;

int* data(Ints& ints)
{
  return thrust::raw_pointer_cast(ints.data());
}
void expect(bool is_right, char const* what)
{
  if (!is_right) { throw std::runtime_error(what); }
}
void check(cudaError_t status)
{
  if (status != cudaSuccess) { throw std::runtime_error(cudaGetErrorString(status)); }
}

/// --- calls with arrays

void insert_and_find(Ints& keys, Ints& values, cudaStream_t stream)
{
  Map map({.slots = Map::slots_for(count, 0.5)}, stream);
  map.insert(data(keys), data(values), count).or_throw();

  Ints found(count, -1);
  std::uint64_t const hits = map.find(data(keys), data(found), count);
  expect(hits == count && found == values, "insert and find");

  map.find_async(data(keys), data(found), count);

  thrust::device_vector<bool> are_there(count);
  map.contains(data(keys), thrust::raw_pointer_cast(are_there.data()), count);
  expect(thrust::count(are_there.begin(), are_there.end(), true) == count, "contains");

  map.insert_or_assign(data(keys), thrust::make_constant_iterator(7), count).or_throw();
  map.update(thrust::make_counting_iterator(count - 1), thrust::make_constant_iterator(8), 2);
  map.erase(data(keys), 10);

  Ints left_keys(map.size()), left_values(map.size());
  map.export_pairs(data(left_keys), data(left_values), map.size());
  expect(left_keys.size() == count - 10, "erase and retrieve_all");
  expect(thrust::count(left_values.begin(), left_values.end(), 8) == 1, "update");
}

/// Key and value of a pair, as arrays.
struct FirstOf {
  int2 const* pairs;
  __device__ int operator[](std::uint64_t i) const { return pairs[i].x; }
};
struct SecondOf {
  int2 const* pairs;
  __device__ int operator[](std::uint64_t i) const { return pairs[i].y; }
};

void insert_pairs(thrust::device_vector<int2>& pairs, cudaStream_t stream)
{
  Map map({.slots = Map::slots_for(pairs.size())}, stream);
  int2 const* const of_pairs = thrust::raw_pointer_cast(pairs.data());
  map.insert(FirstOf{of_pairs}, SecondOf{of_pairs}, pairs.size()).or_throw();
  expect(map.size() == pairs.size(), "insert pairs");
}

void count_by_key(Ints& keys, cudaStream_t stream)
{
  Map map({.slots = 1024, .grow_at = 0.8}, stream);
  map.insert_or_add(data(keys), thrust::make_constant_iterator(1), count).or_throw();
  map.insert_or_add(data(keys), thrust::make_constant_iterator(1), count).or_throw();
  expect(map.size() == count, "insert_or_apply");
}

/// --- in kernels

__global__ void insert_even(Map::MutableView map, int const* keys, int const* values, unsigned long long* inserted)
{
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count || keys[i] % 2 != 0) { return; }
  if (map.insert(keys[i], values[i]) == Outcome::inserted) { atomicAdd(inserted, 1ull); }
}

struct AddOne {
  __device__ int operator()(int value) const { return value + 1; }
};
__global__ void increment(Map::MutableView map, int const* keys)
{
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) { map.update(keys[i], AddOne{}); }
}

__global__ void look_up(Map::View map, int const* keys, int* values)
{
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) { return; }
  if (auto const found = map.find(keys[i])) { values[i] = found.value; }
}

void use_in_kernels(Ints& keys, Ints& values, cudaStream_t stream)
{
  Map map({.slots = Map::slots_for(count, 0.5)}, stream);
  thrust::device_vector<unsigned long long> inserted(1);
  int const blocks = (count + 255) / 256;
  insert_even<<<blocks, 256, 0, stream>>>(map.mutable_view(), data(keys), data(values),
                                          thrust::raw_pointer_cast(inserted.data()));
  increment<<<blocks, 256, 0, stream>>>(map.mutable_view(), data(keys));
  Ints found(count, -1);
  look_up<<<blocks, 256, 0, stream>>>(map.view(), data(keys), data(found));
  check(cudaStreamSynchronize(stream));
  expect(inserted[0] == count / 2 && found[2] == values[2] + 1 && found[3] == -1, "kernels");
}

/// --- by groups of threads, and in shared memory

namespace cg = cooperative_groups;
using Windows = slotscape::CudaTable<families::warp_cooperative, int, int>;

__global__ void look_up_by_tiles(Windows::View map, int const* keys, int* values)
{
  auto const tile = cg::tiled_partition<8>(cg::this_thread_block());
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / 8;
  if (i >= count) { return; }
  auto const found = map.find(tile, keys[i]);
  if (found && tile.thread_rank() == 0) { values[i] = found.value; }
}

__global__ void look_up_each_by_tiles(Windows::View map, int const* keys, int* values)
{
  auto const tile = cg::tiled_partition<8>(cg::this_thread_block());
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  auto const found =
      slotscape::serve_each(tile, i < count, i < count ? keys[i] : 0, [&](int key) { return map.find(tile, key); });
  if (found) { values[i] = found.value; }
}

void use_groups(Ints& keys, Ints& values, cudaStream_t stream)
{
  Windows map({.slots = Windows::slots_for(count), .parameters = {{"tile", 8}}}, stream);
  map.insert(data(keys), data(values), count).or_throw();
  Ints found(count, -1), each(count, -1);
  look_up_by_tiles<<<(8 * count + 255) / 256, 256, 0, stream>>>(map.view(), data(keys), data(found));
  look_up_each_by_tiles<<<(count + 255) / 256, 256, 0, stream>>>(map.view(), data(keys), data(each));
  check(cudaStreamSynchronize(stream));
  expect(found == values && each == values, "groups");
}

__global__ void sum_up(Map::MutableView sums, int const* keys)
{
  __shared__ slotscape::BlockTable<int, int, 64, Combine::add> of_block;
  of_block.clear(threadIdx.x, blockDim.x);
  __syncthreads();
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int const key = i < count ? keys[i] % 10 : 0;
  if (i < count && of_block.insert(key, 1) == Outcome::full) { sums.insert(key, 1); }
  __syncthreads();
  of_block.for_each(threadIdx.x, blockDim.x, [&](int its_key, int sum) { sums.insert(its_key, sum); });
}

void use_shared_memory(Ints& keys, cudaStream_t stream)
{
  Map map({.slots = Map::slots_for(10)}, stream);
  sum_up<<<(count + 255) / 256, 256, 0, stream>>>(map.mutable_view(Combine::add), data(keys));
  Ints found(10);
  map.find(thrust::make_counting_iterator(0), data(found), 10);
  expect(thrust::count(found.begin(), found.end(), count / 10) == 10, "shared memory");
}

/// --- sets and multimaps

void deduplicate(Ints& keys, cudaStream_t stream)
{
  Set set({.slots = Set::slots_for(count)}, stream);
  slotscape::Inserted const done = set.insert(data(keys), count);
  done.or_throw();
  Ints unique(set.size());
  set.export_keys(data(unique), unique.size());
  expect(done.inserted == unique.size() && unique.size() == count, "set");
}

void join(Ints& keys, Ints& values, Ints& wanted, cudaStream_t stream)
{
  Multimap map({}, stream);
  map.build(data(keys), data(values), keys.size());

  thrust::device_vector<std::uint32_t> counts(wanted.size()), offsets(wanted.size() + 1);
  map.count(data(wanted), thrust::raw_pointer_cast(counts.data()), wanted.size());
  std::uint64_t const total = thrust::reduce(counts.begin(), counts.end(), std::uint64_t{0});
  Ints matches(total);
  map.retrieve(data(wanted), wanted.size(), thrust::raw_pointer_cast(offsets.data()), data(matches), total);
  expect(total == keys.size(), "multimap");
}

/// --- keys of one's own

struct Cell {
  float x, y;
};
struct HashCell {
  __device__ std::uint64_t operator()(Cell cell) const  // -0.0f + 0.0f is 0.0f: equal keys need equal hashes
  {
    return std::uint64_t{__float_as_uint(cell.x + 0.0f)} << 32 | __float_as_uint(cell.y + 0.0f);
  }
};
struct SameCell {
  __device__ bool operator()(Cell a, Cell b) const { return a.x == b.x && a.y == b.y; }
};
using Grid = slotscape::CudaTable<families::linear_probing, Cell, double, slotscape::HashedBy<HashCell, SameCell>>;

void use_own_keys(thrust::device_vector<Cell>& cells, cudaStream_t stream)
{
  Grid grid({.slots = Grid::slots_for(cells.size())}, stream);
  grid.insert(thrust::raw_pointer_cast(cells.data()), thrust::make_constant_iterator(0.5), cells.size()).or_throw();
  expect(grid.size() == cells.size(), "own keys");
}

}  // namespace

int main()
{
  try {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreate(&stream));
    Ints keys(count), values(count);
    thrust::sequence(keys.begin(), keys.end());
    thrust::sequence(values.begin(), values.end(), 1);
    thrust::device_vector<int2> pairs(2);
    pairs[1] = {3, 4};
    thrust::device_vector<Cell> cells(2);
    cells[1] = {0.0f, 1.0f};
    check(cudaDeviceSynchronize());
    insert_and_find(keys, values, stream);
    insert_pairs(pairs, stream);
    count_by_key(keys, stream);
    use_in_kernels(keys, values, stream);
    use_groups(keys, values, stream);
    use_shared_memory(keys, stream);
    deduplicate(keys, stream);
    join(values, keys, values, stream);
    use_own_keys(cells, stream);
    check(cudaStreamDestroy(stream));
    std::puts("everything is as it was with cuCollections");
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
