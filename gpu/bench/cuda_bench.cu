#include "gpu/bench/backends.hpp"
#include "gpu/bench/memory_bench_of.hpp"
#include "gpu/bench/table_bench_of.hpp"
#include "gpu/bench/texels_of.hpp"
#include "gpu/execution/cuda.cuh"

namespace slotscape::bench {

template <>
std::unique_ptr<TableBench> make_table_bench_on<exec::Cuda>(TableCase const& subject)
{
  return make_table_bench_of<exec::Cuda>(subject);
}

template <>
std::optional<MemoryRates> measure_memory_on<exec::Cuda>(MemorySettings const& settings, Progress const& progress)
{
  return MemoryBench<exec::Cuda>(settings, progress).run();
}

template <>
std::unique_ptr<Texels> make_texels_on<exec::Cuda>(std::uint64_t count)
{
  return std::make_unique<TexelsOf<exec::Cuda>>(count);
}

}  // namespace slotscape::bench
