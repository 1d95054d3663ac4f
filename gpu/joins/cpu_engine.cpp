#include "gpu/execution/cpu.hpp"
#include "gpu/joins/engine_of.hpp"
#include "gpu/joins/make_engine.hpp"

namespace slotscape::joins {

template <>
std::unique_ptr<Engine> make_engine_on<exec::Cpu>(Settings const& settings)
{
  return make_engine_of<exec::Cpu>(settings);
}

}  // namespace slotscape::joins
