#pragma once

#include "gpu/bench/build_trial.hpp"
#include "gpu/bench/memory_bench.hpp"
#include "gpu/bench/multivalue_bench.hpp"
#include "gpu/bench/texels.hpp"

namespace slotscape::bench {

/// As the functions without a backend's name, for one backend; the case must be valid.
std::unique_ptr<TableBench> make_cpu_table_bench(TableCase const& subject);
std::optional<MemoryRates> measure_cpu_memory(MemorySettings const& settings, GoOn const& go_on);
std::unique_ptr<Texels> make_cpu_texels(std::uint64_t count);
std::unique_ptr<MultiValueBench> make_cpu_multivalue_bench(MultiValueCase const& subject);
std::unique_ptr<BuildTrials> make_cpu_build_trials(std::uint64_t pairs);
#if SLOTSCAPE_HAS_CUDA
std::unique_ptr<TableBench> make_cuda_table_bench(TableCase const& subject);
std::optional<MemoryRates> measure_cuda_memory(MemorySettings const& settings, GoOn const& go_on);
std::unique_ptr<Texels> make_cuda_texels(std::uint64_t count);
std::unique_ptr<MultiValueBench> make_cuda_multivalue_bench(MultiValueCase const& subject);
std::unique_ptr<BuildTrials> make_cuda_build_trials(std::uint64_t pairs);
#endif

}  // namespace slotscape::bench
