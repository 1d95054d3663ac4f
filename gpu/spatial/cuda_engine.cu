#include "gpu/execution/cuda.cuh"
#include "gpu/spatial/cuda_pipelines.cuh"
#include "gpu/spatial/engine_of.hpp"
#include "gpu/spatial/make_engine.hpp"
#include "gpu/spatial/normals.hpp"

namespace slotscape::spatial {

template <>
std::unique_ptr<Pipeline<exec::Cuda>> make_pipeline(exec::Cuda& exec, PipelineKind const& kind)
{
  if (kind.family == "two_level_cuckoo") { return make_two_level_cuckoo_pipeline(exec); }
  return kind.by_formula ? make_formula_pipeline(exec, kind.wide) : make_linear_probing_pipeline(exec, kind.wide);
}

template <>
std::vector<Vector> normals_of(exec::Cuda& exec, std::span<Vector const> positions)
{
  return NormalEstimate<exec::Cuda>(exec, positions).run();
}

template <>
std::unique_ptr<SpatialEngine> make_engine_on<exec::Cuda>()
{
  return std::make_unique<SpatialEngineOf<exec::Cuda>>();
}
template <>
std::unique_ptr<InstancePainter> make_painter_on<exec::Cuda>()
{
  return std::make_unique<InstancePainterOf<exec::Cuda>>();
}

}  // namespace slotscape::spatial
