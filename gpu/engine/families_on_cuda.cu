#include "gpu/engine/engine_over.hpp"
#include "gpu/engine/make_engine.hpp"
#include "gpu/execution/cuda.cuh"

namespace slotscape {

// Each family's own file defines these.
#define SLOTSCAPE_FAMILY(name)                           \
  MakeTable<exec::Cuda, Narrow> narrow_on_cuda_##name(); \
  MakeTable<exec::Cuda, Wide> wide_on_cuda_##name();
#include "families.inc"
#undef SLOTSCAPE_FAMILY

std::unique_ptr<Engine> make_cuda_engine(TableSettings const& settings)
{
  bool const wide = settings.key_bits == 64;
#define SLOTSCAPE_FAMILY(name)                                         \
  if (settings.family == #name) {                                      \
    return wide ? make_engine_over(wide_on_cuda_##name(), settings)    \
                : make_engine_over(narrow_on_cuda_##name(), settings); \
  }
#include "families.inc"
#undef SLOTSCAPE_FAMILY
  throw std::logic_error("no such family: " + settings.family);
}

}  // namespace slotscape
