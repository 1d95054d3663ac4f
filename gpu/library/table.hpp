#pragma once

#include "gpu/execution/cpu.hpp"
#include "gpu/library/families.hpp"
#include "gpu/library/multi_table.hpp"

namespace slotscape {

/// A hash table in the memory of the host, used by all cores. Family: of namespace `families`. Keys: how they are told
/// apart, `ByBits`, `Unreserved` or `HashedBy`. If Key and Value are both std::uint32_t or std::uint64_t, its members
/// are those of `BasicTable`; otherwise those of `PackedTable`, where keys and values fit into 8 bytes, or of
/// `RowTable`.
template <TableFamily Family, class Key = std::uint32_t, class Value = Key, class Keys = ByBits>
class CpuTable final : public library::TableFor<Family, exec::Cpu, Key, Value, Keys> {
  using Base = library::TableFor<Family, exec::Cpu, Key, Value, Keys>;

public:
  explicit CpuTable(TableOptions const& options) : Base(options, std::make_unique<exec::Cpu>()) {}
  CpuTable(TableOptions const& options, Keys const& keys) : Base(options, std::make_unique<exec::Cpu>(), keys) {}
};

/// A table of keys with several values each, in the memory of the host. Its arguments are those of `CpuTable`.
template <TableFamily Family, class Key = std::uint32_t, class Value = Key, class Keys = ByBits>
class CpuMultiTable final : public BasicMultiTable<Family, exec::Cpu, Key, Value, Keys> {
  using Base = BasicMultiTable<Family, exec::Cpu, Key, Value, Keys>;

public:
  explicit CpuMultiTable(MultiTableOptions const& options = {}) : Base(options, std::make_unique<exec::Cpu>()) {}
  CpuMultiTable(MultiTableOptions const& options, Keys const& keys) : Base(options, std::make_unique<exec::Cpu>(), keys)
  {
  }
};

/// A hash table of keys without values, at half the memory.
template <StoresKeysAlone Family, class Key_ = std::uint32_t>
class CpuSet final : public BasicSet<Family, exec::Cpu, SetFormatOf<Key_>> {
public:
  explicit CpuSet(SetOptions const& options)
      : BasicSet<Family, exec::Cpu, SetFormatOf<Key_>>(options, std::make_unique<exec::Cpu>())
  {
  }
};

}  // namespace slotscape
