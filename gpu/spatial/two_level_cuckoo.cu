#include "gpu/execution/cuda_rounds.cuh"
#include "gpu/spatial/cuda_pipelines.cuh"
#include "gpu/spatial/pipeline_of.hpp"

namespace slotscape::spatial {

std::unique_ptr<Pipeline<exec::Cuda>> make_two_level_cuckoo_pipeline(exec::Cuda& exec)
{
  return make_pipeline_of<TwoLevelCuckoo, exec::Cuda, Narrow>(exec);
}

}  // namespace slotscape::spatial
