#include "gpu/bench/backends.hpp"
#include "gpu/bench/memory_bench_of.hpp"
#include "gpu/bench/table_bench_of.hpp"
#include "gpu/bench/texels_of.hpp"
#include "gpu/execution/cpu.hpp"

namespace slotscape::bench {

template <>
std::unique_ptr<TableBench> make_table_bench_on<exec::Cpu>(TableCase const& subject)
{
  return make_table_bench_of<exec::Cpu>(subject);
}

template <>
std::optional<MemoryRates> measure_memory_on<exec::Cpu>(MemorySettings const& settings, Progress const& progress)
{
  return MemoryBench<exec::Cpu>(settings, progress).run();
}

template <>
std::unique_ptr<Texels> make_texels_on<exec::Cpu>(std::uint64_t count)
{
  return std::make_unique<TexelsOf<exec::Cpu>>(count);
}

}  // namespace slotscape::bench
