// The GPUs of a machine, or of several, have a part of a log each, and count together how often each page was visited.
//   ranks_cuda                       a thread for each GPU of this process; if there is one, two for that
//   ranks_cuda FILE RANK RANKS       one of several processes, over NCCL: start one for each rank from 0, with a file
//                                    that all of them can read, and a GPU each (CUDA_VISIBLE_DEVICES)

#include <slotscape/cuda_distributed_table.cuh>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr std::uint32_t pages = 10'000;
constexpr std::uint32_t visits = 100'000;  // in each part of the log

__global__ void read_log(std::uint32_t rank, std::uint32_t* log, std::uint32_t* ones)
{
  std::uint32_t const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= visits) { return; }
  log[i] = (i * 7 + rank) % pages;
  ones[i] = 1;
}

// The same for every communicator. Returns whether the counts are right.
template <class Communicator>
bool count_visits(Communicator& communicator)
{
  using Table = slotscape::CudaDistributedTable<slotscape::families::segmented_cuckoo, std::uint32_t, Communicator>;
  cudaStream_t stream = nullptr;
  std::uint32_t *log = nullptr, *ones = nullptr, *counts = nullptr;
  for (std::uint32_t** array : {&log, &ones, &counts}) { cudaMalloc(array, visits * sizeof(std::uint32_t)); }
  cudaStreamCreate(&stream);
  bool is_right = true;
  {
    Table table({.slots = Table::slots_for(pages, communicator.size())}, communicator, stream);
    read_log<<<(visits + 127) / 128, 128, 0, stream>>>(communicator.rank(), log, ones);
    table.insert_or_add(log, ones, visits).or_throw();
    table.find(log, counts, visits);
    std::vector<std::uint32_t> host(visits);
    cudaMemcpy(host.data(), counts, visits * sizeof(std::uint32_t), cudaMemcpyDeviceToHost);
    for (std::uint32_t const count : host) { is_right = is_right && count == communicator.size() * (visits / pages); }
    std::uint64_t const size = table.size();
    if (communicator.rank() == 0) { std::printf("%lu pages were visited\n", static_cast<unsigned long>(size)); }
    is_right = is_right && size == pages;
  }
  cudaStreamDestroy(stream);
  for (std::uint32_t* array : {log, ones, counts}) { cudaFree(array); }
  return is_right;
}

int main(int count, char** arguments)
{
  bool is_right = true;
  try {
    if (count == 4) {
      slotscape::NcclCommunicator communicator(arguments[1], static_cast<std::uint32_t>(std::atoi(arguments[2])),
                                               static_cast<std::uint32_t>(std::atoi(arguments[3])));
      is_right = count_visits(communicator);
    } else {
      int gpus = 0;
      cudaGetDeviceCount(&gpus);
      std::vector<int> devices{0};
      for (int gpu = 1; gpu < gpus; ++gpu) { devices.push_back(gpu); }
      if (gpus < 2) { devices.push_back(0); }
      slotscape::for_each_peer(devices, [&](slotscape::PeerCommunicator& communicator) {
        if (!count_visits(communicator)) { throw slotscape::Error("The counts are wrong."); }
      });
    }
  } catch (slotscape::Error const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return is_right ? 0 : 1;
}
