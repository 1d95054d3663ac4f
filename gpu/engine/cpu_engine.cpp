#include "gpu/engine/engine_of.hpp"
#include "gpu/engine/make_engine.hpp"
#include "gpu/execution/cpu.hpp"

namespace slotscape {

template <>
std::unique_ptr<Engine> make_engine_on<exec::Cpu>(TableSettings const& settings)
{
  return make_engine_of<exec::Cpu>(settings);
}

}  // namespace slotscape
