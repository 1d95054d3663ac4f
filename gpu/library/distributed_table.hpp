#pragma once

#include "gpu/library/basic_distributed_table.hpp"
#include "gpu/library/table.hpp"

#include <cstdint>
#include <memory>

namespace slotscape {

/// A hash table that is divided among ranks, each with a shard in its host's memory. Key: std::uint32_t or
/// std::uint64_t; values have the same type. Communicator: by default, ranks are threads of one process.
template <TableFamily Family, class Key_ = std::uint32_t, class Communicator = ThreadCommunicator>
class CpuDistributedTable final : public BasicDistributedTable<CpuTable<Family, Key_>, exec::Cpu, Communicator> {
  using Base = BasicDistributedTable<CpuTable<Family, Key_>, exec::Cpu, Communicator>;

public:
  /// options: of the rank's own shard; `slots_for` computes its slots. All ranks construct their tables together.
  CpuDistributedTable(TableOptions const& options, Communicator& communicator, PieceOptions const& how = {})
      : Base(communicator, how, library::cpu_of(options), std::make_unique<CpuTable<Family, Key_>>(options), true)
  {
  }
};

}  // namespace slotscape
