#include <slotscape/table.hpp>

#include "table_of.hpp"

namespace slotscape::python {
namespace {

struct OnCpu {
  template <class Key, class Value>
  using Table = CpuTable<families::linear_probing, Key, Value>;
  template <class Key, class Value>
  using MultiTable = CpuMultiTable<families::linear_probing, Key, Value>;

  template <class T, class Options>
  static T make(Options const& options, std::uintptr_t)
  {
    return T(options);
  }
};

}  // namespace

std::unique_ptr<AnyTable> make_table(Number keys, Number values, std::uint64_t capacity, std::uintptr_t stream)
{
  return table_on<OnCpu>(keys, values, capacity, stream);
}
std::unique_ptr<AnyRows> make_rows(Number keys, std::uintptr_t stream)
{
  return rows_on<OnCpu>(keys, stream);
}

}  // namespace slotscape::python
