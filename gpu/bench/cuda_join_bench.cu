#include "gpu/bench/backends.hpp"
#include "gpu/bench/join_bench_of.hpp"
#include "gpu/execution/cuda.cuh"

namespace slotscape::bench {

template <>
std::unique_ptr<JoinBench> make_join_bench_on<exec::Cuda>(JoinCase const& subject)
{
  return join_bench_of<exec::Cuda>(subject);
}
template <>
std::unique_ptr<GroupBench> make_group_bench_on<exec::Cuda>(GroupCase const& subject)
{
  return group_bench_of<exec::Cuda>(subject);
}

}  // namespace slotscape::bench
