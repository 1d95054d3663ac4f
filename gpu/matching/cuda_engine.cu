#include "gpu/execution/cuda_select.cuh"
#include "gpu/matching/engine_of.hpp"
#include "gpu/matching/make_engine.hpp"

namespace slotscape::matching {

template <>
std::unique_ptr<MatchEngine> make_engine_on<exec::Cuda>()
{
  return std::make_unique<MatchEngineOf<exec::Cuda>>();
}

}  // namespace slotscape::matching
