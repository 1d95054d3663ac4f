#pragma once

#include "gpu/base/error.hpp"
#include "gpu/bench/table_bench.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/make_table.hpp"
#include "gpu/workloads/batch.hpp"
#include "gpu/workloads/file_keys.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace slotscape::bench {

/// Operations on keys of a stream: those of numbers order(first), order(first + 1), ...
template <PairFormat Format>
struct DrawOperations {
  KeyStream<Format> stream;
  Shuffle order;
  std::uint64_t first;   ///< of this batch, among all numbers that `order` shuffles
  std::uint64_t offset;  ///< of these among the numbers of the stream
  bool shuffles;         ///< else numbers come as they are
  bool misses;           ///< keys that the stream never gives
  Operation operation;
  Operation* operations;
  typename Format::Key* keys;
  typename Format::Value* values;

  SLOTSCAPE_HOST_DEVICE std::uint64_t number(std::uint64_t i) const
  {
    return offset + (shuffles ? order(static_cast<std::uint32_t>(first + i)) : first + i);
  }
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    operations[i] = operation;
    keys[i] = misses ? stream.miss(number(i)) : stream.key(number(i));
    values[i] = operation == Operation::insert ? stream.value(number(i)) : Format::empty_value;
  }
};

/// A mix of operations: of 4n, n insert new keys, n erase the first ones, and 2n look up those that stay.
template <PairFormat Format>
struct DrawMix {
  KeyStream<Format> stream;
  Shuffle order;  ///< of all 4n
  std::uint64_t quarter;
  std::uint64_t live;   ///< keys before it
  std::uint64_t first;  ///< of this batch
  Operation* operations;
  typename Format::Key* keys;
  typename Format::Value* values;

  SLOTSCAPE_HOST_DEVICE std::uint64_t number(std::uint64_t i) const
  {
    std::uint64_t const k = order(static_cast<std::uint32_t>(first + i));
    if (k < quarter) { return live + k; }
    if (k < 2 * quarter) { return k - quarter; }
    return quarter + random_below(stream.seed, k, live - quarter);
  }
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t const k = order(static_cast<std::uint32_t>(first + i));
    operations[i] = k < quarter ? Operation::insert : k < 2 * quarter ? Operation::erase : Operation::find;
    keys[i] = stream.key(number(i));
    values[i] = k < quarter ? stream.value(number(i)) : Format::empty_value;
  }
};

/// Counts lookups that brought another value than was inserted.
template <PairFormat Format, class Draw>
struct CountWrongValues {
  Draw draw;
  typename Format::Value const* values;
  Operation const* operations;
  bool misses;
  bool may_be_missing;  ///< since some insertions failed

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    if (operations[i] != Operation::find) { return Outcome::found; }
    auto const value = values[i];
    bool const none = value == Format::empty_value;
    bool const right = misses ? none : value == draw.stream.value(draw.number(i)) || (none && may_be_missing);
    return right ? Outcome::found : Outcome::missing;
  }
};

template <exec::Executor Exec, PairFormat Format>
class TableBenchOf final : public TableBench {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  TableBenchOf(TableCase const& subject, MakeTable<Exec, Format> make)
      : subject_(subject), table_(make(exec_, subject.table)), distinct_(is_distinct(subject.keys.distribution))
  {
    auto const wanted = static_cast<double>(table().slots) * subject.load_factor;
    keys_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(wanted)));
    if (subject.keys.distribution == KeyDistribution::file && subject.keys.file_keys) {
      keys_ = std::min<std::uint64_t>(keys_, subject.keys.file_keys->size());
    }
    batch_size_ = std::min({keys_, subject.batch == 0 ? most_batch : subject.batch, most_batch});
    batch_.grow(exec_, batch_size_, batch_size_);
  }

  TableSettings const& table() const override { return table_->settings(); }
  std::uint64_t keys() const override { return keys_; }
  std::uint64_t batch() const override { return batch_size_; }
  std::uint64_t memory_bytes() const override { return table_->memory_bytes(); }
  std::string device_name() const override { return exec_.name(); }

  std::optional<Round> run(std::uint64_t seed, TimedMask wanted, GoOn const& go_on) override
  {
    go_on_ = go_on;
    stream_ = key_stream_of<Format>(subject_.keys, seed, table());
    if (subject_.keys.distribution == KeyDistribution::file) { file_.load(exec_, subject_.keys, stream_); }
    seed_ = seed;
    Round round;
    try {
      table_->clear();
      first_live_ = 0;
      failed_ = 0;
      round[index(Timed::insert)] = insert();
      for (Timed const timed : {Timed::find_hit, Timed::find_miss}) {
        if ((wanted & mask_of(timed)) == 0) { continue; }
        round[index(timed)] = find(timed == Timed::find_miss);
        if (!accesses_[index(timed)]) { accesses_[index(timed)] = count_accesses(timed == Timed::find_miss); }
      }
      bool const mixes =
          distinct_ && failed_ == 0 && keys_ >= fewest_mixed && !table_->info().guarantees(table()).is_static;
      if ((wanted & mask_of(Timed::mixed)) != 0 && mixes) { round[index(Timed::mixed)] = mix(); }
      if ((wanted & mask_of(Timed::erase)) != 0 && distinct_) { round[index(Timed::erase)] = erase(); }
    } catch (Stopped const&) {
      return std::nullopt;
    }
    return round;
  }

  std::optional<Accesses> accesses(Timed timed) const override { return accesses_[index(timed)]; }

private:
  struct Stopped {};
  static constexpr std::uint64_t most_sampled = 1u << 20;
  static constexpr std::uint32_t most_accesses = 1u << 16;
  static constexpr std::uint64_t fewest_mixed = 8;

  static constexpr std::size_t index(Timed timed) { return static_cast<std::size_t>(timed); }

  DrawOperations<Format> draw_of(Operation operation, bool misses, std::uint64_t count) const
  {
    bool const shuffles = operation != Operation::insert;
    return {stream_,
            make_shuffle(seed_ + static_cast<std::uint64_t>(operation), count),
            0,
            misses ? 0 : first_live_,
            shuffles,
            misses,
            operation,
            batch_.operations.data(),
            batch_.keys.data(),
            batch_.values.data()};
  }

  /// Runs `count` operations that `draw` draws, in batches; `check(draw, n)` is called after each of n operations.
  template <class Draw, class Check>
  TimedRun run_batches(Draw draw, std::uint64_t count, OperationMask kinds, Check const& check, Tally& tally)
  {
    TimedRun timed{count};
    for (std::uint64_t first = 0; first < count; first += batch_size_) {
      if (go_on_ && !go_on_()) { throw Stopped{}; }
      std::uint64_t const part = std::min(batch_size_, count - first);
      draw.first = first;
      exec_.for_each(part, draw);
      tally += table_->run({part, batch_.operations.data(), batch_.keys.data(), batch_.values.data(),
                            batch_.outcomes.data(), nullptr, distinct_, kinds, false},
                           timed.seconds);
      check(draw, part);
    }
    return timed;
  }

  TimedRun insert()
  {
    Tally tally;
    auto const draw = draw_of(Operation::insert, false, keys_);
    TimedRun timed = run_batches(
        draw, keys_, OperationMask::inserts, [](auto const&, std::uint64_t) {}, tally);
    failed_ = timed.failed = tally[Outcome::full];
    std::uint64_t const updates = distinct_ ? 0 : tally[Outcome::updated];
    require(tally[Outcome::inserted] + updates + failed_, keys_, "insertions");
    return timed;
  }

  TimedRun find(bool misses)
  {
    Tally tally;
    auto const draw = draw_of(Operation::find, misses, keys_);
    TimedRun const timed = run_batches(draw, keys_, OperationMask::finds, check_of(draw, misses), tally);
    if (misses) {
      require(tally[Outcome::missing], keys_, "lookups of absent keys");
    } else if (distinct_ || failed_ == 0) {
      require(tally[Outcome::found], keys_ - failed_, "lookups of present keys");
    }
    return timed;
  }

  TimedRun mix()
  {
    std::uint64_t const free = table().slots - std::min(table().slots, keys_);
    std::uint64_t const quarter = std::max<std::uint64_t>(1, std::min(keys_ / 8, free / 4));
    DrawMix<Format> const draw{stream_,
                               make_shuffle(seed_, 4 * quarter),
                               quarter,
                               keys_,
                               0,
                               batch_.operations.data(),
                               batch_.keys.data(),
                               batch_.values.data()};
    Tally tally;
    TimedRun timed = run_batches(draw, 4 * quarter, OperationMask::all, check_of(draw, false), tally);
    timed.failed = tally[Outcome::full];
    failed_ += timed.failed;
    require(tally[Outcome::inserted] + timed.failed, quarter, "insertions of a mix");
    require(tally[Outcome::erased], quarter, "erasures of a mix");
    require(tally[Outcome::found], 2 * quarter, "lookups of a mix");
    first_live_ = quarter;
    return timed;
  }

  TimedRun erase()
  {
    Tally tally;
    auto const draw = draw_of(Operation::erase, false, keys_);
    TimedRun const timed = run_batches(
        draw, keys_, OperationMask::erases, [](auto const&, std::uint64_t) {}, tally);
    require(tally[Outcome::erased], keys_ - failed_, "erasures");
    return timed;
  }

  /// Values are checked where a key has one.
  template <class Draw>
  auto check_of(Draw const&, bool misses)
  {
    return [this, misses](Draw const& draw, std::uint64_t count) {
      if (!distinct_ && !misses) { return; }
      Tally const answers =
          exec_.tally(count, CountWrongValues<Format, Draw>{draw, batch_.values.data(), batch_.operations.data(),
                                                            misses, failed_ != 0});
      require(answers[Outcome::found], count, "values of lookups");
    };
  }

  void require(std::uint64_t right, std::uint64_t all, char const* what) const
  {
    if (right == all) { return; }
    throw Error(std::string(table_->info().name) + " gave wrong answers: " + std::to_string(right) + " of " +
                std::to_string(all) + " " + what + " are right. Please report this with the command that you ran.");
  }

  Accesses count_accesses(bool misses)
  {
    std::uint64_t const count = std::min(batch_size_, most_sampled);
    exec_.for_each(count, draw_of(Operation::find, misses, keys_));
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
  std::unique_ptr<BatchTable<Exec, Format>> table_;
  bool distinct_;  ///< keys
  std::uint64_t keys_ = 0;
  std::uint64_t batch_size_ = 0;
  BatchBuffers<Exec, Format> batch_;
  FileKeys<Exec, Format> file_;
  std::array<std::optional<Accesses>, timed_count> accesses_;

  // of the round that runs
  GoOn go_on_;
  KeyStream<Format> stream_{};
  std::uint64_t seed_ = 0;
  std::uint64_t first_live_ = 0;  ///< number of the first key that is in the table
  std::uint64_t failed_ = 0;
};

/// The bench of a case that is valid.
template <exec::Executor Exec>
std::unique_ptr<TableBench> make_table_bench_on(TableCase const& subject)
{
  if (subject.table.key_bits == 64) {
    return std::make_unique<TableBenchOf<Exec, Wide>>(subject, table_maker_of<Exec, Wide>(subject.table.family));
  }
  return std::make_unique<TableBenchOf<Exec, Narrow>>(subject, table_maker_of<Exec, Narrow>(subject.table.family));
}

}  // namespace slotscape::bench
