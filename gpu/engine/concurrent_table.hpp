#pragma once

#include "gpu/engine/run_together.hpp"
#include "gpu/engine/shift_passes.hpp"
#include "gpu/engine/stored_table.hpp"

namespace slotscape {

/// A table that runs each operation on its own thread or tile: all at once, erases in a separate phase, or each kind in
/// its own phase.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Interface>
class ConcurrentTable : public StoredTable<Family, Exec, Format, Interface> {
  using Base = StoredTable<Family, Exec, Format, Interface>;

public:
  using Base::Base;

  Tally run(Batch<Format> const& batch, double& seconds) override
  {
    Tally tally;
    seconds += this->choose_addition(batch);
    switch (Family::guarantees(this->settings_).concurrency) {
      case Concurrency::mixed: return run_phase(OperationMask::all, batch, seconds);
      case Concurrency::erases_apart:
        tally += run_phase(OperationMask::inserts | OperationMask::finds, batch, seconds);
        break;
      case Concurrency::phased:
      case Concurrency::erases_alone:
        tally += run_phase(OperationMask::inserts, batch, seconds);
        tally += run_phase(OperationMask::finds, batch, seconds);
        break;
    }
    if constexpr (ShiftsBack<Family> && Format::has_values) {
      if (this->settings_.deletion == Deletion::shift) { return tally += erase_and_shift(batch, seconds); }
    }
    return tally += run_phase(OperationMask::erases, batch, seconds);
  }

  void copy_from(Interface const& other) override
  {
    auto const& from = static_cast<ConcurrentTable const&>(other);
    this->copy_memory(from);
    this->set_state(from.state());
  }

protected:
  /// Runs the operations of a batch that belong to a phase.
  virtual Tally run_phase(OperationMask phase, Batch<Format> const& batch, double& seconds)
  {
    if (!overlap(phase, batch.kinds)) { return {}; }
    switch (batch.kinds) {
      case OperationMask::inserts: return launch<OperationMask::inserts>(phase, batch, seconds);
      case OperationMask::finds: return launch<OperationMask::finds>(phase, batch, seconds);
      case OperationMask::erases: return launch<OperationMask::erases>(phase, batch, seconds);
      default: return launch<OperationMask::all>(phase, batch, seconds);
    }
  }

private:
  /// Runs the erases of a batch at once, then moves keys back, with clusters in parallel.
  Tally erase_and_shift(Batch<Format> const& wanted, double& seconds)
  {
    Batch<Format> const batch = this->with_outcomes(wanted);
    this->layout_.deletion = Deletion::empty_value;
    Tally const tally = run_phase(OperationMask::erases, batch, seconds);
    this->layout_.deletion = Deletion::shift;
    this->exec_.start_timer();
    shift_back<Family>(this->exec_, this->view(), this->words_.data(), batch, tally[Outcome::erased]);
    seconds += this->exec_.stop_timer();
    return tally;
  }

  template <OperationMask kinds>
  Tally launch(OperationMask phase, Batch<Format> const& batch, double& seconds)
  {
    this->exec_.start_timer();
    RunOperations<Family, typename Base::View, kinds> const run{this->view(), batch, phase, this->moves()};
    Tally const tally = tally_of(batch.count, run);
    seconds += this->exec_.stop_timer();
    return tally;
  }

  template <OperationMask kinds>
  Tally tally_of(std::uint64_t count, RunOperations<Family, typename Base::View, kinds> const& run)
  {
    if constexpr (runs_together<kinds>) {
      Tally result;
      this->with_lanes([&]<int Lanes>() {
        if constexpr (Lanes >= min_window) {
          result = this->exec_.tally_together(count, RunTogether<Family, typename Base::View, kinds, Lanes>{run});
        } else {
          result = this->exec_.template tally_tile<Lanes>(count, run);
        }
      });
      return result;
    } else {
      return this->tally(count, run);
    }
  }
  static constexpr int min_window = 2;  ///< the lane itself reads a single slot
  /// On the CPU, a thread reads a whole window in any case, and only insertions gain. (docs/experiments/windows.md)
  template <OperationMask kinds>
  static constexpr bool runs_together = (kinds != OperationMask::all) && ProbesWindows<Family> &&
                                        (Exec::backend == Backend::cuda || kinds == OperationMask::inserts);
};

}  // namespace slotscape
