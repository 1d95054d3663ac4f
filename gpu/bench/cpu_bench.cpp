#include "gpu/bench/backends.hpp"
#include "gpu/bench/memory_bench_of.hpp"
#include "gpu/bench/table_bench_of.hpp"
#include "gpu/bench/texels_of.hpp"
#include "gpu/execution/cpu.hpp"

namespace slotscape::bench {

std::unique_ptr<TableBench> make_cpu_table_bench(TableCase const& subject)
{
  return make_table_bench_on<exec::Cpu>(subject);
}

std::optional<MemoryRates> measure_cpu_memory(MemorySettings const& settings, GoOn const& go_on)
{
  return MemoryBench<exec::Cpu>(settings, go_on).run();
}

std::unique_ptr<Texels> make_cpu_texels(std::uint64_t count)
{
  return std::make_unique<TexelsOf<exec::Cpu>>(count);
}

}  // namespace slotscape::bench
