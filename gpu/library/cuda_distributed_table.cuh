#pragma once

#include "gpu/library/cuda_table.cuh"
// Warnings about functions for both host and device, as in cuda_table.cuh.
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20011, 20014
#include "gpu/library/basic_distributed_table.hpp"
#include "gpu/library/nccl_communicator.hpp"
#include "gpu/library/peer_communicator.hpp"

#include <cstdint>
#include <memory>

namespace slotscape {

/// A hash table that is divided among ranks, each with a shard in the memory of its own GPU. Key: std::uint32_t or
/// std::uint64_t; values have the same type. Communicator: NCCL by default.
template <TableFamily Family, class Key_ = std::uint32_t, class Communicator = NcclCommunicator>
class CudaDistributedTable final : public BasicDistributedTable<CudaTable<Family, Key_>, exec::Cuda, Communicator> {
  using Base = BasicDistributedTable<CudaTable<Family, Key_>, exec::Cuda, Communicator>;

public:
  /// options: of the rank's own shard; `slots_for` computes its slots. The table is made on the current CUDA device,
  /// which the communicator must use, too. The stream must outlive the table. All ranks construct their tables
  /// together.
  CudaDistributedTable(TableOptions const& options, Communicator& communicator, cudaStream_t stream = nullptr,
                       PieceOptions const& how = {})
      : Base(communicator, how, library::cuda_of(options, stream),
             std::make_unique<CudaTable<Family, Key_>>(options, stream), options.memory.is_default())
  {
  }
};

}  // namespace slotscape

#pragma nv_diagnostic pop
