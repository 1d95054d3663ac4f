#include "gpu/execution/cpu.hpp"
#include "gpu/multivalue/engine_of.hpp"
#include "gpu/multivalue/make_engine.hpp"
#include "gpu/multivalue/multi_value_table_of.hpp"

namespace slotscape::multivalue {

template <>
std::unique_ptr<MultiValueTable<exec::Cpu, Narrow>> make_table(exec::Cpu& exec, Settings const& settings)
{
  return make_table_of<exec::Cpu, Narrow>(exec, settings);
}
template <>
std::unique_ptr<MultiValueTable<exec::Cpu, Wide>> make_table(exec::Cpu& exec, Settings const& settings)
{
  return make_table_of<exec::Cpu, Wide>(exec, settings);
}

template <>
std::unique_ptr<Engine> make_engine_on<exec::Cpu>(Settings const& settings)
{
  return make_engine_of<exec::Cpu>(settings);
}

}  // namespace slotscape::multivalue
