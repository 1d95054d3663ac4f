#pragma once

#include "gpu/engine/find_many.hpp"
#include "gpu/engine/phased_table.hpp"

#include <vector>

namespace slotscape {

/// A phased table whose keys are in one of a few buckets: batches of finds read several buckets at once (`FindMany`),
/// if a bucket is wide enough for that.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Interface>
class BucketTable : public PhasedTable<Family, Exec, Format, Interface> {
  using Base = PhasedTable<Family, Exec, Format, Interface>;

public:
  BucketTable(Exec& exec, TableSettings const& settings) : Base(exec, settings), counts_(exec, find_stripes)
  {
    clear_counts();
  }

  Tally run(Batch<Format> const& batch, double& seconds) override
  {
    if (batch.kinds != OperationMask::finds) { return Base::run(batch, seconds); }
    this->exec_.start_timer();
    if (!submit_finds<Family>(this->exec_, this->view(), batch, counts_.data())) { return Base::run(batch, seconds); }
    seconds += this->exec_.stop_timer();
    std::vector<FindCounts> stripes(counts_.size());
    this->exec_.download(std::span(stripes), static_cast<FindCounts const*>(counts_.data()));
    clear_counts();  // for the next time, while nobody waits
    Tally tally;
    for (FindCounts const& stripe : stripes) {
      tally[Outcome::missing] += stripe.missing;
      tally[Outcome::rejected] += stripe.rejected;
    }
    tally[Outcome::found] = batch.count - tally[Outcome::missing] - tally[Outcome::rejected];
    return tally;
  }

private:
  void clear_counts() { this->exec_.fill(counts_.data(), counts_.size(), FindCounts{}); }

  typename Exec::template Buffer<FindCounts> counts_;
};

}  // namespace slotscape
