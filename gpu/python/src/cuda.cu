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

std::unique_ptr<AnyTable> make_table(Number keys, Number values, std::uint64_t capacity, std::uintptr_t stream)
{
  return table_on<OnCuda>(keys, values, capacity, stream);
}
std::unique_ptr<AnyRows> make_rows(Number keys, std::uintptr_t stream)
{
  return rows_on<OnCuda>(keys, stream);
}

}  // namespace slotscape::python
