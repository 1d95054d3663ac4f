#include "gpu/bench/backends.hpp"
#include "gpu/bench/memory_bench_of.hpp"
#include "gpu/bench/table_bench_of.hpp"
#include "gpu/bench/texels_of.hpp"
#include "gpu/execution/cuda.cuh"

namespace slotscape::bench {

std::unique_ptr<TableBench> make_cuda_table_bench(TableCase const& subject)
{
  return make_table_bench_on<exec::Cuda>(subject);
}

std::optional<MemoryRates> measure_cuda_memory(MemorySettings const& settings, GoOn const& go_on)
{
  return MemoryBench<exec::Cuda>(settings, go_on).run();
}

std::unique_ptr<Texels> make_cuda_texels(std::uint64_t count)
{
  return std::make_unique<TexelsOf<exec::Cuda>>(count);
}

}  // namespace slotscape::bench
