#pragma once

#include "gpu/base/error.hpp"
#include "gpu/bench/join_bench.hpp"
#include "gpu/bench/join_checks.hpp"
#include "gpu/joins/group_by.hpp"
#include "gpu/joins/hash_join.hpp"
#include "gpu/joins/table_join.hpp"
#include "gpu/workloads/file_keys.hpp"

#include <span>
#include <string>
#include <vector>

namespace slotscape::bench {

/// Generates a bench's columns, and holds the counters that check the results.
template <exec::Executor Exec, PairFormat Format>
class RowColumns {
  using Key = typename Format::Key;
  using Numbered = row_passes::NumberedKeys<Format>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// `keys`: the number of distinct keys, unless they are from a file. Streams with repeated keys are replaced by
  /// random keys.
  RowColumns(Exec& exec, KeySettings settings, KeySkew const& skew, std::uint64_t keys)
      : exec_(exec), settings_(std::move(settings)), skew_(skew), keys_(keys)
  {
    if (settings_.distribution == KeyDistribution::file) {
      KeyStream<Format> stream{};
      file_.load(exec_, settings_, stream);
      keys_ = stream.file_count;
    } else if (!is_distinct(settings_.distribution)) {
      settings_ = {};
    }
    of_keys_ = Counters(exec_, keys_);
  }

  Numbered numbered(std::uint64_t seed)
  {
    auto stream = key_stream_of<Format>(settings_, seed, {.key_bits = Format::bits});
    if (settings_.distribution == KeyDistribution::file) { file_.load(exec_, settings_, stream); }
    return {stream, keys_, skew_};
  }
  std::uint64_t keys() const { return keys_; }

  /// The counters, reset to 0.
  row_passes::Tallies of_keys() { return of_keys_.clear(exec_); }

  struct Counters {
    Counters() = default;
    Counters(Exec& exec, std::uint64_t count) : counts(exec, count), sums(exec, count) {}
    row_passes::Tallies clear(Exec& exec)
    {
      exec.fill(counts.data(), counts.size(), 0u);
      exec.fill(sums.data(), sums.size(), std::uint64_t{0});
      return {counts.data(), sums.data()};
    }
    Buffer<std::uint32_t> counts;
    Buffer<std::uint64_t> sums;
  };

  struct Column {
    Column(Exec& exec, std::uint64_t rows) : keys(exec, rows), numbers(exec, rows) {}
    row_passes::Column<Key> view() const { return {keys.data(), numbers.data()}; }
    Buffer<Key> keys;
    Buffer<std::uint32_t> numbers;
  };

private:
  Exec& exec_;
  KeySettings settings_;
  KeySkew skew_;
  std::uint64_t keys_;
  FileKeys<Exec, Format> file_;
  Counters of_keys_;
};

inline void require_rows(std::string const& what, std::uint64_t right, std::uint64_t all)
{
  if (right == all) { return; }
  throw Error(what + " gave wrong answers: " + std::to_string(right) + " of " + std::to_string(all) +
              " are right. Please report this with the command that you ran.");
}

/// `Join`: a `HashJoin`, or a class with the same interface.
template <exec::Executor Exec, PairFormat Format, class Join>
class JoinBenchOf final : public JoinBench {
  using Columns = RowColumns<Exec, Format>;

public:
  /// make(exec, keys) returns the join, for about `keys` distinct keys.
  template <class Make>
  JoinBenchOf(JoinCase const& subject, Make const& make)
      : subject_(subject),
        columns_(exec_, subject.keys, subject.skew,
                 std::max<std::uint64_t>(1, subject.build_rows / subject.rows_per_key)),
        build_(exec_, subject.build_rows),
        probe_(exec_, subject.probe_rows),
        of_rows_(exec_, subject.probe_rows),
        laps_(exec_),
        join_(make(exec_, columns_.keys()))
  {
    if (subject.probe.distribution == KeyDistribution::file) { file_.load(exec_, subject.probe, of_file_); }
  }

  std::optional<JoinRun> run(std::uint64_t seed, Progress const& progress) override
  {
    auto const keys = columns_.numbered(seed);
    exec_.for_each(subject_.build_rows,
                   row_passes::DrawBuild<Format>{keys, make_shuffle(seed, subject_.build_rows), build_.view()});
    exec_.for_each(subject_.probe_rows,
                   row_passes::DrawProbe<Format>{keys, random64(seed, 1), subject_.hit_share, of_file_.file_keys,
                                                 of_file_.file_count, probe_.view()});
    if (progress.cancelled()) { return std::nullopt; }
    if constexpr (requires { join_->set_progress(progress); }) { join_->set_progress(progress); }
    if constexpr (requires { join_->clear(); }) { join_->clear(); }
    JoinRun run;
    run.build_seconds = seconds_of([&] { join_->build(build_.keys.data(), subject_.build_rows); });
    if (progress.cancelled()) { return std::nullopt; }
    if constexpr (requires { join_->failed(); }) { run.failed = join_->failed(); }
    if (run.failed != 0) { return run; }
    joins::JoinedView found{};
    run.probe_seconds =
        seconds_of([&] { found = join_->probe(subject_.kind, probe_.keys.data(), subject_.probe_rows); });
    if (progress.cancelled()) { return std::nullopt; }
    run.results = found.count;
    run.matched = check(found);
    return run;
  }

  std::uint64_t memory_bytes() const override { return join_->memory_bytes(); }
  std::uint64_t table_bytes() const override { return join_->table_bytes(); }

private:
  /// Does not use the timer, which the tables of families use themselves.
  template <class Work>
  double seconds_of(Work const& work)
  {
    laps_.start();
    work();
    laps_.lap();
    return laps_.seconds().front();
  }

  /// Returns the number of probe rows with a match.
  std::uint64_t check(joins::JoinedView const& found)
  {
    row_passes::Tallies const of_keys = columns_.of_keys();
    row_passes::Tallies const of_rows = of_rows_.clear(exec_);
    exec_.for_each(subject_.build_rows, row_passes::CountBuild{build_.numbers.data(), of_keys});
    Tally const results =
        exec_.tally(found.count, row_passes::CheckResult{found, subject_.build_rows, subject_.probe_rows,
                                                         build_.numbers.data(), probe_.numbers.data(), of_rows});
    require_rows("A join (its result's rows)", results[Outcome::found], found.count);
    Tally const rows = exec_.tally(subject_.probe_rows,
                                   row_passes::CheckProbeRow{subject_.kind, probe_.numbers.data(), of_keys, of_rows});
    require_rows("A join (its probe rows)", rows[Outcome::found], subject_.probe_rows);
    return exec_.tally(subject_.probe_rows, row_passes::IsMatched{probe_.numbers.data(), of_keys})[Outcome::found];
  }

  Exec exec_;
  JoinCase subject_;
  Columns columns_;
  typename Columns::Column build_;
  typename Columns::Column probe_;
  typename Columns::Counters of_rows_;
  FileKeys<Exec, Format> file_;  ///< for the probe side
  KeyStream<Format> of_file_{};
  typename Exec::Laps laps_;
  std::unique_ptr<Join> join_;
};

/// `Group`: a `GroupBy`, or a class with the same interface.
template <exec::Executor Exec, PairFormat Format, class Group>
class GroupBenchOf final : public GroupBench {
  using Columns = RowColumns<Exec, Format>;
  using Key = typename Format::Key;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// make(exec, keys) returns the grouper, for about `keys` groups.
  template <class Make>
  GroupBenchOf(GroupCase const& subject, Make const& make)
      : subject_(subject),
        columns_(exec_, subject.keys, subject.skew, subject.groups),
        rows_(exec_, subject.rows),
        values_(exec_, subject.rows),
        totals_(exec_, 3),
        group_(make(exec_, std::min(columns_.keys(), subject.rows)))
  {
  }

  std::optional<GroupRun> run(std::uint64_t seed, Progress const& progress) override
  {
    auto const keys = columns_.numbered(seed);
    exec_.for_each(subject_.rows, row_passes::DrawRows<Format>{keys, random64(seed, 1), rows_.view(), values_.data()});
    if (progress.cancelled()) { return std::nullopt; }
    if constexpr (requires { group_->clear(); }) { group_->clear(); }
    GroupRun run;
    exec_.start_timer();
    joins::GroupsView<Key> const found = group_->group(rows_.keys.data(), values_.data(), subject_.rows);
    run.seconds = exec_.stop_timer();
    run.groups = found.count;
    check(found, keys);
    return run;
  }

  std::uint64_t memory_bytes() const override { return group_->memory_bytes(); }

private:
  void check(joins::GroupsView<Key> const& found, row_passes::NumberedKeys<Format> const& keys)
  {
    using Found = row_passes::SumFound<Key>;
    using Counted = row_passes::SumCounted<Format>;
    row_passes::Tallies const of_keys = columns_.of_keys();
    exec_.for_each(subject_.rows, row_passes::CountGroups{rows_.numbers.data(), values_.data(), of_keys});
    exec_.fill(totals_.data(), 3, std::uint64_t{0});
    exec_.template for_each_tile<32>((found.count + Found::per_item - 1) / Found::per_item,
                                     Found{found, totals_.data()});
    exec_.template for_each_tile<32>((keys.count + Counted::per_item - 1) / Counted::per_item,
                                     Counted{keys, of_keys, totals_.data() + 1, totals_.data() + 2});
    std::vector<std::uint64_t> totals(3);
    exec_.download(std::span(totals), static_cast<std::uint64_t const*>(totals_.data()));
    require_rows("A group-by (its groups)", found.count, totals[2]);
    require_rows("A group-by (its checksum)", totals[0] == totals[1] ? 1 : 0, 1);
  }

  Exec exec_;
  GroupCase subject_;
  Columns columns_;
  typename Columns::Column rows_;
  Buffer<std::uint64_t> values_;
  Buffer<std::uint64_t> totals_;  ///< checksums of the groups found and of the groups counted, and their number
  std::unique_ptr<Group> group_;
};

/// Uses a table of a family.
template <exec::Executor Exec, PairFormat Format, PairFormat Stored>
std::unique_ptr<JoinBench> table_join_bench_of(JoinCase const& subject)
{
  using Join = joins::TableJoin<Exec, Format, Stored>;
  return std::make_unique<JoinBenchOf<Exec, Format, Join>>(subject, [&](Exec& exec, std::uint64_t) {
    return std::make_unique<Join>(exec, *subject.table, subject.kind);
  });
}

/// Uses keys of the case's width.
template <exec::Executor Exec>
std::unique_ptr<JoinBench> join_bench_of(JoinCase const& subject)
{
  bool const is_wide = subject.settings.key_bits == 64;
  if (subject.table && subject.table->keys_only) {
    return is_wide ? table_join_bench_of<Exec, Wide, WideSet>(subject)
                   : table_join_bench_of<Exec, Narrow, NarrowSet>(subject);
  }
  if (subject.table) {
    return is_wide ? table_join_bench_of<Exec, Wide, Wide>(subject)
                   : table_join_bench_of<Exec, Narrow, Narrow>(subject);
  }
  auto const make = [&]<PairFormat Format>(Format) -> std::unique_ptr<JoinBench> {
    using Join = joins::HashJoin<Exec, Format>;
    return std::make_unique<JoinBenchOf<Exec, Format, Join>>(subject, [&](Exec& exec, std::uint64_t) {
      return std::make_unique<Join>(exec, subject.settings);
    });
  };
  return is_wide ? make(Wide{}) : make(Narrow{});
}
template <exec::Executor Exec>
std::unique_ptr<GroupBench> group_bench_of(GroupCase const& subject)
{
  auto const make = [&]<PairFormat Format>(Format) -> std::unique_ptr<GroupBench> {
    using Group = joins::GroupBy<Exec, Format>;
    return std::make_unique<GroupBenchOf<Exec, Format, Group>>(subject, [&](Exec& exec, std::uint64_t) {
      return std::make_unique<Group>(exec, subject.settings);
    });
  };
  return subject.settings.key_bits == 64 ? make(Wide{}) : make(Narrow{});
}

}  // namespace slotscape::bench
