#pragma once

#include "gpu/bench/memory_bench.hpp"

namespace slotscape::bench {

/// As `make_table_bench` and `measure_memory`, for one backend; the case must be valid.
std::unique_ptr<TableBench> make_cpu_table_bench(TableCase const& subject);
std::optional<MemoryRates> measure_cpu_memory(MemorySettings const& settings, GoOn const& go_on);
#if SLOTSCAPE_HAS_CUDA
std::unique_ptr<TableBench> make_cuda_table_bench(TableCase const& subject);
std::optional<MemoryRates> measure_cuda_memory(MemorySettings const& settings, GoOn const& go_on);
#endif

}  // namespace slotscape::bench
