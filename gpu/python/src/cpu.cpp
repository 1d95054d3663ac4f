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

template <>
std::unique_ptr<AnyTable> make_table<SLOTSCAPE_PYTHON_KEY>(Number values, std::uint64_t capacity, std::uintptr_t stream)
{
  return table_on<OnCpu, SLOTSCAPE_PYTHON_KEY>(values, capacity, stream);
}
template <>
std::unique_ptr<AnyRows> make_rows<SLOTSCAPE_PYTHON_KEY>(std::uintptr_t stream)
{
  return std::make_unique<RowsOf<OnCpu, SLOTSCAPE_PYTHON_KEY>>(stream);
}

}  // namespace slotscape::python
