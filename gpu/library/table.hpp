#pragma once

#include "gpu/execution/cpu.hpp"
#include "gpu/library/basic_set.hpp"
#include "gpu/library/basic_table.hpp"
#include "gpu/library/families.hpp"

namespace slotscape {

/// A hash table in the memory of the host, used by all cores. Family: of namespace `families`. Key: std::uint32_t or
/// std::uint64_t; values have the same type.
template <TableFamily Family, class Key_ = std::uint32_t>
class CpuTable final : public BasicTable<Family, exec::Cpu, FormatOf<Key_>> {
public:
  explicit CpuTable(TableOptions const& options)
      : BasicTable<Family, exec::Cpu, FormatOf<Key_>>(options, std::make_unique<exec::Cpu>())
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
