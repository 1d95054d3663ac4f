#pragma once

#include "gpu/bench/pacing.hpp"
#include "gpu/bench/table_bench.hpp"
#include "gpu/engine/table.hpp"
#include "gpu/workloads/batch_buffers.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace slotscape::bench {

/// Thrown where it was cancelled.
struct Stopped {};

/// How operations of one kind run, and what that is called in "inserting 100 keys would take ...".
struct Way {
  OperationMask kinds;
  Slices& slices;
  char const* what = "";
};

/// Runs batches of a table's operations within a bound of time, and asks in between whether to go on.
template <exec::Executor Exec, PairFormat Format, class Table>
class PacedBatches {
public:
  /// `max_seconds`: 0 for any number.
  PacedBatches(Exec& exec, Table& table, BatchBuffers<Exec, Format>& batch, double max_seconds)
      : exec_(exec), table_(table), batch_(batch), max_seconds_(max_seconds)
  {
  }

  void set_progress(Progress const& progress) { progress_ = progress; }
  Progress const& progress() const { return progress_; }
  /// Whether no key comes twice in a batch.
  void set_distinct(bool distinct) { distinct_ = distinct; }
  /// Throws Stopped if it was cancelled.
  void ask() const
  {
    if (progress_.cancelled()) { throw Stopped{}; }
  }

  /// Runs `count` operations that `draw` draws, in batches, and these in slices if they take long; `check(draw, n)` is
  /// called after each of n operations. Ends early where all would take too long.
  template <class Draw, class Check>
  TimedRun run(Draw draw, std::uint64_t count, std::uint64_t most, Way const& way, Check const& check, Tally& tally)
  {
    TimedRun timed;
    timed.batch = std::min(count, most);
    std::optional<ShardReport> const shards_before = shards();
    Foresight const foresight(max_seconds_);
    std::uint64_t const start = draw.first;
    while (timed.count < count && timed.left_out == 0) {
      std::uint64_t const begin = timed.count;
      std::uint64_t const end = std::min(count, begin + most);
      double const before = timed.seconds;
      while (timed.count < end && timed.left_out == 0) {
        draw.first = start + timed.count;
        timed.count += run_slice(draw, end - timed.count, way, tally, timed.seconds, check);
        if (foresight.is_too_long(timed.count, count)) { timed.left_out = count - timed.count; }
      }
      bool const is_whole = timed.count - begin == timed.batch;
      if (is_whole) { timed.worst_batch = std::max(timed.worst_batch, timed.seconds - before); }
      ++timed.batches;
    }
    timed.clock_seconds = foresight.seconds();
    if (shards_before) { timed.shards = between(*shards_before, *shards()); }
    if (timed.left_out == 0 && count != 0) { way.slices.end(timed.clock_seconds); }
    return timed;
  }

  /// All of them, or it throws GivenUp.
  template <class Draw, class Check>
  TimedRun run_whole(Draw const& draw, std::uint64_t count, std::uint64_t most, Way const& way, Check const& check,
                     Tally& tally)
  {
    TimedRun timed = run(draw, count, most, way, check, tally);
    if (timed.left_out != 0) {
      double const whole = timed.clock_seconds * static_cast<double>(count) / static_cast<double>(timed.count);
      throw GivenUp(std::string(table_.info().name) + ": " + way.what + " " + std::to_string(count) + " keys",
                    timed.clock_seconds, whole, max_seconds_);
    }
    return timed;
  }
  template <class Draw>
  TimedRun run_whole(Draw const& draw, std::uint64_t count, std::uint64_t most, Way const& way, Tally& tally)
  {
    return run_whole(
        draw, count, most, way, [](Draw const&, std::uint64_t) {}, tally);
  }

private:
  std::optional<ShardReport> shards() const
  {
    if constexpr (requires { table_.shards(); }) {
      if (table_.shards() != nullptr) { return *table_.shards(); }
    }
    return std::nullopt;
  }

  /// Returns how many operations have run.
  template <class Draw, class Check>
  std::uint64_t run_slice(Draw const& draw, std::uint64_t left, Way const& way, Tally& tally, double& seconds,
                          Check const& check)
  {
    ask();
    std::uint64_t const part = way.slices.next(left);
    Foresight const clock(0.0);
    exec_.for_each(part, draw);
    tally += table_.run({part, batch_.operations.data(), batch_.keys.data(), batch_.values.data(),
                         batch_.outcomes.data(), nullptr, distinct_, way.kinds, false},
                        seconds);
    check(draw, part);
    way.slices.note(part, clock.seconds());
    return part;
  }

  Exec& exec_;
  Table& table_;
  BatchBuffers<Exec, Format>& batch_;
  double max_seconds_;
  Progress progress_;
  bool distinct_ = true;
};

}  // namespace slotscape::bench
