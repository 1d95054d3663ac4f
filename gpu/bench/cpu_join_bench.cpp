#include "gpu/bench/backends.hpp"
#include "gpu/bench/join_bench_of.hpp"
#include "gpu/execution/cpu.hpp"

namespace slotscape::bench {

template <>
std::unique_ptr<JoinBench> make_join_bench_on<exec::Cpu>(JoinCase const& subject)
{
  return join_bench_of<exec::Cpu>(subject);
}
template <>
std::unique_ptr<GroupBench> make_group_bench_on<exec::Cpu>(GroupCase const& subject)
{
  return group_bench_of<exec::Cpu>(subject);
}

}  // namespace slotscape::bench
