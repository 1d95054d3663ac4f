#pragma once

#include "gpu/bench/build_trial.hpp"
#include "gpu/bench/join_bench.hpp"
#include "gpu/bench/memory_bench.hpp"
#include "gpu/bench/multivalue_bench.hpp"
#include "gpu/bench/texels.hpp"
#include "gpu/execution/dispatch.hpp"

namespace slotscape::bench {

/// The functions that take a backend, specialised for each backend; the case must be valid.
template <class Exec>
std::unique_ptr<TableBench> make_table_bench_on(TableCase const& subject);
template <>
std::unique_ptr<TableBench> make_table_bench_on<exec::Cpu>(TableCase const& subject);
template <>
std::unique_ptr<TableBench> make_table_bench_on<exec::Cuda>(TableCase const& subject);
template <class Exec>
std::optional<MemoryRates> measure_memory_on(MemorySettings const& settings, Progress const& progress);
template <>
std::optional<MemoryRates> measure_memory_on<exec::Cpu>(MemorySettings const& settings, Progress const& progress);
template <>
std::optional<MemoryRates> measure_memory_on<exec::Cuda>(MemorySettings const& settings, Progress const& progress);
template <class Exec>
std::unique_ptr<Texels> make_texels_on(std::uint64_t count);
template <>
std::unique_ptr<Texels> make_texels_on<exec::Cpu>(std::uint64_t count);
template <>
std::unique_ptr<Texels> make_texels_on<exec::Cuda>(std::uint64_t count);
template <class Exec>
std::unique_ptr<MultiValueBench> make_multivalue_bench_on(MultiValueCase const& subject);
template <>
std::unique_ptr<MultiValueBench> make_multivalue_bench_on<exec::Cpu>(MultiValueCase const& subject);
template <>
std::unique_ptr<MultiValueBench> make_multivalue_bench_on<exec::Cuda>(MultiValueCase const& subject);
template <class Exec>
std::unique_ptr<JoinBench> make_join_bench_on(JoinCase const& subject);
template <>
std::unique_ptr<JoinBench> make_join_bench_on<exec::Cpu>(JoinCase const& subject);
template <>
std::unique_ptr<JoinBench> make_join_bench_on<exec::Cuda>(JoinCase const& subject);
template <class Exec>
std::unique_ptr<GroupBench> make_group_bench_on(GroupCase const& subject);
template <>
std::unique_ptr<GroupBench> make_group_bench_on<exec::Cpu>(GroupCase const& subject);
template <>
std::unique_ptr<GroupBench> make_group_bench_on<exec::Cuda>(GroupCase const& subject);
template <class Exec>
std::unique_ptr<BuildTrials> make_build_trials_on(std::uint64_t pairs);
template <>
std::unique_ptr<BuildTrials> make_build_trials_on<exec::Cpu>(std::uint64_t pairs);
template <>
std::unique_ptr<BuildTrials> make_build_trials_on<exec::Cuda>(std::uint64_t pairs);

}  // namespace slotscape::bench
