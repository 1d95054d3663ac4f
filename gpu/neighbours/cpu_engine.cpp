#include "gpu/execution/cpu.hpp"
#include "gpu/neighbours/engine_of.hpp"
#include "gpu/neighbours/make_engine.hpp"

namespace slotscape::neighbours {

template <>
std::unique_ptr<NeighbourEngine> make_engine_on<exec::Cpu>()
{
  return std::make_unique<NeighbourEngineOf<exec::Cpu>>();
}

}  // namespace slotscape::neighbours
