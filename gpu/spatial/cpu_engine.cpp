#include "gpu/execution/cpu.hpp"
#include "gpu/spatial/engine_of.hpp"
#include "gpu/spatial/make_engine.hpp"
#include "gpu/spatial/normals.hpp"
#include "gpu/spatial/pipeline_of.hpp"
#include "gpu/tables/formula_hasher.hpp"
#include "gpu/tables/linear_probing.hpp"

namespace slotscape::spatial {

template <>
std::unique_ptr<Pipeline<exec::Cpu>> make_pipeline(exec::Cpu& exec, PipelineKind const& kind)
{
  using Formula = ByFormula<LinearProbing>;
  if (kind.family == "two_level_cuckoo") { return make_pipeline_of<TwoLevelCuckoo, exec::Cpu, Narrow>(exec); }
  if (kind.by_formula && kind.wide) { return make_pipeline_of<Formula, exec::Cpu, Wide>(exec); }
  if (kind.by_formula) { return make_pipeline_of<Formula, exec::Cpu, Narrow>(exec); }
  if (kind.wide) { return make_pipeline_of<LinearProbing, exec::Cpu, Wide>(exec); }
  return make_pipeline_of<LinearProbing, exec::Cpu, Narrow>(exec);
}

template <>
std::vector<Vector> normals_of(exec::Cpu& exec, std::span<Vector const> positions)
{
  return NormalEstimate<exec::Cpu>(exec, positions).run();
}

template <>
std::unique_ptr<SpatialEngine> make_engine_on<exec::Cpu>()
{
  return std::make_unique<SpatialEngineOf<exec::Cpu>>();
}
template <>
std::unique_ptr<InstancePainter> make_painter_on<exec::Cpu>()
{
  return std::make_unique<InstancePainterOf<exec::Cpu>>();
}

}  // namespace slotscape::spatial
