#pragma once

#include "gpu/engine/make_table.hpp"
#include "gpu/engine/remote_table.hpp"
#include "gpu/engine/sharding.hpp"
#include "gpu/engine/table.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

namespace sharding {

/// Joins the occupancy and the marks of the shards, each of which begins at a whole word.
struct JoinShards {
  std::uint64_t slots;   ///< per shard
  std::uint64_t stride;  ///< between shards, in words of the occupancy
  std::uint64_t const* bits;
  SlotMark const* marks;
  Occupancy occupancy;  ///< of all
  SlotMark* all_marks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t word) const
  {
    std::uint64_t joined = 0;
    for (std::uint64_t i = 0; i < 64; ++i) {
      std::uint64_t const slot = word * 64 + i;
      bool const there = slot < occupancy.slots;
      std::uint64_t const shard = there ? slot / slots : 0;
      std::uint64_t const own = there ? slot - shard * slots : 0;
      std::uint64_t const occupied = bits[shard * stride + own / 64] >> (own % 64) & 1;
      joined |= (there ? occupied : 1) << i;
      if (there) { all_marks[slot] = marks[shard * stride * 64 + own]; }
    }
    occupancy.words[0][word] = joined;
  }
};

/// Brings the numbers of dealt keys back to the original order of the keys.
struct ScatterNumbers {
  std::uint32_t const* dealt;
  std::uint32_t const* places;
  std::uint32_t* numbers;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { numbers[places[i]] = dealt[i]; }
};

}  // namespace sharding

/// A table in shards: tables of one family that divide its keys among themselves by a separate hash (`ShardOf`). Their
/// slots are numbered consecutively, like those of one table, so that all code for tables also works with shards. The
/// first shard is on the table's device, and so are the others, unless each has its own device.
template <exec::Executor Exec, PairFormat Format>
class ShardedTable final : public BatchTable<Exec, Format> {
  using typename Table<Exec, Format>::Key;
  using typename Table<Exec, Format>::Word;
  using Shard = BatchTable<Exec, Format>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// settings: of all shards together; `make_shard` makes each of them.
  ShardedTable(Exec& exec, TableSettings const& settings, MakeTable<Exec, Format> make_shard)
      : exec_(exec), settings_(settings), sharding_(exec, settings.shards, settings.keys_start, settings.devices)
  {
    for (std::uint32_t i = 0; i < settings.shards; ++i) {
      add_shard(i, make_shard);
      shards_.back()->place_at(static_cast<Slot>(i * slots_each()));
    }
    settings_.slots = shards_.front()->settings().slots * settings.shards;
  }

  FamilyInfo const& info() const override { return shards_.front()->info(); }
  TableSettings const& settings() const override { return settings_; }
  ShardReport const* shards() const override { return &sharding_.report(); }
  std::uint64_t memory_bytes() const override
  {
    std::uint64_t sum = 0;
    for (auto const& shard : shards_) { sum += shard->memory_bytes(); }
    return sum;
  }
  std::uint64_t rebuilds() const override
  {
    std::uint64_t sum = 0;
    for (auto const& shard : shards_) { sum += shard->rebuilds(); }
    return sum;
  }
  /// The shards' words are joined on demand.
  Word const* words() const override
  {
    if (!are_joined_) {
      if (words_.size() == 0) { words_ = Buffer<Word>(exec_, this->places()); }
      for (std::size_t i = 0; i < shards_.size(); ++i) {
        exec_.copy(words_.data() + i * slots_each(), shards_[i]->words(), slots_each());
      }
      are_joined_ = true;
    }
    return words_.data();
  }

  void clear() override
  {
    for (auto const& shard : shards_) { shard->clear(); }
    sharding_.clear();
    are_joined_ = false;
  }
  Tally run(Batch<Format> const& batch, double& seconds) override
  {
    are_joined_ = false;
    return sharding_.run(batch, seconds, [&](std::uint32_t shard, Batch<Format> its, ShardSeconds& its_seconds) {
      if (its.changes != nullptr) { its.changes += shard * slots_each(); }
      Tally const tally = shards_[shard]->run(its, its_seconds.table);
      if (remote_[shard] != nullptr) { its_seconds.exchange += remote_[shard]->take_copy_seconds(); }
      return tally;
    });
  }
  void copy_from(Shard const& other) override
  {
    auto const& from = static_cast<ShardedTable const&>(other);
    for (std::size_t i = 0; i < shards_.size(); ++i) { shards_[i]->copy_from(*from.shards_[i]); }
    sharding_.set_report(from.sharding_.report());
    are_joined_ = false;
  }

  void continue_statistics_of(Shard const& before) override
  {
    ShardReport report = *before.shards();
    std::vector<ShardWork> const& now = sharding_.report().shards;
    for (std::size_t i = 0; i < now.size(); ++i) { report.shards[i].live = now[i].live; }
    sharding_.set_report(report);
  }

  /// If shards begin at whole words of the occupancy, they write to it directly.
  void scan(Occupancy const& occupancy, SlotMark* marks, exec::HistogramView measures) override
  {
    are_joined_ = false;
    bool const fits = slots_each() % 64 == 0;
    std::uint64_t const stride = (slots_each() + 63) / 64;
    if (!fits && bits_.size() == 0) {
      bits_ = Buffer<std::uint64_t>(exec_, stride * shards_.size());
      marks_ = Buffer<SlotMark>(exec_, stride * 64 * shards_.size());
    }
    std::uint64_t* const bits = fits ? occupancy.words[0] : bits_.data();
    SlotMark* const its_marks = fits ? marks : marks_.data();
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      Occupancy its;
      its.words[0] = bits + i * stride;
      its.counts[0] = stride;
      its.levels = 1;
      its.slots = its.ring = slots_each();
      shards_[i]->scan(its, its_marks + i * stride * 64, measures);
    }
    if (fits) { return; }
    exec_.for_each(occupancy.counts[0], sharding::JoinShards{slots_each(), stride, bits, its_marks, occupancy, marks});
  }
  void count_groups(exec::HistogramView groups) override
  {
    for (auto const& shard : shards_) { shard->count_groups(groups); }
  }
  void count_moves(exec::HistogramView moves) override
  {
    for (auto const& shard : shards_) { shard->count_moves(moves); }
  }
  void count_accesses(Key const* keys, std::uint64_t count, std::uint32_t most, std::uint32_t* accesses) override
  {
    auto const dealt = sharding_.deal_keys(keys, count);
    Buffer<std::uint32_t> counted(exec_, count);
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      std::uint64_t const first = dealt.starts[i];
      shards_[i]->count_accesses(dealt.keys + first, dealt.starts[i + 1] - first, most, counted.data() + first);
    }
    exec_.fill(accesses, count, 0u);
    exec_.for_each(dealt.starts.back(), sharding::ScatterNumbers{counted.data(), dealt.numbers, accesses});
  }

  std::vector<SlotInfo> read(std::span<Slot const> slots) override
  {
    std::vector<SlotInfo> infos(slots.size());
    for (std::size_t shard = 0; shard < shards_.size(); ++shard) {
      std::vector<Slot> its;
      std::vector<std::size_t> places;
      for (std::size_t i = 0; i < slots.size(); ++i) {
        if (slots[i] / slots_each() != shard) { continue; }
        its.push_back(static_cast<Slot>(slots[i] % slots_each()));
        places.push_back(i);
      }
      if (its.empty()) { continue; }
      std::vector<SlotInfo> const read = shards_[shard]->read(its);
      for (std::size_t i = 0; i < read.size(); ++i) { infos[places[i]] = read[i]; }
    }
    return infos;
  }
  ProbePath probe_path(slotscape::Key key) override { return shards_[shard_of(key)]->probe_path(key); }
  Trace trace(Operation operation, slotscape::Key key, slotscape::Value value) override
  {
    std::uint32_t const shard = shard_of(key);
    Trace trace = shards_[shard]->trace(operation, key, value);
    if (trace.steps.empty()) { return trace; }
    std::string const where = std::to_string(key) + " belongs to shard " + std::to_string(shard) + ". ";
    Step& first = trace.steps.front();
    for (std::string* const text : {&first.text, &first.found}) { text->insert(0, where); }
    return trace;
  }
  std::string check_invariants() override
  {
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      std::string const wrong = shards_[i]->check_invariants();
      if (!wrong.empty()) { return "Shard " + std::to_string(i) + ": " + wrong; }
    }
    return {};
  }

private:
  void add_shard(std::uint32_t number, MakeTable<Exec, Format> make_shard)
  {
    TableSettings const settings = settings_of_shard(settings_);
    if (number == 0 || settings_.devices == ShardDevices::one) {
      shards_.push_back(make_shard(exec_, settings));
      remote_.push_back(nullptr);
      return;
    }
    auto shard = std::make_unique<RemoteTable<Exec, Format>>(exec_, exec_.device(number), settings, make_shard);
    remote_.push_back(shard.get());
    shards_.push_back(std::move(shard));
  }
  std::uint64_t slots_each() const { return shards_.front()->places(); }
  std::uint32_t shard_of(slotscape::Key key) const { return ShardOf{settings_.shards}.segment(Format::narrow(key)); }

  Exec& exec_;
  TableSettings settings_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::vector<RemoteTable<Exec, Format>*> remote_;  ///< entries of `shards_` on other devices; null for the others
  Sharding<Exec, Format> sharding_;
  Buffer<std::uint64_t> bits_;  ///< occupancy by shard; only if shards begin within words
  Buffer<SlotMark> marks_;      ///< marks by shard; only if shards begin within words
  mutable Buffer<Word> words_;
  mutable bool are_joined_ = false;  ///< whether `words_` are those of the last scan
};

template <exec::Executor Exec, PairFormat Format>
std::unique_ptr<BatchTable<Exec, Format>> make_table(Exec& exec, TableSettings const& settings,
                                                     MakeTable<Exec, Format> make)
{
  if (settings.shards == 1) { return make(exec, settings); }
  return std::make_unique<ShardedTable<Exec, Format>>(exec, settings, make);
}

}  // namespace slotscape
