#pragma once

#include "gpu/engine/concurrent_table.hpp"
#include "gpu/engine/level_choice.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

namespace slotscape {

/// Assigns operation i to its list; operations that do not run belong to no list.
template <class Run>
struct NameList {
  static constexpr std::uint32_t none = 0xffffffffu;

  Run run;
  std::uint32_t* lists;
  std::uint32_t* order;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const item = run.item(i);
    lists[i] = item.runs ? static_cast<std::uint32_t>(run.table.layout.bucket(item.key)) : none;
    order[i] = static_cast<std::uint32_t>(i);
  }
};

/// Runs the operations on a list in their order, if the first of them is at `i` among the operations sorted by list. No
/// other thread accesses that list meanwhile.
template <class Run, class Lanes>
struct RunList {
  Run run;
  std::uint32_t const* lists;
  std::uint32_t const* order;
  Outcome* outcomes;  ///< in the order of the sorted operations

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint32_t const list = lists[i];
    if (list == NameList<Run>::none) {
      outcomes[i] = run(order[i], Lanes{});
      return;
    }
    if (i != 0 && lists[i - 1] == list) { return; }
    for (; i != run.batch.count && lists[i] == list; ++i) { outcomes[i] = run(order[i], Lanes{}); }
  }
};

struct ReadOutcome {
  Outcome const* outcomes;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const { return outcomes[i]; }
};

/// Runs operation i on a thread that plays all lanes.
template <class Run, class Lanes>
struct RunAlone {
  static constexpr int items_per_thread = Run::items_per_thread;

  Run run;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const { return run(i, Lanes{}); }
};

/// A table of a family that `TakesGroups`.
///
/// Operations of a batch in groups take effect in order: one thread runs the operations on a list one after another,
/// and operations on different lists are independent. No thread waits for another, so a batch ends whatever the
/// distribution of its keys; a batch with a single list for all its operations takes as long as running them one after
/// another.
///
/// Other batches run at the level that `LevelChoice` chooses. On the CPU, both levels are the same except for
/// insertions.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Interface>
class GroupTable : public ConcurrentTable<Family, Exec, Format, Interface> {
  using Base = ConcurrentTable<Family, Exec, Format, Interface>;
  using Lanes = exec::HostLanes<Family::lane_choices.front()>;
  static_assert(Family::lane_choices.size() == 1);

public:
  using Base::Base;
  using typename Base::View;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;

protected:
  Tally run_phase(OperationMask phase, Batch<Format> const& batch, double& seconds) override
  {
    if (!overlap(phase, batch.kinds)) { return {}; }
    bool const changes_nothing = batch.kinds == OperationMask::finds || phase == OperationMask::finds;
    if (takes_groups_ && !changes_nothing) {
      return with_run(phase, batch, [&](auto const& run) { return run_in_order(run, seconds); });
    }
    OperationMask const kinds = is_single(phase) ? phase : batch.kinds;
    Tally tally;
    std::uint64_t const measured = measure_levels(kinds, phase, batch, seconds, tally);
    if (measured == batch.count) { return tally; }
    return tally += run_at(levels_.level(kinds), phase, batch.part(measured, batch.count - measured), seconds);
  }

private:
  Tally run_at(ExecutionLevel level, OperationMask phase, Batch<Format> const& batch, double& seconds)
  {
    if (level == ExecutionLevel::warp) { return Base::run_phase(phase, batch, seconds); }
    return with_run(phase, batch, [&](auto const& run) { return run_alone(run, seconds); });
  }

  /// Runs the first operations of a large batch at both levels in turn, if a measurement is due. Returns how many it
  /// ran.
  std::uint64_t measure_levels(OperationMask kinds, OperationMask phase, Batch<Format> const& batch, double& seconds,
                               Tally& tally)
  {
    std::uint64_t const part = levels_.to_measure(kinds, batch.count);
    if (part == 0) { return 0; }
    constexpr std::array levels{ExecutionLevel::warp, ExecutionLevel::thread};
    std::array<double, 2> best{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    for (std::uint64_t i = 0; i != 4; ++i) {
      double spent = 0.0;
      auto const start = std::chrono::steady_clock::now();
      tally += run_at(levels[i % 2], phase, batch.part(i * part, part), spent);
      double const passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      seconds += spent;
      best[i % 2] = std::min(best[i % 2], spent > 0.0 ? spent : passed);  // the library's tables do not measure time
    }
    levels_.learn(kinds, batch.count, best[1] / static_cast<double>(part), best[0] / static_cast<double>(part));
    return 4 * part;
  }

  /// Calls f with a functor that runs the operations of a batch, compiled for their kinds.
  template <class F>
  Tally with_run(OperationMask phase, Batch<Format> const& batch, F const& f)
  {
    auto const with = [&]<OperationMask kinds>() {
      return f(RunOperations<Family, View, kinds>{this->view(), batch, phase, this->moves()});
    };
    switch (batch.kinds) {
      case OperationMask::inserts: return with.template operator()<OperationMask::inserts>();
      case OperationMask::finds: return with.template operator()<OperationMask::finds>();
      case OperationMask::erases: return with.template operator()<OperationMask::erases>();
      default: return with.template operator()<OperationMask::all>();
    }
  }

  template <class Run>
  Tally run_alone(Run const& run, double& seconds)
  {
    this->exec_.start_timer();
    Tally const tally = this->exec_.tally(run.batch.count, RunAlone<Run, Lanes>{run});
    seconds += this->exec_.stop_timer();
    return tally;
  }

  template <class Run>
  Tally run_in_order(Run const& run, double& seconds)
  {
    std::uint64_t const count = run.batch.count;
    exec::grow(this->exec_, lists_, count);
    exec::grow(this->exec_, order_, count);
    exec::grow(this->exec_, outcomes_, count);
    this->exec_.start_timer();
    this->exec_.for_each(count, NameList<Run>{run, lists_.data(), order_.data()});
    this->exec_.sort_pairs(lists_.data(), order_.data(), count);
    this->exec_.for_each(count, RunList<Run, Lanes>{run, lists_.data(), order_.data(), outcomes_.data()});
    Tally const tally = this->exec_.tally(count, ReadOutcome{outcomes_.data()});
    seconds += this->exec_.stop_timer();
    return tally;
  }

  bool takes_groups_ = Family::takes_groups(this->settings_);
  LevelChoice levels_{Family::level(this->settings_)};
  Buffer<std::uint32_t> lists_;
  Buffer<std::uint32_t> order_;
  Buffer<Outcome> outcomes_;
};

}  // namespace slotscape
