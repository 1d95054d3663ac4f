#pragma once

#include "gpu/execution/cuda.cuh"

#include <cooperative_groups.h>

namespace slotscape::exec {

namespace kernels {

/// All blocks are resident at once and synchronise after each sweep. `changes`: the counters, followed by the index of
/// the first one of the next launch. That counter and the next one are 0 whenever no launch is running.
template <class Program>
__global__ void __launch_bounds__(block_size) rounds(std::uint64_t limit, Program const program, std::uint32_t* changes)
{
  auto const grid = cooperative_groups::this_grid();
  std::uint64_t const threads = std::uint64_t{gridDim.x} * block_size;
  std::uint64_t const first = std::uint64_t{blockIdx.x} * block_size + threadIdx.x;
  auto counter = static_cast<int>(changes[round_counters]);
  typename Program::State state{};
  for (bool goes_on = true; goes_on;) {
    std::uint64_t const wanted = program.items(state);
    std::uint64_t const items = wanted < limit ? wanted : limit;
    std::uint32_t mine = 0;
    for (std::uint64_t i = first; i < items; i += threads) { mine += program.sweep(state, i); }
    if (__syncthreads_or(mine != 0)) {
      std::uint32_t const of_warp = WarpTile<32>{}.sum(mine);
      if (threadIdx.x % 32 == 0 && of_warp != 0) { atomicAdd(changes + counter, of_warp); }
    }
    grid.sync();
    std::uint32_t const all = __ldcg(changes + counter);
    int const last = counter == 0 ? round_counters - 1 : counter - 1;  // every thread has read it before the barrier
    if (first == 0) { changes[last] = 0; }
    counter = counter == round_counters - 1 ? 0 : counter + 1;
    goes_on = program.next(state, all);
  }
  if (first == 0) { changes[round_counters] = static_cast<std::uint32_t>(counter); }
}

}  // namespace kernels

template <class Program>
void Cuda::rounds(std::uint64_t limit, Program const& program)
{
  note_work();
  constexpr std::uint64_t items_per_thread = 24;  // fewer blocks synchronise faster
  static int const per_multiprocessor = blocks_at_once(kernels::rounds<Program>);
  std::uint64_t const resident = std::uint64_t(multiprocessors_) * static_cast<std::uint64_t>(per_multiprocessor);
  std::uint64_t const wanted = limit / (items_per_thread * kernels::block_size) + 1;
  auto const blocks = static_cast<unsigned int>(std::min(resident, wanted));
  std::uint32_t* changes = round_changes_.data();
  void* arguments[] = {&limit, const_cast<Program*>(&program), &changes};
  SLOTSCAPE_CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(&kernels::rounds<Program>), blocks,
                                                   kernels::block_size, arguments, 0, stream_));
}

}  // namespace slotscape::exec
