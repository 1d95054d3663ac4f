#include "gpu/execution/cuda_select.cuh"
#include "gpu/matching/engine_of.hpp"
#include "gpu/matching/make_engine.hpp"

namespace slotscape::matching {

std::unique_ptr<MatchEngine> make_cuda_match_engine()
{
  return std::make_unique<MatchEngineOf<exec::Cuda>>();
}

}  // namespace slotscape::matching
