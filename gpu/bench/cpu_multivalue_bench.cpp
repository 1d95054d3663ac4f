#include "gpu/bench/backends.hpp"
#include "gpu/bench/build_trial_of.hpp"
#include "gpu/bench/multivalue_bench_of.hpp"
#include "gpu/execution/cpu.hpp"

namespace slotscape::bench {

template <class Exec>
std::unique_ptr<MultiValueBench> make_multivalue_bench_on(MultiValueCase const& subject)
{
  if (subject.settings.key_bits == 64) { return multivalue_bench_of<Exec, Wide>(subject); }
  return multivalue_bench_of<Exec, Narrow>(subject);
}

template std::unique_ptr<MultiValueBench> make_multivalue_bench_on<exec::Cpu>(MultiValueCase const&);
template std::unique_ptr<BuildTrials> make_build_trials_on<exec::Cpu>(std::uint64_t);

}  // namespace slotscape::bench
