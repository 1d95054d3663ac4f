#include "gpu/execution/cuda.cuh"
#include "gpu/multivalue/engine_of.hpp"
#include "gpu/multivalue/make_engine.hpp"
#include "gpu/multivalue/multi_value_table_of.hpp"

namespace slotscape::multivalue {

template <>
std::unique_ptr<MultiValueTable<exec::Cuda, Narrow>> make_table(exec::Cuda& exec, Settings const& settings)
{
  return make_table_of<exec::Cuda, Narrow>(exec, settings);
}
template <>
std::unique_ptr<MultiValueTable<exec::Cuda, Wide>> make_table(exec::Cuda& exec, Settings const& settings)
{
  return make_table_of<exec::Cuda, Wide>(exec, settings);
}

template <>
std::unique_ptr<Engine> make_engine_on<exec::Cuda>(Settings const& settings)
{
  return make_engine_of<exec::Cuda>(settings);
}

}  // namespace slotscape::multivalue
