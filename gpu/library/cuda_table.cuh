#pragma once

// What both host and device run is called with the memory of either: that is what these warnings are about.
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20011, 20014
#include "gpu/execution/cuda_algorithms.cuh"
#include "gpu/library/basic_set.hpp"
#include "gpu/library/basic_table.hpp"
#include "gpu/library/families.hpp"

namespace slotscape {

/// A hash table in the memory of the present CUDA device, whose work goes to one stream. Family: of namespace
/// `families`. Key: std::uint32_t or std::uint64_t; values have the same type.
template <TableFamily Family, class Key_ = std::uint32_t>
class CudaTable final : public BasicTable<Family, exec::Cuda, FormatOf<Key_>> {
public:
  /// The stream must outlive the table.
  explicit CudaTable(TableOptions const& options, cudaStream_t stream = nullptr)
      : BasicTable<Family, exec::Cuda, FormatOf<Key_>>(options, std::make_unique<exec::Cuda>(stream))
  {
  }
};

/// A hash table of keys without values, at half the memory.
template <StoresKeysAlone Family, class Key_ = std::uint32_t>
class CudaSet final : public BasicSet<Family, exec::Cuda, SetFormatOf<Key_>> {
public:
  /// The stream must outlive the set.
  explicit CudaSet(SetOptions const& options, cudaStream_t stream = nullptr)
      : BasicSet<Family, exec::Cuda, SetFormatOf<Key_>>(options, std::make_unique<exec::Cuda>(stream))
  {
  }
};

}  // namespace slotscape

#pragma nv_diagnostic pop
