#include "gpu/engine/engine_of.hpp"
#include "gpu/engine/families.hpp"
#include "gpu/engine/make_engine.hpp"
#include "gpu/execution/cuda_select.cuh"

namespace slotscape {

template <>
std::unique_ptr<Engine> make_engine_on<exec::Cuda>(TableSettings const& settings)
{
  FamilyOn<exec::Cuda> const& family = family_on<exec::Cuda>(settings.family);
  if (settings.key_bits == 64) { return std::make_unique<EngineOf<exec::Cuda, Wide>>(settings, family.wide); }
  return std::make_unique<EngineOf<exec::Cuda, Narrow>>(settings, family.narrow);
}

}  // namespace slotscape
