#include <slotscape/cuda_table.cuh>

#include "table_of.hpp"

namespace slotscape::python {
namespace {

struct OnCuda {
  template <class Key, class Value>
  using Table = CudaTable<families::segmented_cuckoo, Key, Value>;
  template <class Key, class Value>
  using MultiTable = CudaMultiTable<families::segmented_cuckoo, Key, Value>;

  template <class T, class Options>
  static T make(Options const& options, std::uintptr_t stream)
  {
    return T(options, reinterpret_cast<cudaStream_t>(stream));
  }
};

}  // namespace

template <>
std::unique_ptr<AnyTable> make_table<SLOTSCAPE_PYTHON_KEY>(Number values, std::uint64_t capacity, std::uintptr_t stream)
{
  return table_on<OnCuda, SLOTSCAPE_PYTHON_KEY>(values, capacity, stream);
}
template <>
std::unique_ptr<AnyRows> make_rows<SLOTSCAPE_PYTHON_KEY>(std::uintptr_t stream)
{
  return std::make_unique<RowsOf<OnCuda, SLOTSCAPE_PYTHON_KEY>>(stream);
}

}  // namespace slotscape::python
