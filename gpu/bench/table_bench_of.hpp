#pragma once

#include "gpu/base/error.hpp"
#include "gpu/bench/draws.hpp"
#include "gpu/bench/table_bench.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/families.hpp"
#include "gpu/workloads/batch.hpp"
#include "gpu/workloads/file_keys.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace slotscape::bench {

/// `Table` runs batches like a `BatchTable`; one without `count_accesses` has no accesses.
template <exec::Executor Exec, PairFormat Format, class Table = BatchTable<Exec, Format>>
class TableBenchOf final : public TableBench {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// make(exec, settings): the table.
  template <class Make>
  TableBenchOf(TableCase const& subject, Make const& make)
      : subject_(subject), table_(make(exec_, subject.table)), distinct_(is_distinct(subject.keys.distribution))
  {
    auto const wanted = static_cast<double>(table().slots) * subject.load_factor;
    keys_ = subject.inserts != 0 ? subject.inserts
                                 : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(wanted)));
    start_stream(0);
    if (from_file()) {
      keys_ = std::min(keys_, stream_.file_count);
      distinct_ = file_.different(exec_) == stream_.file_count;
    }
    batch_size_ = std::min({keys_, subject.batch == 0 ? most_batch : subject.batch, most_batch});
    fill_batch_ = subject.filled_at_once ? std::min(keys_, most_batch) : batch_size_;
    most_timed_ =
        subject.most_batches == 0 ? std::numeric_limits<std::uint64_t>::max() : subject.most_batches * batch_size_;
    std::uint64_t const bulk = most_timed_ < keys_ ? std::min(keys_, most_bulk) : 0;
    room_ = std::max({batch_size_, fill_batch_, bulk});
    batch_.grow(exec_, room_, room_);
  }

  TableSettings const& table() const override { return table_->settings(); }
  std::uint64_t keys() const override { return keys_; }
  std::uint64_t batch() const override { return batch_size_; }
  std::uint64_t memory_bytes() const override { return std::max(most_bytes_, table_->memory_bytes()); }
  std::string device_name() const override { return exec_.name(); }

  std::optional<Round> run(std::uint64_t seed, TimedMask wanted, GoOn const& go_on) override
  {
    begin(seed, go_on);
    Round round;
    try {
      MixCounts const counts = (wanted & mask_of(Timed::mixed)) != 0 ? mix_counts() : MixCounts{};
      round[index(Timed::insert)] = fill(keys_ - counts.kept);
      for (Timed const timed : {Timed::find_hit, Timed::find_miss}) {
        if ((wanted & mask_of(timed)) == 0) { continue; }
        round[index(timed)] = find(timed == Timed::find_miss, std::min(live_, most_timed_), batch_size_);
        if (!accesses_[index(timed)]) { accesses_[index(timed)] = count_accesses(timed == Timed::find_miss); }
      }
      if (counts.rounds != 0 && failed_ == 0) { round[index(Timed::mixed)] = mix(counts); }
      if ((wanted & mask_of(Timed::erase)) != 0 && distinct_) {
        round[index(Timed::erase)] = erase(std::min(live_, most_timed_));
      }
    } catch (Stopped const&) {
      return std::nullopt;
    }
    return round;
  }

  std::optional<Churned> churn(std::uint64_t seed, int turns, GoOn const& go_on) override
  {
    begin(seed, go_on);
    Churned churned;
    try {
      fill(keys_);
      if (!distinct_ || failed_ != 0) { return churned; }
      churned.turns.push_back(look());
      Pace pace;
      for (int turn = 0; turn < turns && !churned.clogged; ++turn) {
        churned.turns.push_back(turn_over(churned, pace));
      }
    } catch (Stopped const&) {
      return std::nullopt;
    }
    return churned;
  }

  std::optional<TimedRun> update(std::uint64_t seed, GoOn const& go_on) override
  {
    begin(seed, go_on);
    try {
      fill(keys_);
      bool const keep_values = !Format::has_values || table().combine != Combine::replace;
      if (!distinct_ || failed_ != 0 || keep_values) { return TimedRun{}; }
      auto draw = draw_of(Operation::insert, false);
      draw.offset = first_live_;
      draw.renewed = true;
      Tally tally;
      TimedRun const timed = run_batches(draw, live_, batch_size_, OperationMask::inserts, tally);
      require(tally[Outcome::updated], live_, "updates");
      auto look = draw_of(Operation::find, false);
      look.renewed = true;
      run_batches(look, live_, batch_size_, OperationMask::finds, check_of(look, true), tally);
      return timed;
    } catch (Stopped const&) {
      return std::nullopt;
    }
  }

  std::optional<Accesses> accesses(Timed timed) const override { return accesses_[index(timed)]; }

private:
  struct Stopped {};
  static constexpr std::uint64_t most_sampled = 1u << 20;
  static constexpr std::uint64_t most_bulk = 1u << 20;    ///< of a batch that is not timed
  static constexpr std::uint64_t most_looked = 1u << 18;  ///< lookups between two turns
  static constexpr std::uint32_t most_accesses = 1u << 16;
  static constexpr std::uint64_t fewest_mixed = 8;

  static constexpr std::size_t index(Timed timed) { return static_cast<std::size_t>(timed); }

  bool from_file() const { return subject_.keys.distribution == KeyDistribution::file; }

  void start_stream(std::uint64_t seed)
  {
    stream_ = key_stream_of<Format>(subject_.keys, seed, table());
    if (subject_.zipf_keys != 0) { stream_.zipf_keys = subject_.zipf_keys; }
    if (from_file()) { file_.load(exec_, subject_.keys, stream_); }
  }

  void begin(std::uint64_t seed, GoOn const& go_on)
  {
    go_on_ = go_on;
    start_stream(seed);
    seed_ = seed;
    table_->clear();
    first_live_ = 0;
    live_ = 0;
    failed_ = 0;
  }

  /// On the keys in the table, in another order; insertions on those that follow, erasures `in_order` on the first.
  DrawOperations<Format> draw_of(Operation operation, bool misses, bool in_order = false) const
  {
    bool const inserts = operation == Operation::insert;
    return {stream_,
            make_shuffle(seed_ + static_cast<std::uint64_t>(operation), std::max<std::uint64_t>(live_, 1)),
            0,
            misses    ? 0
            : inserts ? first_live_ + live_
                      : first_live_,
            !inserts && !in_order,
            misses,
            operation,
            batch_.operations.data(),
            batch_.keys.data(),
            batch_.values.data()};
  }

  /// Runs `count` operations that `draw` draws, in batches; `check(draw, n)` is called after each of n operations.
  template <class Draw, class Check>
  TimedRun run_batches(Draw draw, std::uint64_t count, std::uint64_t most, OperationMask kinds, Check const& check,
                       Tally& tally)
  {
    TimedRun timed{count};
    std::uint64_t const start = draw.first;
    for (std::uint64_t done = 0; done < count; done += most) {
      if (go_on_ && !go_on_()) { throw Stopped{}; }
      std::uint64_t const part = std::min(most, count - done);
      draw.first = start + done;
      exec_.for_each(part, draw);
      double const before = timed.seconds;
      tally += table_->run({part, batch_.operations.data(), batch_.keys.data(), batch_.values.data(),
                            batch_.outcomes.data(), nullptr, distinct_, kinds, false},
                           timed.seconds);
      timed.worst_batch = std::max(timed.worst_batch, timed.seconds - before);
      ++timed.batches;
      check(draw, part);
    }
    return timed;
  }

  /// Without anything to check after each batch.
  template <class Draw>
  TimedRun run_batches(Draw const& draw, std::uint64_t count, std::uint64_t most, OperationMask kinds, Tally& tally)
  {
    return run_batches(
        draw, count, most, kinds, [](Draw const&, std::uint64_t) {}, tally);
  }

  TimedRun fill(std::uint64_t count)
  {
    Tally tally;
    auto draw = draw_of(Operation::insert, false);
    std::uint64_t const timed_keys = subject_.filled_at_once ? count : std::min(count, most_timed_);
    run_batches(draw, count - timed_keys, room_, OperationMask::inserts, tally);
    draw.first = count - timed_keys;
    TimedRun timed = run_batches(draw, timed_keys, fill_batch_, OperationMask::inserts, tally);
    live_ += count;
    most_bytes_ = std::max(most_bytes_, table_->memory_bytes());
    note_failures(tally, count, timed);
    return timed;
  }

  void note_failures(Tally const& tally, std::uint64_t count, TimedRun& timed)
  {
    timed.failed = tally[Outcome::full];
    failed_ += timed.failed;
    std::uint64_t const updates = distinct_ ? 0 : tally[Outcome::updated];
    require(tally[Outcome::inserted] + updates + timed.failed, count, "insertions");
  }

  TimedRun find(bool misses, std::uint64_t count, std::uint64_t most)
  {
    Tally tally;
    auto const draw = draw_of(Operation::find, misses);
    TimedRun const timed = run_batches(draw, count, most, OperationMask::finds, check_of(draw, !misses), tally);
    if (misses) {
      require(tally[Outcome::missing], count, "lookups of absent keys");
    } else if (failed_ == 0) {
      require(tally[Outcome::found], count, "lookups of present keys");
    } else if (distinct_ && count == live_) {
      require(tally[Outcome::found], count - failed_, "lookups of present keys");
    }
    return timed;
  }

  /// What runs together. Insertions may come before the erasures that make room, so they take a quarter of what is free
  /// at most. A file that has no more keys gives those again that were erased before.
  MixCounts mix_counts() const
  {
    MixShares const& shares = subject_.mix;
    double const all = shares.insert + shares.hit + shares.miss + shares.erase;
    if (!distinct_ || keys_ < fewest_mixed || all <= 0.0 || table_->info().guarantees(table()).is_static) { return {}; }
    auto const keys = static_cast<double>(keys_);
    auto const free = static_cast<double>(table().slots - std::min(table().slots, keys_));
    std::uint64_t const others = from_file() ? stream_.file_count - keys_ : std::numeric_limits<std::uint64_t>::max();
    double total = std::min(keys / 2.0, static_cast<double>(most_timed_));
    double const growth = std::abs(shares.insert - shares.erase) / all;
    if (growth > 0.0) { total = std::min(total, keys / 8.0 / growth); }
    if (shares.insert > 0.0) {
      double const most = std::min(free / 4.0, std::max(keys / 32.0, static_cast<double>(others)));
      total = std::min(total, most * all / shares.insert);
    }
    auto const count = [&](double share) {
      return share > 0.0 ? std::max<std::uint64_t>(1, static_cast<std::uint64_t>(total * share / all)) : 0;
    };
    MixCounts counts{count(shares.insert), count(shares.erase), count(shares.hit), count(shares.miss)};
    std::uint64_t const lacking = counts.inserts - std::min(counts.inserts, others);
    counts.kept = std::max(counts.inserts - std::min(counts.inserts, counts.erases), lacking);
    bool const again = counts.inserts == counts.erases;
    counts.rounds = again ? std::max<std::uint64_t>(1, std::min(keys_ / 2, most_timed_) / counts.count()) : 1;
    return counts;
  }

  TimedRun mix(MixCounts const& counts)
  {
    Tally tally;
    TimedRun timed;
    std::uint64_t rounds = 0;
    for (; rounds < counts.rounds && timed.failed == 0; ++rounds) {
      DrawMix<Format> const draw{stream_,
                                 make_shuffle(seed_ + rounds, counts.count()),
                                 counts,
                                 first_live_,
                                 live_,
                                 0,
                                 batch_.operations.data(),
                                 batch_.keys.data(),
                                 batch_.values.data()};
      add(timed, run_batches(draw, counts.count(), batch_size_, OperationMask::all, check_of(draw, true), tally));
      timed.failed = tally[Outcome::full];
      first_live_ += counts.erases;
      live_ += counts.inserts - counts.erases;
    }
    failed_ += timed.failed;
    require(tally[Outcome::inserted] + timed.failed, rounds * counts.inserts, "insertions of a mix");
    require(tally[Outcome::erased], rounds * counts.erases, "erasures of a mix");
    require(tally[Outcome::found], rounds * counts.hits, "lookups of present keys in a mix");
    require(tally[Outcome::missing], rounds * counts.misses, "lookups of absent keys in a mix");
    return timed;
  }

  TimedRun erase(std::uint64_t count)
  {
    Tally tally;
    TimedRun const timed =
        run_batches(draw_of(Operation::erase, false), count, batch_size_, OperationMask::erases, tally);
    if (failed_ == 0) {
      require(tally[Outcome::erased], count, "erasures");
    } else if (count == live_) {
      require(tally[Outcome::erased], count - failed_, "erasures");
    }
    return timed;
  }

  /// Notices when batches take much longer than the first ones did.
  struct Pace {
    static constexpr int first_batches = 4;
    static constexpr double much = 10.0;
    static constexpr double long_seconds = 0.05;  ///< a single batch counts only if it took this long

    int seen = 0;
    int slow = 0;  ///< batches in a row
    double first_seconds = 0.0;

    bool is_clogged(double seconds)
    {
      if (seen++ < first_batches) {
        first_seconds += seconds / first_batches;
        return false;
      }
      bool const is_slow = seconds > much * first_seconds;
      slow = is_slow ? slow + 1 : 0;
      return slow >= 3 || (is_slow && seconds > long_seconds);
    }
  };

  Round look()
  {
    Round round;
    std::uint64_t const count = std::min(live_, most_looked);
    std::uint64_t const most = std::min(batch_size_, most_looked / 16);
    round[index(Timed::find_hit)] = find(false, count, most);
    round[index(Timed::find_miss)] = find(true, count, most);
    return round;
  }

  /// Replaces as many keys as there are, the oldest first.
  Round turn_over(Churned& churned, Pace& pace)
  {
    std::uint64_t const most = std::min(batch_size_, std::max<std::uint64_t>(1, live_ / 64));
    TimedRun erased;
    TimedRun inserted;
    while (erased.count < live_ && !churned.clogged) {
      std::uint64_t const part = std::min(most, live_ - erased.count);
      Tally erasures;
      TimedRun const erasing =
          run_batches(draw_of(Operation::erase, false, true), part, part, OperationMask::erases, erasures);
      require(erasures[Outcome::erased], part, "erasures");
      add(erased, erasing);
      first_live_ += part;
      live_ -= part;
      Tally insertions;
      TimedRun inserting =
          run_batches(draw_of(Operation::insert, false), part, part, OperationMask::inserts, insertions);
      live_ += part;
      note_failures(insertions, part, inserting);
      add(inserted, inserting);
      churned.clogged = inserting.failed != 0 || pace.is_clogged(erasing.seconds + inserting.seconds);
    }
    churned.replaced += static_cast<double>(erased.count) / static_cast<double>(keys_);
    Round round = churned.clogged ? Round{} : look();
    round[index(Timed::erase)] = erased;
    round[index(Timed::insert)] = inserted;
    return round;
  }

  static void add(TimedRun& sum, TimedRun const& part)
  {
    sum.count += part.count;
    sum.seconds += part.seconds;
    sum.failed += part.failed;
    sum.batches += part.batches;
    sum.worst_batch = std::max(sum.worst_batch, part.worst_batch);
  }

  /// Values are checked where a key has one.
  template <class Draw>
  auto check_of(Draw const&, bool hits)
  {
    return [this, hits](Draw const& draw, std::uint64_t count) {
      if (!distinct_ && hits) { return; }
      Tally const answers = exec_.tally(count, CountWrongValues<Format, Draw>{draw, batch_.values.data(),
                                                                              batch_.operations.data(), failed_ != 0});
      require(answers[Outcome::found], count, "values of lookups");
    };
  }

  void require(std::uint64_t right, std::uint64_t all, char const* what) const
  {
    if (right == all) { return; }
    throw Error(std::string(table_->info().name) + " gave wrong answers: " + std::to_string(right) + " of " +
                std::to_string(all) + " " + what + " are right. Please report this with the command that you ran.");
  }

  std::optional<Accesses> count_accesses(bool misses)
  {
    if constexpr (requires(Table & table) { table.count_accesses(nullptr, 0u, 0u, nullptr); }) {
      return counted_accesses(misses);
    }
    return std::nullopt;
  }

  Accesses counted_accesses(bool misses)
  {
    std::uint64_t const count = std::min({live_, room_, most_sampled});
    exec_.for_each(count, draw_of(Operation::find, misses));
    Buffer<std::uint32_t> accesses(exec_, count);
    table_->count_accesses(batch_.keys.data(), count, most_accesses, accesses.data());
    std::vector<std::uint32_t> counts(count);
    exec_.download(std::span(counts), static_cast<std::uint32_t const*>(accesses.data()));
    auto const p99 = counts.begin() + static_cast<std::ptrdiff_t>((counts.size() - 1) * 99 / 100);
    std::ranges::nth_element(counts, p99);
    double const sum = std::accumulate(counts.begin(), counts.end(), 0.0);
    return {sum / static_cast<double>(counts.size()), *p99, *std::ranges::max_element(counts)};
  }

  Exec exec_;
  TableCase subject_;
  std::unique_ptr<Table> table_;
  bool distinct_;  ///< keys
  std::uint64_t keys_ = 0;
  std::uint64_t batch_size_ = 0;
  std::uint64_t fill_batch_ = 0;
  std::uint64_t most_timed_ = 0;  ///< operations of a kind
  std::uint64_t room_ = 0;        ///< of the batch's memory, in operations
  std::uint64_t most_bytes_ = 0;  ///< of the table, as it was filled: some give memory back
  BatchBuffers<Exec, Format> batch_;
  FileKeys<Exec, Format> file_;
  std::array<std::optional<Accesses>, timed_count> accesses_;

  // of the round that runs: the keys of numbers first_live_ ... first_live_ + live_ - 1 were inserted
  GoOn go_on_;
  KeyStream<Format> stream_{};
  std::uint64_t seed_ = 0;
  std::uint64_t first_live_ = 0;
  std::uint64_t live_ = 0;
  std::uint64_t failed_ = 0;  ///< insertions of them
};

/// The bench of a set.
template <exec::Executor Exec, PairFormat Format>
std::unique_ptr<TableBench> make_set_bench_on(TableCase const& subject)
{
  return std::make_unique<TableBenchOf<Exec, Format, BareTable<Exec, Format>>>(
      subject, family_on<Exec>(subject.table.family).template sets<Format>());
}

/// The bench of a case that is valid.
template <class Exec>
std::unique_ptr<TableBench> make_table_bench_on(TableCase const& subject)
{
  bool const wide = subject.table.key_bits == 64;
  if (subject.table.keys_only) {
    return wide ? make_set_bench_on<Exec, WideSet>(subject) : make_set_bench_on<Exec, NarrowSet>(subject);
  }
  if (wide) {
    return std::make_unique<TableBenchOf<Exec, Wide>>(subject,
                                                      family_on<Exec>(subject.table.family).template tables<Wide>());
  }
  return std::make_unique<TableBenchOf<Exec, Narrow>>(subject,
                                                      family_on<Exec>(subject.table.family).template tables<Narrow>());
}

}  // namespace slotscape::bench
