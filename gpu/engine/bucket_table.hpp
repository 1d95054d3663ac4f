#pragma once

#include "gpu/engine/find_many.hpp"
#include "gpu/engine/phased_table.hpp"

namespace slotscape {

/// A phased table in which a key is in one of a few buckets: batches of finds read several buckets at once
/// (`FindMany`), if a bucket is wide enough.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Interface>
class BucketTable : public PhasedTable<Family, Exec, Format, Interface> {
  using Base = PhasedTable<Family, Exec, Format, Interface>;

public:
  BucketTable(Exec& exec, TableSettings const& settings)
      : Base(exec, settings), counts_(exec, find_stripes), total_(exec, 1)
  {
    exec.fill(counts_.data(), counts_.size(), FindCounts{});
  }

  Tally run(Batch<Format> const& batch, double& seconds) override
  {
    if (batch.kinds != OperationMask::finds) { return Base::run(batch, seconds); }
    this->exec_.start_timer();
    if (!submit_finds<Family>(this->exec_, this->view(), batch, counts_.data())) { return Base::run(batch, seconds); }
    this->exec_.mark_stop();
    this->exec_.template for_each_block<AddUpFinds::threads>(1, AddUpFinds{counts_.data(), total_.data()});
    this->exec_.wait();
    seconds += this->exec_.stop_timer();
    FindCounts const& total = *total_.data();
    Tally tally;
    tally[Outcome::missing] = total.missing;
    tally[Outcome::rejected] = total.rejected;
    tally[Outcome::found] = batch.count - total.missing - total.rejected;
    return tally;
  }

private:
  typename Exec::template Buffer<FindCounts> counts_;  ///< all 0 between batches
  typename Exec::template HostBuffer<FindCounts> total_;
};

}  // namespace slotscape
