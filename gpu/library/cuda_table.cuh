#pragma once

// These warnings concern functions for both host and device, which are called with memory of either.
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20011, 20014
#include "gpu/execution/cuda_algorithms.cuh"
#include "gpu/execution/cuda_copy_stream.cuh"
#include "gpu/execution/pinned_memory.hpp"
#include "gpu/library/families.hpp"
#include "gpu/library/multi_table.hpp"
#include "gpu/library/paged_table.hpp"
#include "gpu/library/sharded_table.hpp"
#include "gpu/library/typed_set.hpp"

namespace slotscape {

namespace library {

/// An executor on the current CUDA device with a table's memory options.
std::unique_ptr<exec::Cuda> cuda_of(auto const& options, cudaStream_t stream)
{
  return std::make_unique<exec::Cuda>(stream, exec::Memories(options.memory, options.scratch));
}

}  // namespace library

/// A hash table in the memory of the current CUDA device, whose work goes to one stream. Its arguments are those of
/// `CpuTable`.
template <TableFamily Family, class Key = std::uint32_t, class Value = Key, class Keys = ByBits>
class CudaTable final : public library::TableFor<Family, exec::Cuda, Key, Value, Keys> {
  using Base = library::TableFor<Family, exec::Cuda, Key, Value, Keys>;

public:
  /// The stream must outlive the table.
  explicit CudaTable(TableOptions const& options, cudaStream_t stream = nullptr)
      : Base(options, library::cuda_of(options, stream))
  {
  }
  CudaTable(TableOptions const& options, Keys const& keys, cudaStream_t stream = nullptr)
      : Base(options, library::cuda_of(options, stream), keys)
  {
  }
};

/// A table of keys with several values each, in the memory of the current CUDA device.
template <TableFamily Family, class Key = std::uint32_t, class Value = Key, class Keys = ByBits>
class CudaMultiTable final : public BasicMultiTable<Family, exec::Cuda, Key, Value, Keys> {
  using Base = BasicMultiTable<Family, exec::Cuda, Key, Value, Keys>;

public:
  /// The stream must outlive the table.
  explicit CudaMultiTable(MultiTableOptions const& options = {}, cudaStream_t stream = nullptr)
      : Base(options, library::cuda_of(options, stream))
  {
  }
  CudaMultiTable(MultiTableOptions const& options, Keys const& keys, cudaStream_t stream = nullptr)
      : Base(options, library::cuda_of(options, stream), keys)
  {
  }
};

/// A hash table of keys without values, like `CpuSet`.
template <TableFamily Family, class Key = std::uint32_t, class Keys = ByBits>
class CudaSet final : public library::SetFor<Family, exec::Cuda, Key, Keys> {
  using Base = library::SetFor<Family, exec::Cuda, Key, Keys>;

public:
  /// The stream must outlive the set.
  explicit CudaSet(SetOptions const& options, cudaStream_t stream = nullptr)
      : Base(options, library::cuda_of(options, stream))
  {
  }
  CudaSet(SetOptions const& options, Keys const& keys, cudaStream_t stream = nullptr)
      : Base(options, library::cuda_of(options, stream), keys)
  {
  }
};

/// A hash table in pages, in pinned host memory, on which the current CUDA device works. The memory options are those
/// of the device, for the pages that it works on.
template <TableFamily Family, class Key_ = std::uint32_t>
class CudaPagedTable final : public BasicPagedTable<Family, exec::Cuda, FormatOf<Key_>> {
  using Base = BasicPagedTable<Family, exec::Cuda, FormatOf<Key_>>;

public:
  /// The stream must outlive the table.
  explicit CudaPagedTable(TableOptions const& options, PagingOptions const& how = {}, cudaStream_t stream = nullptr)
      : Base(options, how, library::cuda_of(options, stream))
  {
  }
};

/// A hash table in shards, all of them in the memory of the current CUDA device.
template <TableFamily Family, class Key_ = std::uint32_t>
class CudaShardedTable final : public BasicShardedTable<CudaTable<Family, Key_>, exec::Cuda> {
  using Base = BasicShardedTable<CudaTable<Family, Key_>, exec::Cuda>;

public:
  /// The stream must outlive the table.
  explicit CudaShardedTable(TableOptions const& options, ShardOptions const& how = {}, cudaStream_t stream = nullptr)
      : Base(options, how, library::cuda_of(options, stream),
             [=](TableOptions const& shard) { return std::make_unique<CudaTable<Family, Key_>>(shard, stream); })
  {
  }
};

}  // namespace slotscape

#pragma nv_diagnostic pop
