#include "gpu/execution/cpu.hpp"
#include "gpu/multivalue/engine_of.hpp"
#include "gpu/multivalue/make_engine.hpp"

namespace slotscape::multivalue {

std::unique_ptr<Engine> make_cpu_engine(Settings const& settings)
{
  switch (settings.construction) {
    case Construction::two_level_cuckoo: return make_engine_of<TwoLevelCuckoo, exec::Cpu>(settings);
    case Construction::count_scan_scatter: return make_engine_of<LinearProbing, exec::Cpu>(settings);
    case Construction::sort: break;
  }
  return make_engine_of<SortedArray, exec::Cpu>(settings);
}

}  // namespace slotscape::multivalue
