#pragma once

#include "gpu/execution/cpu.hpp"
#include "gpu/execution/cpu_copy_stream.hpp"
#include "gpu/library/families.hpp"
#include "gpu/library/multi_table.hpp"
#include "gpu/library/paged_table.hpp"
#include "gpu/library/sharded_table.hpp"
#include "gpu/library/typed_set.hpp"

namespace slotscape {

namespace library {

/// A CPU executor with a table's memory options.
std::unique_ptr<exec::Cpu> cpu_of(auto const& options)
{
  return std::make_unique<exec::Cpu>(exec::Memories(options.memory, options.scratch));
}

}  // namespace library

/// A hash table in host memory, used by all cores. Family: from namespace `families`. Keys: how keys are told apart,
/// `ByBits`, `Unreserved` or `HashedBy`. If Key and Value are both std::uint32_t or std::uint64_t, its members are
/// those of `BasicTable`; otherwise those of `PackedTable` if keys and values fit into 8 bytes, else of `RowTable`.
template <TableFamily Family, class Key = std::uint32_t, class Value = Key, class Keys = ByBits>
class CpuTable final : public library::TableFor<Family, exec::Cpu, Key, Value, Keys> {
  using Base = library::TableFor<Family, exec::Cpu, Key, Value, Keys>;

public:
  explicit CpuTable(TableOptions const& options) : Base(options, library::cpu_of(options)) {}
  CpuTable(TableOptions const& options, Keys const& keys) : Base(options, library::cpu_of(options), keys) {}
};

/// A table of keys with several values each, in host memory. Its arguments are those of `CpuTable`.
template <TableFamily Family, class Key = std::uint32_t, class Value = Key, class Keys = ByBits>
class CpuMultiTable final : public BasicMultiTable<Family, exec::Cpu, Key, Value, Keys> {
  using Base = BasicMultiTable<Family, exec::Cpu, Key, Value, Keys>;

public:
  explicit CpuMultiTable(MultiTableOptions const& options = {}) : Base(options, library::cpu_of(options)) {}
  CpuMultiTable(MultiTableOptions const& options, Keys const& keys) : Base(options, library::cpu_of(options), keys) {}
};

/// A hash table of keys without values. If keys are std::uint32_t or std::uint64_t, in a family that stores keys alone
/// (`StoresKeysAlone`), its members are those of `BasicSet`, and it takes half the memory of a table; otherwise they
/// are those of `TypedSet`.
template <TableFamily Family, class Key = std::uint32_t, class Keys = ByBits>
class CpuSet final : public library::SetFor<Family, exec::Cpu, Key, Keys> {
  using Base = library::SetFor<Family, exec::Cpu, Key, Keys>;

public:
  explicit CpuSet(SetOptions const& options) : Base(options, library::cpu_of(options)) {}
  CpuSet(SetOptions const& options, Keys const& keys) : Base(options, library::cpu_of(options), keys) {}
};

/// A hash table in pages, all in host memory: the counterpart of `CudaPagedTable` for tests. Key: std::uint32_t or
/// std::uint64_t; values have the same type.
template <TableFamily Family, class Key_ = std::uint32_t>
class CpuPagedTable final : public BasicPagedTable<Family, exec::Cpu, FormatOf<Key_>> {
  using Base = BasicPagedTable<Family, exec::Cpu, FormatOf<Key_>>;

public:
  explicit CpuPagedTable(TableOptions const& options, PagingOptions const& how = {})
      : Base(options, how, library::cpu_of(options))
  {
  }
};

/// A hash table in shards, in host memory. Key: std::uint32_t or std::uint64_t; values have the same type.
template <TableFamily Family, class Key_ = std::uint32_t>
class CpuShardedTable final : public BasicShardedTable<CpuTable<Family, Key_>, exec::Cpu> {
  using Base = BasicShardedTable<CpuTable<Family, Key_>, exec::Cpu>;

public:
  explicit CpuShardedTable(TableOptions const& options, ShardOptions const& how = {})
      : Base(options, how, library::cpu_of(options),
             [](TableOptions const& shard) { return std::make_unique<CpuTable<Family, Key_>>(shard); })
  {
  }
};

}  // namespace slotscape
