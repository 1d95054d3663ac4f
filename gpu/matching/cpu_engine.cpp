#include "gpu/execution/cpu.hpp"
#include "gpu/matching/engine_of.hpp"
#include "gpu/matching/make_engine.hpp"

namespace slotscape::matching {

template <>
std::unique_ptr<MatchEngine> make_engine_on<exec::Cpu>()
{
  return std::make_unique<MatchEngineOf<exec::Cpu>>();
}

}  // namespace slotscape::matching
