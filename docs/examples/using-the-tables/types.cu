// Keys and values of our own types on a GPU: what the points in each cell of a grid weigh, in a step that a CUDA graph
// replays for one batch of points after another.

#include <slotscape/cuda_table.cuh>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace {

using slotscape::Combine;

/// A key of 6 bytes.
struct Cell {
  std::int16_t x, y, z;
};
using Grid = slotscape::CudaTable<slotscape::families::linear_probing, Cell, float>;

void check(cudaError_t status)
{
  if (status != cudaSuccess) { throw std::runtime_error(cudaGetErrorString(status)); }
}

/// Memory of the device.
template <class T>
struct Array {
  T* data = nullptr;
  explicit Array(std::size_t count)
  {
    check(cudaMalloc(&data, count * sizeof(T)));
    check(cudaMemset(data, 0, count * sizeof(T)));
    check(cudaDeviceSynchronize());
  }
  ~Array() { cudaFree(data); }
  Array(Array const&) = delete;
  Array& operator=(Array const&) = delete;
};

/// Makes up the points of the batch *number, which one thread counts up for the next.
__global__ void take_points(Cell* cells, float* weights, std::uint32_t count, std::uint32_t const* number)
{
  std::uint32_t const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) { return; }
  auto const point = static_cast<std::int32_t>(*number * count + i);
  cells[i] = {static_cast<std::int16_t>(point % 20 - 10), static_cast<std::int16_t>(point % 30 - 15),
              static_cast<std::int16_t>(-point % 7)};
  weights[i] = 0.5f;
}
__global__ void go_on(std::uint32_t* number)
{
  ++*number;
}

/// Whether a pair weighs less than that. On the device, `for_each` and `erase_if` take such objects.
struct WeighsLess {
  float weight;
  __device__ bool operator()(Cell const&, float its) const { return its < weight; }
};

/// Inserts the points of so many batches, and returns how many cells there are and how many weigh little.
std::pair<std::uint64_t, std::uint64_t> weigh(std::uint32_t count, std::uint32_t batches, cudaStream_t stream)
{
  Grid grid({.slots = Grid::slots_for(1000)}, stream);
  Array<Cell> cells(count);
  Array<float> weights(count);
  Array<std::uint32_t> number(1);

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t step = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  take_points<<<(count + 255) / 256, 256, 0, stream>>>(cells.data, weights.data, count, number.data);
  grid.insert_async(cells.data, weights.data, count, Combine::add);
  go_on<<<1, 1, 0, stream>>>(number.data);
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&step, graph, 0));
  for (std::uint32_t i = 0; i < batches; ++i) { check(cudaGraphLaunch(step, stream)); }

  std::uint64_t const all = grid.size();
  std::uint64_t const few = grid.erase_if(WeighsLess{119.1f});
  cudaGraphExecDestroy(step);
  cudaGraphDestroy(graph);
  return {all, few};
}

}  // namespace

int main()
{
  try {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    auto const [cells, light] = weigh(1000, 100, stream);
    check(cudaStreamDestroy(stream));
    std::printf("%llu cells, of which %llu weigh little\n", static_cast<unsigned long long>(cells),
                static_cast<unsigned long long>(light));
    return cells == 420 && light == 380 ? 0 : 1;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
