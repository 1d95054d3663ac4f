#pragma once

#include "gpu/base/error.hpp"
#include "gpu/bench/draws.hpp"
#include "gpu/bench/paced_batches.hpp"
#include "gpu/bench/table_bench.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/families.hpp"
#include "gpu/engine/make_table.hpp"
#include "gpu/workloads/batch.hpp"
#include "gpu/workloads/different_keys.hpp"
#include "gpu/workloads/file_keys.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace slotscape::bench {

/// `Table` runs batches like a `BatchTable`; a table without `count_accesses` has no accesses.
template <exec::Executor Exec, PairFormat Format, class Table = BatchTable<Exec, Format>>
class TableBenchOf final : public TableBench {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// make(exec, settings) returns the table.
  template <class Make>
  TableBenchOf(TableCase const& subject, Make const& make)
      : exec_(memories_of<Exec>(subject.table)),
        subject_(subject),
        table_(make(exec_, subject.table)),
        batches_(exec_, *table_, batch_, subject.max_seconds)
  {
    start_stream(0);
    count_keys();
    max_live_ = keys_;
    std::uint64_t const all = is_drawn() ? keys_ : inserts_;  // the number of draws varies between runs
    batch_size_ = subject.batch == 0 ? std::min(all, default_batch) : std::min({subject.batch, inserts_, max_batch});
    max_timed_ =
        subject.max_batches == 0 ? std::numeric_limits<std::uint64_t>::max() : subject.max_batches * batch_size_;
    affordable_.fill(std::numeric_limits<std::uint64_t>::max());
    size_batches();
  }

  TableSettings const& table() const override { return table_->settings(); }
  std::uint64_t keys() const override { return keys_; }
  std::uint64_t inserts() const override { return inserts_; }
  std::uint64_t live() const override { return std::min(max_live_, keys_); }
  std::uint64_t batch() const override { return batch_size_; }
  std::uint64_t memory_bytes() const override { return std::max(max_bytes_, table_->memory_bytes()); }
  std::string device_name() const override { return exec_.name(); }

  std::optional<Round> run(std::uint64_t seed, TimedMask wanted, Progress const& progress) override
  {
    Round round;
    try {
      begin(seed, progress);
      MixCounts const counts = (wanted & mask_of(Timed::mixed)) != 0 ? mix_counts() : MixCounts{};
      round[index(Timed::insert)] = fill(inserts_);
      for (Timed const timed : {Timed::find_hit, Timed::find_miss}) {
        if ((wanted & mask_of(timed)) == 0) { continue; }
        round[index(timed)] = find(timed, std::min(live_, max_timed_), batch_size_);
        if (!accesses_[index(timed)]) { accesses_[index(timed)] = count_accesses(timed == Timed::find_miss); }
      }
      bool given_up = false;
      if (counts.rounds != 0 && failed_ == 0) {
        if (counts.kept != 0) { refill(inserts_ - counts.kept); }
        if (failed_ == 0) {
          round[index(Timed::mixed)] = mix_if_affordable(counts);
          given_up = round[index(Timed::mixed)]->count == 0;
        }
      }
      if ((wanted & mask_of(Timed::erase)) != 0 && distinct_) {
        std::uint64_t const count = std::min(live_, max_timed_);
        round[index(Timed::erase)] = given_up ? TimedRun{.left_out = count} : erase(count);
      }
    } catch (Stopped const&) {
      return std::nullopt;
    }
    return round;
  }

  std::optional<Churned> churn(std::uint64_t seed, int turns, Progress const& progress) override
  {
    Churned churned;
    try {
      begin(seed, progress);
      fill(inserts_);
      if (!all_distinct_ || failed_ != 0) { return churned; }
      churned.turns.push_back(look());
      CloggingWatch watch;
      for (int turn = 0; turn < turns && !churned.clogged; ++turn) {
        churned.turns.push_back(turn_over(churned, watch));
      }
    } catch (Stopped const&) {
      return std::nullopt;
    }
    return churned;
  }

  std::optional<TimedRun> update(std::uint64_t seed, Progress const& progress) override
  {
    try {
      begin(seed, progress);
      fill(inserts_);
      bool const keep_values = !Format::has_values || table().combine != Combine::replace;
      if (!distinct_ || failed_ != 0 || keep_values) { return TimedRun{}; }
      auto draw = draw_of(Operation::insert, false);
      draw.offset = first_live_;
      draw.renewed = true;
      Tally tally;
      TimedRun const timed =
          batches_.run_whole(draw, live_, batch_size_, {OperationMask::inserts, update_slices_, "updating"}, tally);
      require(tally[Outcome::updated], live_, "updates");
      auto look = draw_of(Operation::find, false);
      look.renewed = true;
      Tally found;
      batches_.run(look, live_, batch_size_, {OperationMask::finds, slices_of(Timed::find_hit), "looking up"},
                   check_of(look, true), found);
      return timed;
    } catch (Stopped const&) {
      return std::nullopt;
    }
  }

  std::optional<Accesses> accesses(Timed timed) const override { return accesses_[index(timed)]; }

private:
  static constexpr std::uint64_t max_sampled = 1u << 20;
  static constexpr std::uint64_t max_bulk = 1u << 20;    ///< size of a batch that is not timed
  static constexpr std::uint64_t max_looked = 1u << 18;  ///< lookups between two turns
  static constexpr std::uint32_t max_accesses = 1u << 22;
  static constexpr double seconds_of_accesses = 1.0;  ///< limit for counting them
  static constexpr std::uint64_t min_mixed = 8;
  static constexpr double part_of_time = 1.0 / 20.0;  ///< share of the limit for operations that run only in part
  static constexpr std::uint64_t largest_stream = 0xffffffff;  ///< limit on key numbers, for `Shuffle`

  static constexpr std::size_t index(Timed timed) { return static_cast<std::size_t>(timed); }

  Slices& slices_of(Timed timed) { return slices_[index(timed)]; }

  bool from_file() const { return subject_.keys.distribution == KeyDistribution::file; }
  /// Whether keys are drawn with possible repeats.
  bool is_drawn() const { return !from_file() && !is_distinct(subject_.keys.distribution); }

  void start_stream(std::uint64_t seed)
  {
    stream_ = key_stream_of<Format>(subject_.keys, seed, table());
    if (subject_.zipf_keys != 0) { stream_.zipf_keys = subject_.zipf_keys; }
    if (from_file()) { file_.load(exec_, subject_.keys, stream_); }
  }

  /// Counts the insertions that fill the table, and their distinct keys.
  void count_keys()
  {
    double const wanted = static_cast<double>(table().slots) * subject_.load_factor;
    auto const goal = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(wanted)));
    std::uint64_t const all = from_file() ? stream_.file_count : std::numeric_limits<std::uint64_t>::max();
    std::uint64_t const different = is_drawn() ? stream_.zipf_keys : from_file() ? file_.different(exec_) : all;
    all_distinct_ = different == all;
    if (all_distinct_) {
      inserts_ = keys_ = std::min(subject_.inserts != 0 ? subject_.inserts : goal, all);
      distinct_ = true;
      return;
    }
    bool const told = subject_.inserts != 0;
    if (from_file() && !told && different <= goal) {  // the whole file, to the last key
      inserts_ = std::min(all, largest_stream);
      keys_ = different;
      distinct_ = false;
      return;
    }
    std::uint64_t const most = std::min({told          ? subject_.inserts
                                         : from_file() ? all
                                                       : max_draws * goal,
                                         all, largest_stream});
    auto const found =
        different_keys::beginning_with<Exec, Format>(exec_, stream_, told ? most : std::min(goal, different), most,
                                                     batches_.progress());
    if (!found) { throw Stopped{}; }
    inserts_ = found->keys;
    keys_ = found->different;
    distinct_ = from_file() && inserts_ == keys_;
  }

  void size_batches()
  {
    fill_batch_ = subject_.filled_at_once ? std::min(inserts_, default_batch) : batch_size_;
    if (subject_.filled_at_once) { slices_of(Timed::insert).never(); }
    std::uint64_t const bulk = max_timed_ < inserts_ ? std::min(inserts_, max_bulk) : 0;
    room_ = std::max({batch_size_, fill_batch_, bulk});
    batch_.grow(exec_, room_, room_);
    batches_.set_distinct(distinct_);
  }

  void begin(std::uint64_t seed, Progress const& progress)
  {
    batches_.set_progress(progress);
    start_stream(seed);
    seed_ = seed;
    if (is_drawn()) {
      count_keys();
      size_batches();
    }
    empty();
  }

  void empty()
  {
    table_->clear();
    first_live_ = 0;
    live_ = 0;
    failed_ = 0;
  }

  /// Refills the table with fewer keys: the mix inserts the rest.
  void refill(std::uint64_t count)
  {
    empty();
    fill(count);
  }

  /// Draws operations on the keys in the table, in another order; insertions use the next keys, and erasures `in_order`
  /// the first ones.
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

  /// Runs only part of the operations if all would take too long; later runs then take a small share of the time.
  template <class Draw, class Check>
  TimedRun run_affordable(Timed kind, Draw const& draw, std::uint64_t count, std::uint64_t most, OperationMask kinds,
                          Check const& check, Tally& tally)
  {
    std::uint64_t& affordable = affordable_[index(kind)];
    TimedRun timed = batches_.run(draw, std::min(count, affordable), most, {kinds, slices_of(kind), ""}, check, tally);
    if (timed.left_out != 0) {
      double const share = part_of_time * subject_.max_seconds / timed.clock_seconds;
      affordable = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(share * static_cast<double>(timed.count)));
    }
    timed.left_out = count - timed.count;
    return timed;
  }

  TimedRun fill(std::uint64_t count)
  {
    Tally tally;
    Way const way{OperationMask::inserts, slices_of(Timed::insert), "inserting"};
    auto draw = draw_of(Operation::insert, false);
    std::uint64_t const timed_keys = subject_.filled_at_once ? count : std::min(count, max_timed_);
    batches_.run_whole(draw, count - timed_keys, room_, way, tally);
    draw.first = count - timed_keys;
    TimedRun timed = batches_.run_whole(draw, timed_keys, fill_batch_, way, tally);
    live_ += count;
    max_bytes_ = std::max(max_bytes_, table_->memory_bytes());
    note_failures(tally, count, timed);
    max_live_ = std::min(max_live_, tally[Outcome::inserted] + (inserts_ - count));
    return timed;
  }

  /// Counts failures among `count` insertions of the stream. A repeated key that fails counts once.
  void note_failures(Tally const& tally, std::uint64_t count, TimedRun& timed)
  {
    std::uint64_t const updates = distinct_ ? 0 : tally[Outcome::updated];
    require(tally[Outcome::inserted] + updates + tally[Outcome::full], count, "insertions");
    std::uint64_t const different = distinct_ ? count : keys_;
    require(std::min(tally[Outcome::inserted], different), tally[Outcome::inserted], "keys that were new");
    timed.failed = different - tally[Outcome::inserted];
    failed_ += timed.failed;
  }

  TimedRun find(Timed kind, std::uint64_t count, std::uint64_t most)
  {
    bool const misses = kind == Timed::find_miss;
    Tally tally;
    auto const draw = draw_of(Operation::find, misses);
    TimedRun timed = run_affordable(kind, draw, count, most, OperationMask::finds, check_of(draw, !misses), tally);
    if (misses) {
      require(tally[Outcome::missing], timed.count, "lookups of absent keys");
    } else if (failed_ == 0) {
      require(tally[Outcome::found], timed.count, "lookups of present keys");
    } else if (distinct_ && timed.count == live_) {
      require(tally[Outcome::found], timed.count - failed_, "lookups of present keys");
    }
    return timed;
  }

  MixCounts mix_counts() const
  {
    MixShares const& shares = subject_.mix;
    double const all = shares.insert + shares.hit + shares.miss + shares.erase;
    bool const is_static = table_->info().guarantees(table()).is_static;
    if (!all_distinct_ || keys_ < min_mixed || all <= 0.0 || is_static) { return {}; }
    std::uint64_t const others = from_file() ? stream_.file_count - keys_ : std::numeric_limits<std::uint64_t>::max();
    return mix_counts_of(shares, {places_of(table_->info(), table()), keys_, others, max_timed_});
  }

  /// Runs no operations if they would take too long: the keys in the table would then be unknown.
  TimedRun mix_if_affordable(MixCounts const& counts)
  {
    try {
      return mix(counts);
    } catch (GivenUp const& given_up) {
      return {.left_out = counts.rounds * counts.count(), .clock_seconds = given_up.whole_seconds()};
    }
  }

  TimedRun mix(MixCounts const& counts)
  {
    Tally tally;
    TimedRun timed;
    Way const way{OperationMask::all, slices_of(Timed::mixed), "mixing operations on"};
    Foresight const foresight(subject_.max_seconds);
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
      timed.most_keys = std::max(timed.most_keys.value_or(0), live_);
      add(timed, batches_.run_whole(draw, counts.count(), batch_size_, way, check_of(draw, true), tally));
      timed.failed = tally[Outcome::full];
      first_live_ += counts.erases;
      live_ += counts.inserts - counts.erases;
      timed.most_keys = std::max(*timed.most_keys, live_);
      foresight.check(std::string(table_->info().name) + ": the mix", rounds + 1, counts.rounds);
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
    TimedRun timed = run_affordable(
        Timed::erase, draw_of(Operation::erase, false), count, batch_size_, OperationMask::erases,
        [](DrawOperations<Format> const&, std::uint64_t) {}, tally);
    if (failed_ == 0) {
      require(tally[Outcome::erased], timed.count, "erasures");
    } else if (timed.count == live_) {
      require(tally[Outcome::erased], timed.count - failed_, "erasures");
    }
    return timed;
  }

  Round look()
  {
    Round round;
    std::uint64_t const count = std::min(live_, max_looked);
    std::uint64_t const most = std::min(batch_size_, max_looked / 16);
    for (Timed const timed : {Timed::find_hit, Timed::find_miss}) { round[index(timed)] = find(timed, count, most); }
    return round;
  }

  /// Replaces as many keys as the table holds, the oldest first.
  Round turn_over(Churned& churned, CloggingWatch& watch)
  {
    std::uint64_t const most = std::min(batch_size_, std::max<std::uint64_t>(1, live_ / 64));
    Foresight const foresight(subject_.max_seconds);
    TimedRun erased;
    TimedRun inserted;
    while (erased.count < live_ && !churned.clogged) {
      std::uint64_t const part = std::min(most, live_ - erased.count);
      Tally erasures;
      TimedRun const erasing = batches_.run_whole(draw_of(Operation::erase, false, true), part, part,
                                                  {OperationMask::erases, churn_slices_[0], "erasing"}, erasures);
      require(erasures[Outcome::erased], part, "erasures");
      add(erased, erasing);
      first_live_ += part;
      live_ -= part;
      Tally insertions;
      TimedRun inserting = batches_.run_whole(draw_of(Operation::insert, false), part, part,
                                              {OperationMask::inserts, churn_slices_[1], "inserting"}, insertions);
      live_ += part;
      inserting.failed = insertions[Outcome::full];
      require(insertions[Outcome::inserted] + inserting.failed, part, "insertions");
      failed_ += inserting.failed;
      add(inserted, inserting);
      churned.clogged = inserting.failed != 0 || watch.is_clogged(erasing.seconds + inserting.seconds);
      if (!churned.clogged) {
        foresight.check(std::string(table_->info().name) + ": replacing " + std::to_string(live_) + " keys",
                        erased.count, live_);
      }
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
    sum.batch = std::max(sum.batch, part.batch);
    sum.worst_batch = std::max(sum.worst_batch, part.worst_batch);
    sum.clock_seconds += part.clock_seconds;
    sum.shards = sum.shards && part.shards ? together(*sum.shards, *part.shards) : part.shards;
  }

  /// Checks the values of lookups, except hits of repeated keys, which may have any of several values.
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

  /// Counts the accesses of as many keys as the time allows.
  Accesses counted_accesses(bool misses)
  {
    std::uint64_t const count = std::min({live_, room_, max_sampled});
    Buffer<std::uint32_t> accesses(exec_, count);
    auto draw = draw_of(Operation::find, misses);
    Foresight const clock(0.0);
    Slices slices;
    for (draw.first = 0; draw.first < count && clock.seconds() < seconds_of_accesses;) {
      batches_.ask();
      std::uint64_t const part = slices.next(count - draw.first);
      exec_.for_each(part, draw);
      Foresight const clock_of_part(0.0);
      table_->count_accesses(batch_.keys.data(), part, max_accesses, accesses.data() + draw.first);
      exec_.wait();
      slices.note(part, clock_of_part.seconds());
      draw.first += part;
    }
    std::vector<std::uint32_t> counts(draw.first);
    exec_.download(std::span(counts), static_cast<std::uint32_t const*>(accesses.data()));
    return sum_of(std::move(counts));
  }
  static Accesses sum_of(std::vector<std::uint32_t> counts)
  {
    std::ranges::sort(counts);
    double const sum = std::accumulate(counts.begin(), counts.end(), 0.0);
    std::uint32_t const max = counts.back();
    Accesses all{sum / static_cast<double>(counts.size()), counts[(counts.size() - 1) * 99 / 100], max,
                 max >= max_accesses};
    for (std::uint32_t const each : counts) {
      if (all.histogram.empty() || all.histogram.back().first != each) { all.histogram.emplace_back(each, 0); }
      ++all.histogram.back().second;
    }
    return all;
  }

  Exec exec_;
  TableCase subject_;
  std::unique_ptr<Table> table_;
  bool all_distinct_ = true;  ///< whether the keys of the stream are distinct
  bool distinct_ = true;      ///< whether the inserted keys are distinct
  std::uint64_t keys_ = 0;    ///< distinct inserted keys
  std::uint64_t inserts_ = 0;
  std::uint64_t max_live_ = 0;  ///< keys that found a place, in the worst run
  std::uint64_t batch_size_ = 0;
  std::uint64_t fill_batch_ = 0;
  std::uint64_t max_timed_ = 0;  ///< operations per kind
  std::uint64_t room_ = 0;       ///< capacity of the batch memory, in operations
  std::uint64_t max_bytes_ = 0;  ///< of the table when filled: some tables free memory later
  BatchBuffers<Exec, Format> batch_;
  PacedBatches<Exec, Format, Table> batches_;
  FileKeys<Exec, Format> file_;
  std::array<std::optional<Accesses>, timed_count> accesses_;
  std::array<Slices, timed_count> slices_;
  Slices update_slices_;
  std::array<Slices, 2> churn_slices_;                   ///< for erasures and for insertions
  std::array<std::uint64_t, timed_count> affordable_{};  ///< number of lookups and erasures

  // of the current round: the keys with the numbers first_live_ ... first_live_ + live_ - 1 were inserted
  KeyStream<Format> stream_{};
  std::uint64_t seed_ = 0;
  std::uint64_t first_live_ = 0;
  std::uint64_t live_ = 0;
  std::uint64_t failed_ = 0;  ///< insertions of this round that did not fit
};

template <exec::Executor Exec, PairFormat Format>
std::unique_ptr<TableBench> make_table_bench_on(TableCase const& subject)
{
  return std::make_unique<TableBenchOf<Exec, Format>>(subject, [](Exec& exec, TableSettings const& settings) {
    return make_table(exec, settings, family_on<Exec>(settings.family).template tables<Format>(settings.hash));
  });
}

/// The bench of a case, which must be valid.
template <exec::Executor Exec>
std::unique_ptr<TableBench> make_table_bench_of(TableCase const& subject)
{
  bool const wide = subject.table.key_bits == 64;
  if (subject.table.keys_only) {
    return wide ? make_table_bench_on<Exec, WideSet>(subject) : make_table_bench_on<Exec, NarrowSet>(subject);
  }
  return wide ? make_table_bench_on<Exec, Wide>(subject) : make_table_bench_on<Exec, Narrow>(subject);
}

}  // namespace slotscape::bench
