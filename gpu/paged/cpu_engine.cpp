#include "gpu/library/table.hpp"
#include "gpu/paged/engine_of.hpp"

namespace slotscape::paged {

template <>
std::unique_ptr<PagedEngine> make_engine_on<exec::Cpu>(Making const& making)
{
  return make_engine_of<exec::Cpu, CpuPagedTable>(making);
}

}  // namespace slotscape::paged
