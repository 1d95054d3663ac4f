#include "gpu/execution/cuda_rounds.cuh"
#include "gpu/spatial/cuda_pipelines.cuh"
#include "gpu/spatial/pipeline_of.hpp"
#include "gpu/tables/formula_hasher.hpp"
#include "gpu/tables/linear_probing.hpp"

namespace slotscape::spatial {

std::unique_ptr<Pipeline<exec::Cuda>> make_formula_pipeline(exec::Cuda& exec, bool wide)
{
  if (wide) { return make_pipeline_of<ByFormula<LinearProbing>, exec::Cuda, Wide>(exec); }
  return make_pipeline_of<ByFormula<LinearProbing>, exec::Cuda, Narrow>(exec);
}

}  // namespace slotscape::spatial
