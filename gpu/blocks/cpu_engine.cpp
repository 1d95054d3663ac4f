#include "gpu/blocks/engine_of.hpp"
#include "gpu/blocks/make_engine.hpp"
#include "gpu/execution/cpu.hpp"

namespace slotscape::blocks {

template <>
std::unique_ptr<BlocksEngine> make_engine_on<exec::Cpu>()
{
  return std::make_unique<BlocksEngineOf<exec::Cpu>>();
}

}  // namespace slotscape::blocks
