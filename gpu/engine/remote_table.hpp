#pragma once

#include "gpu/engine/table.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

namespace remote {

/// Adds a histogram that was counted on another device.
struct AddHistogram {
  exec::HistogramView its;
  exec::HistogramView all;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    all.bins[i] += its.bins[i];
    if (i != 0) { return; }
    exec::HistogramTotals const& more = *its.totals;
    exec::HistogramTotals& totals = *all.totals;
    totals.used = larger(totals.used, more.used);
    totals.beyond += more.beyond;
    totals.beyond_sum += more.beyond_sum;
    totals.beyond_max = larger(totals.beyond_max, more.beyond_max);
    totals.tombstones += more.tombstones;
    totals.links += more.links;
  }

private:
  SLOTSCAPE_HOST_DEVICE static unsigned long long larger(unsigned long long a, unsigned long long b)
  {
    return a < b ? b : a;
  }
};

}  // namespace remote

/// A table on another device than its batches and pictures: its inputs are copied there, and its results are copied
/// back. Threads may use several remote tables at once if these are on different devices.
template <exec::Executor Exec, PairFormat Format>
class RemoteTable final : public BatchTable<Exec, Format> {
  using typename Table<Exec, Format>::Key;
  using typename Table<Exec, Format>::Word;
  using Value = typename Format::Value;
  using Active = typename Exec::Active;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// home: the device of batches and pictures; away: the device on which `make` makes the table.
  RemoteTable(Exec& home, Exec& away, TableSettings const& settings, MakeTable<Exec, Format> make)
      : home_(home), away_(away)
  {
    Active const here(away_);
    there_ = std::make_unique<There>();
    there_->table = make(away_, settings);
  }
  ~RemoteTable() override
  {
    Active const here(away_);
    there_.reset();
  }
  RemoteTable(RemoteTable const&) = delete;
  RemoteTable& operator=(RemoteTable const&) = delete;

  /// Seconds spent copying batches since the last call.
  double take_copy_seconds() { return std::exchange(copy_seconds_, 0.0); }

  FamilyInfo const& info() const override { return there_->table->info(); }
  TableSettings const& settings() const override { return there_->table->settings(); }
  std::uint64_t memory_bytes() const override { return there_->table->memory_bytes(); }
  std::uint64_t rebuilds() const override { return there_->table->rebuilds(); }
  void place_at(Slot first) override { there_->table->place_at(first); }
  /// On the table's own device; `home` can copy from there.
  Word const* words() const override
  {
    Active const here(away_);
    Word const* const words = there_->table->words();
    away_.wait();
    return words;
  }

  void clear() override
  {
    Active const here(away_);
    there_->table->clear();
  }
  Tally run(Batch<Format> const& batch, double& seconds) override
  {
    home_.wait();
    Active const here(away_);
    away_.start_timer();
    Batch<Format> const its = bring(batch);
    copy_seconds_ += away_.stop_timer();
    Tally const tally = there_->table->run(its, seconds);
    away_.start_timer();
    bring_back(its, batch);
    copy_seconds_ += away_.stop_timer();
    away_.wait();
    return tally;
  }
  void copy_from(BatchTable<Exec, Format> const& other) override
  {
    Active const here(away_);
    there_->table->copy_from(*static_cast<RemoteTable const&>(other).there_->table);
  }

  void scan(Occupancy const& occupancy, SlotMark* marks, exec::HistogramView measures) override
  {
    std::uint64_t const words = occupancy.counts[0];
    counted(measures, [&](exec::HistogramView its_measures) {
      exec::grow(away_, there_->bits, words);
      exec::grow(away_, there_->marks, words * 64);
      Occupancy its = occupancy;
      its.words[0] = there_->bits.data();
      there_->table->scan(its, there_->marks.data(), its_measures);
      away_.copy(occupancy.words[0], there_->bits.data(), words);
      away_.copy(marks, there_->marks.data(), words * 64);
    });
  }
  void count_groups(exec::HistogramView groups) override
  {
    counted(groups, [&](exec::HistogramView its) { there_->table->count_groups(its); });
  }
  void count_moves(exec::HistogramView moves) override
  {
    counted(moves, [&](exec::HistogramView its) { there_->table->count_moves(its); });
  }
  void count_accesses(Key const* keys, std::uint64_t count, std::uint32_t most, std::uint32_t* accesses) override
  {
    home_.wait();
    Active const here(away_);
    exec::grow(away_, there_->keys, count);
    exec::grow(away_, there_->accesses, count);
    away_.copy(there_->keys.data(), keys, count);
    there_->table->count_accesses(there_->keys.data(), count, most, there_->accesses.data());
    away_.copy(accesses, there_->accesses.data(), count);
    away_.wait();
  }

  std::vector<SlotInfo> read(std::span<Slot const> slots) override
  {
    Active const here(away_);
    return there_->table->read(slots);
  }
  ProbePath probe_path(slotscape::Key key) override
  {
    Active const here(away_);
    return there_->table->probe_path(key);
  }
  Trace trace(Operation operation, slotscape::Key key, slotscape::Value value) override
  {
    Active const here(away_);
    return there_->table->trace(operation, key, value);
  }
  std::string check_invariants() override
  {
    Active const here(away_);
    return there_->table->check_invariants();
  }

private:
  /// Data on the other device, which must be freed there.
  struct There {
    std::unique_ptr<BatchTable<Exec, Format>> table;
    Buffer<Key> keys;
    Buffer<Value> values;
    Buffer<Operation> operations;
    Buffer<Outcome> outcomes;
    Buffer<std::uint8_t> changes;
    Buffer<std::uint64_t> bits;
    Buffer<SlotMark> marks;
    Buffer<std::uint32_t> accesses;
    Buffer<std::uint32_t> bins;
    Buffer<exec::HistogramTotals> totals;
  };

  /// Copies the batch's arrays to the other device.
  Batch<Format> bring(Batch<Format> batch)
  {
    std::uint64_t const count = batch.count;
    batch.keys = copied(there_->keys, batch.keys, count);
    if (batch.operations != nullptr) { batch.operations = copied(there_->operations, batch.operations, count); }
    if (batch.values != nullptr && contains(batch.kinds, Operation::insert)) {
      batch.values = copied(there_->values, batch.values, count);
    } else if (batch.values != nullptr) {
      exec::grow(away_, there_->values, count);
      batch.values = there_->values.data();
    }
    if (batch.outcomes != nullptr) {
      exec::grow(away_, there_->outcomes, count);
      batch.outcomes = there_->outcomes.data();
    }
    if (batch.changes != nullptr) { batch.changes = copied(there_->changes, batch.changes, this->places()); }
    return batch;
  }
  void bring_back(Batch<Format> const& its, Batch<Format> const& batch)
  {
    if (batch.keeps_outcomes) { away_.copy(batch.outcomes, its.outcomes, batch.count); }
    bool const brings_values = batch.values != nullptr && contains(batch.kinds, Operation::find);
    if (brings_values) { away_.copy(batch.values, its.values, batch.count); }
    if (batch.changes != nullptr) { away_.copy(batch.changes, its.changes, this->places()); }
  }
  template <class T>
  T* copied(Buffer<T>& buffer, T const* from, std::uint64_t count)
  {
    exec::grow(away_, buffer, count);
    away_.copy(buffer.data(), from, count);
    return buffer.data();
  }

  /// count(histogram) counts on the other device; the result is added to `all`.
  template <class Count>
  void counted(exec::HistogramView all, Count const& count)
  {
    home_.wait();
    exec::grow(home_, bins_, all.size);
    exec::grow(home_, totals_, 1);
    {
      Active const here(away_);
      exec::grow(away_, there_->bins, all.size);
      exec::grow(away_, there_->totals, 1);
      away_.fill(there_->bins.data(), all.size, 0u);
      away_.fill(there_->totals.data(), 1, exec::HistogramTotals{});
      count(exec::HistogramView{there_->bins.data(), all.size, there_->totals.data()});
      away_.copy(bins_.data(), there_->bins.data(), all.size);
      away_.copy(totals_.data(), there_->totals.data(), 1);
      away_.wait();
    }
    home_.for_each(all.size, remote::AddHistogram{{bins_.data(), all.size, totals_.data()}, all});
  }

  Exec& home_;
  Exec& away_;
  std::unique_ptr<There> there_;
  Buffer<std::uint32_t> bins_;  ///< copy, on this device, of the bins counted there
  Buffer<exec::HistogramTotals> totals_;
  double copy_seconds_ = 0.0;
};

}  // namespace slotscape
