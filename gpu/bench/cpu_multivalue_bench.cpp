#include "gpu/bench/backends.hpp"
#include "gpu/bench/build_trial_of.hpp"
#include "gpu/bench/multivalue_bench_of.hpp"
#include "gpu/execution/cpu.hpp"

namespace slotscape::bench {

std::unique_ptr<MultiValueBench> make_cpu_multivalue_bench(MultiValueCase const& subject)
{
  if (subject.settings.key_bits == 64) { return multivalue_bench_of<exec::Cpu, Wide>(subject); }
  return multivalue_bench_of<exec::Cpu, Narrow>(subject);
}

std::unique_ptr<BuildTrials> make_cpu_build_trials(std::uint64_t pairs)
{
  return std::make_unique<BuildTrialsOf<exec::Cpu>>(pairs);
}

}  // namespace slotscape::bench
