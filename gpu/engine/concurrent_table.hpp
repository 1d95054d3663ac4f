#pragma once

#include "gpu/engine/stored_table.hpp"

namespace slotscape {

/// A table whose operations are run by a thread or a tile each, all at once or erases apart.
template <class Family, class Exec, class Bits>
class ConcurrentTable final : public StoredTable<Family, Exec, Bits> {
  using Base = StoredTable<Family, Exec, Bits>;

public:
  using Base::Base;

  Tally run(Batch<Bits> const& batch, double& seconds) override
  {
    if (Family::guarantees(this->settings_).together == Together::everything) { return run({}, batch, seconds); }
    Tally tally = run({.erases = false}, batch, seconds);
    return tally += run({.inserts = false, .finds = false}, batch, seconds);
  }

private:
  Tally run(Phase phase, Batch<Bits> const& batch, double& seconds)
  {
    if (!phase.meets(batch.kinds)) { return {}; }
    Phase const& kinds = batch.kinds;
    if (kinds.inserts + kinds.finds + kinds.erases != 1) { return launch<Kinds::all>(phase, batch, seconds); }
    if (kinds.inserts) { return launch<Kinds::inserts>(phase, batch, seconds); }
    if (kinds.finds) { return launch<Kinds::finds>(phase, batch, seconds); }
    return launch<Kinds::erases>(phase, batch, seconds);
  }

  template <Kinds kinds>
  Tally launch(Phase phase, Batch<Bits> const& batch, double& seconds)
  {
    this->exec_.start_timer();
    Tally const tally =
        this->tally(batch.count,
                    RunOperations<Family, typename Base::View, kinds>{this->view(), batch, phase, this->moves()});
    seconds += this->exec_.stop_timer();
    return tally;
  }
};

}  // namespace slotscape
