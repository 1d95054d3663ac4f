#include "gpu/bench/backends.hpp"
#include "gpu/bench/build_trial_of.hpp"
#include "gpu/bench/multivalue_bench_of.hpp"
#include "gpu/execution/cpu.hpp"

namespace slotscape::bench {

template <>
std::unique_ptr<MultiValueBench> make_multivalue_bench_on<exec::Cpu>(MultiValueCase const& subject)
{
  if (subject.settings.key_bits == 64) { return multivalue_bench_of<exec::Cpu, Wide>(subject); }
  return multivalue_bench_of<exec::Cpu, Narrow>(subject);
}

template <>
std::unique_ptr<BuildTrials> make_build_trials_on<exec::Cpu>(std::uint64_t pairs)
{
  return std::make_unique<BuildTrialsOf<exec::Cpu>>(pairs);
}

}  // namespace slotscape::bench
