#include "gpu/engine/engine_of.hpp"
#include "gpu/engine/engine_over.hpp"
#include "gpu/execution/cuda_select.cuh"

namespace slotscape {

template <exec::Executor Exec, PairFormat Format>
std::unique_ptr<Engine> make_engine_over(MakeTable<Exec, Format> make_table, TableSettings const& settings)
{
  return std::make_unique<EngineOf<Exec, Format>>(settings, make_table);
}

template std::unique_ptr<Engine> make_engine_over<exec::Cuda, Narrow>(MakeTable<exec::Cuda, Narrow>,
                                                                      TableSettings const&);
template std::unique_ptr<Engine> make_engine_over<exec::Cuda, Wide>(MakeTable<exec::Cuda, Wide>, TableSettings const&);

}  // namespace slotscape
