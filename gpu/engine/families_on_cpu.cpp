#include "gpu/engine/engine_over.hpp"
#include "gpu/engine/make_engine.hpp"
#include "gpu/engine/make_set.hpp"
#include "gpu/engine/make_table.hpp"
#include "gpu/execution/cpu.hpp"

namespace slotscape {

// Each family's own file defines these.
#define SLOTSCAPE_FAMILY(name)                              \
  MakeTable<exec::Cpu, Narrow> narrow_on_cpu_##name();      \
  MakeTable<exec::Cpu, Wide> wide_on_cpu_##name();          \
  MakeSet<exec::Cpu, NarrowSet> narrow_set_on_cpu_##name(); \
  MakeSet<exec::Cpu, WideSet> wide_set_on_cpu_##name();
#include "families.inc"
#undef SLOTSCAPE_FAMILY

template <>
MakeTable<exec::Cpu, Narrow> table_maker_of(std::string const& family)
{
#define SLOTSCAPE_FAMILY(name) \
  if (family == #name) { return narrow_on_cpu_##name(); }
#include "families.inc"
#undef SLOTSCAPE_FAMILY
  throw std::logic_error("no such family: " + family);
}

template <>
MakeTable<exec::Cpu, Wide> table_maker_of(std::string const& family)
{
#define SLOTSCAPE_FAMILY(name) \
  if (family == #name) { return wide_on_cpu_##name(); }
#include "families.inc"
#undef SLOTSCAPE_FAMILY
  throw std::logic_error("no such family: " + family);
}

template <>
MakeSet<exec::Cpu, NarrowSet> set_maker_of(std::string const& family)
{
#define SLOTSCAPE_FAMILY(name) \
  if (family == #name) { return narrow_set_on_cpu_##name(); }
#include "families.inc"
#undef SLOTSCAPE_FAMILY
  throw std::logic_error("no such family: " + family);
}

template <>
MakeSet<exec::Cpu, WideSet> set_maker_of(std::string const& family)
{
#define SLOTSCAPE_FAMILY(name) \
  if (family == #name) { return wide_set_on_cpu_##name(); }
#include "families.inc"
#undef SLOTSCAPE_FAMILY
  throw std::logic_error("no such family: " + family);
}

std::unique_ptr<Engine> make_cpu_engine(TableSettings const& settings)
{
  return settings.key_bits == 64 ? make_engine_over(table_maker_of<exec::Cpu, Wide>(settings.family), settings)
                                 : make_engine_over(table_maker_of<exec::Cpu, Narrow>(settings.family), settings);
}

}  // namespace slotscape
