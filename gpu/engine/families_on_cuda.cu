#include "gpu/engine/engine_over.hpp"
#include "gpu/engine/make_engine.hpp"
#include "gpu/engine/make_set.hpp"
#include "gpu/engine/make_table.hpp"
#include "gpu/execution/cuda.cuh"

namespace slotscape {

// Each family's own file defines these.
#define SLOTSCAPE_FAMILY(name)                                \
  MakeTable<exec::Cuda, Narrow> narrow_on_cuda_##name();      \
  MakeTable<exec::Cuda, Wide> wide_on_cuda_##name();          \
  MakeSet<exec::Cuda, NarrowSet> narrow_set_on_cuda_##name(); \
  MakeSet<exec::Cuda, WideSet> wide_set_on_cuda_##name();
#include "families.inc"
#undef SLOTSCAPE_FAMILY

template <>
MakeTable<exec::Cuda, Narrow> table_maker_of(std::string const& family)
{
#define SLOTSCAPE_FAMILY(name) \
  if (family == #name) { return narrow_on_cuda_##name(); }
#include "families.inc"
#undef SLOTSCAPE_FAMILY
  throw std::logic_error("no such family: " + family);
}

template <>
MakeTable<exec::Cuda, Wide> table_maker_of(std::string const& family)
{
#define SLOTSCAPE_FAMILY(name) \
  if (family == #name) { return wide_on_cuda_##name(); }
#include "families.inc"
#undef SLOTSCAPE_FAMILY
  throw std::logic_error("no such family: " + family);
}

template <>
MakeSet<exec::Cuda, NarrowSet> set_maker_of(std::string const& family)
{
#define SLOTSCAPE_FAMILY(name) \
  if (family == #name) { return narrow_set_on_cuda_##name(); }
#include "families.inc"
#undef SLOTSCAPE_FAMILY
  throw std::logic_error("no such family: " + family);
}

template <>
MakeSet<exec::Cuda, WideSet> set_maker_of(std::string const& family)
{
#define SLOTSCAPE_FAMILY(name) \
  if (family == #name) { return wide_set_on_cuda_##name(); }
#include "families.inc"
#undef SLOTSCAPE_FAMILY
  throw std::logic_error("no such family: " + family);
}

std::unique_ptr<Engine> make_cuda_engine(TableSettings const& settings)
{
  return settings.key_bits == 64 ? make_engine_over(table_maker_of<exec::Cuda, Wide>(settings.family), settings)
                                 : make_engine_over(table_maker_of<exec::Cuda, Narrow>(settings.family), settings);
}

}  // namespace slotscape
