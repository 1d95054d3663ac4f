#pragma once

#include "gpu/engine/batch.hpp"
#include "gpu/execution/executor.hpp"
#include "gpu/tables/family.hpp"

namespace slotscape {

/// A table that runs batches but cannot be inspected: the part of a running table without queries, for programs that
/// use the library.
template <exec::Executor Exec, PairFormat Format>
class BareTable {
public:
  static constexpr bool counts_moves = false;

  virtual ~BareTable() = default;
  virtual FamilyInfo const& info() const = 0;
  virtual TableSettings const& settings() const = 0;
  virtual std::uint64_t memory_bytes() const = 0;
  virtual typename Format::Word const* words() const = 0;
  virtual void clear() = 0;
  virtual Tally run(Batch<Format> const& batch, double& seconds) = 0;
  virtual void copy_from(BareTable const& other) = 0;
};

}  // namespace slotscape
