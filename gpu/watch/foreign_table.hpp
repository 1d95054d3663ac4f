#pragma once

#include "gpu/base/progress.hpp"
#include "gpu/engine/table.hpp"
#include "gpu/watch/passes.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace slotscape::watch {

/// A table's description in terms of families: what is measured, and which theory applies.
class ForeignFamily {
public:
  ForeignFamily(std::string name, Description const& description);
  ForeignFamily(ForeignFamily const&) = delete;
  ForeignFamily& operator=(ForeignFamily const&) = delete;

  FamilyInfo const& info() const { return info_; }
  TableSettings const& settings() const { return settings_; }

private:
  std::string title_;
  std::string idea_;
  FamilyInfo info_{};
  TableSettings settings_;
};

/// Makes a table in foreign memory readable for the inspection of this program's own tables. Does not own the memory,
/// and never writes to it. 32-bit keys are widened.
template <exec::Executor Exec>
class ForeignTable final : public Table<Exec, Wide> {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  using typename Table<Exec, Wide>::Key;
  using typename Table<Exec, Wide>::Word;

  /// `memory_bytes`: total size of the arrays.
  ForeignTable(Exec& exec, ForeignFamily const& family, TableView const& view, std::uint64_t memory_bytes)
      : exec_(&exec), family_(&family), view_(view), memory_bytes_(memory_bytes), lost_(exec, 1)
  {
    exec.fill(lost_.data(), 1, LostCounters::none());
    if (view.slabs == 0) { return; }
    linked_ = Buffer<std::uint32_t>(exec, view.slabs);
    view_.linked = linked_.data();
    note_chains();
  }

  TableView const& view() const { return view_; }
  /// From now on, long passes report to `progress`, and throw Cancelled.
  void watch_work(Progress progress) { progress_ = std::move(progress); }

  FamilyInfo const& info() const override { return family_->info(); }
  TableSettings const& settings() const override { return family_->settings(); }
  std::uint64_t memory_bytes() const override { return memory_bytes_; }
  /// Always null: the slots may be of any size.
  Word const* words() const override { return nullptr; }
  void clear() override { throw std::logic_error("a foreign table is never written to"); }

  void scan(Occupancy const& occupancy, SlotMark* marks, exec::HistogramView measures) override
  {
    std::uint64_t const count = ScanSlots::count(occupancy.slots);
    exec_->fill(lost_.data(), 1, LostCounters::none());
    note_chains();
    followed_ = most_followed(occupancy.slots);
    DescribeSlots const describe{view_, followed_, lost_.data()};
    in_pieces(count, (1u << 22) / ScanSlots::slots_per_item, [&](std::uint64_t first, std::uint64_t some) {
      exec_->accumulate(some, measures, ScanSlots{describe, occupancy, marks, first});
    });
  }
  void count_groups(exec::HistogramView groups) override
  {
    std::uint64_t const count = CountBuckets{view_}.count();
    in_pieces(count, (1u << 22) / view_.window, [&](std::uint64_t first, std::uint64_t some) {
      exec_->accumulate(some, groups, CountBuckets{view_, first});
    });
  }
  void count_moves(exec::HistogramView) override {}
  void count_accesses(Key const* keys, std::uint64_t count, std::uint32_t most, std::uint32_t* accesses) override
  {
    exec_->for_each(count, CountLookup{view_, keys, most, accesses});
  }

  /// The lost keys of the last scan.
  LostKeys lost_keys()
  {
    LostCounters counted{};
    exec_->download(std::span(&counted, 1), static_cast<LostCounters const*>(lost_.data()));
    auto const slot = [](std::uint64_t first) { return static_cast<Slot>(std::min<std::uint64_t>(first, no_slot)); };
    return {counted.unreachable,
            counted.twice,
            counted.not_followed,
            slot(counted.first_unreachable),
            slot(counted.first_twice >> 32),
            static_cast<Slot>(counted.first_twice & no_slot),
            followed_};
  }

  std::vector<SlotInfo> read(std::span<Slot const> slots) override
  {
    Buffer<Slot> places(*exec_, slots.size());
    Buffer<SlotInfo> infos(*exec_, slots.size());
    exec_->upload(places.data(), slots);
    exec_->for_each(slots.size(), ReadSlots{view_, places.data(), infos.data()});
    std::vector<SlotInfo> result(slots.size());
    exec_->download(std::span(result), static_cast<SlotInfo const*>(infos.data()));
    return result;
  }

  std::vector<ReachedSlot> reached(std::span<Slot const> slots)
  {
    Buffer<Slot> places(*exec_, slots.size());
    Buffer<ReachedSlot> reached(*exec_, slots.size());
    exec_->upload(places.data(), slots);
    exec_->for_each(slots.size(), ReadReached{view_, places.data(), reached.data()});
    std::vector<ReachedSlot> result(slots.size());
    exec_->download(std::span(result), static_cast<ReachedSlot const*>(reached.data()));
    return result;
  }

  ProbePath probe_path(slotscape::Key key) override { return path_of(key); }
  ProbePath path_of(AnyKey key)
  {
    constexpr std::uint64_t room = 4096;
    ProbePath path;
    if (!view_.knows_paths()) { return path; }
    Buffer<Slot> slots(*exec_, room);
    Buffer<std::uint32_t> count(*exec_, 1);
    Buffer<Found> found(*exec_, 1);
    exec_->for_each(1, TracePath{view_, key, room, slots.data(), count.data(), found.data()});
    std::uint32_t written = 0;
    Found result;
    exec_->download(std::span(&written, 1), static_cast<std::uint32_t const*>(count.data()));
    exec_->download(std::span(&result, 1), static_cast<Found const*>(found.data()));
    path.slots.resize(written);
    exec_->download(std::span(path.slots), static_cast<Slot const*>(slots.data()));
    path.complete = result.complete;
    if (result.found) { path.value = read(std::span(&result.slot, 1)).front().pair.value; }
    return path;
  }
  Trace trace(Operation, slotscape::Key, slotscape::Value) override
  {
    throw std::logic_error("operations on a foreign table are not known");
  }
  std::string check_invariants() override { return {}; }

  std::vector<AnyKey> keys_in(std::span<Slot const> slots)
  {
    Buffer<Slot> places(*exec_, slots.size());
    Buffer<AnyKey> keys(*exec_, slots.size());
    exec_->upload(places.data(), slots);
    exec_->for_each(slots.size(), ReadKeys{view_, places.data(), keys.data()});
    std::vector<AnyKey> result(slots.size());
    exec_->download(std::span(result), static_cast<AnyKey const*>(keys.data()));
    return result;
  }
  std::optional<Slot> slot_of(AnyKey key)
  {
    constexpr std::uint64_t none = ~std::uint64_t{0};
    Buffer<std::uint64_t> slot(*exec_, 1);
    exec_->fill(slot.data(), 1, none);
    exec_->for_each(view_.all_slots(), FirstSlotOf{view_, key, slot.data()});
    std::uint64_t first = none;
    exec_->download(std::span(&first, 1), static_cast<std::uint64_t const*>(slot.data()));
    return first == none ? std::nullopt : std::optional(static_cast<Slot>(first));
  }
  ChainCounts chains()
  {
    ChainCounts counts = note_chains();
    if (view_.slabs == 0) { return counts; }
    Buffer<std::uint64_t> stray(*exec_, 1);
    exec_->fill(stray.data(), 1, std::uint64_t{0});
    exec_->for_each(view_.slabs, CountStraySlabs{view_, stray.data()});
    exec_->download(std::span(&counts.stray, 1), static_cast<std::uint64_t const*>(stray.data()));
    return counts;
  }

  /// The live slots among `count` slots.
  std::vector<Slot> live_slots(std::uint64_t first, std::uint64_t count)
  {
    return slots_that(LiveSlot{view_, first}, count);
  }
  /// The slots that `pass` selects.
  template <class Pass>
  std::vector<Slot> slots_that(Pass const& pass, std::uint64_t count)
  {
    Buffer<Slot> slots(*exec_, count);
    std::uint64_t const found = exec_->select(count, no_slot, slots.data(), pass);
    std::vector<Slot> result(found);
    exec_->download(std::span(result), static_cast<Slot const*>(slots.data()));
    return result;
  }
  /// Random live slots: fewer than wanted if most of the table is empty.
  std::vector<Slot> sample(std::uint64_t wanted)
  {
    constexpr std::uint64_t draws = 1u << 16;
    constexpr std::uint64_t rounds = 8;
    bool const is_small = view_.all_slots() <= draws;
    std::uint64_t const count = is_small ? view_.all_slots() : draws;
    Buffer<Slot> slots(*exec_, count);
    std::vector<Slot> result;
    for (std::uint64_t round = 1; round <= (is_small ? 1 : rounds) && result.size() < wanted; ++round) {
      SampleSlot const pass{view_, make_shuffle(1, count), is_small, round};
      std::uint64_t const found = exec_->select(count, no_slot, slots.data(), pass);
      std::size_t const before = result.size();
      result.resize(before + std::min(found, wanted - before));
      exec_->download(std::span(result).subspan(before), static_cast<Slot const*>(slots.data()));
    }
    return result;
  }
  /// For each view, how many of the sampled slots it finds by their keys, in lookups of up to `most` slots. If `other`
  /// is not 0, each key is looked up from the home of the key that is `other` samples further: this measures chance
  /// hits.
  std::vector<std::uint64_t> found_by(std::span<TableView const> views, std::span<Slot const> sampled,
                                      std::uint64_t most, std::uint64_t other = 0)
  {
    std::uint64_t const count = sampled.size();
    Buffer<Slot> slots(*exec_, count);
    Buffer<std::uint32_t> found(*exec_, count * views.size());
    exec_->upload(slots.data(), sampled);
    for (std::size_t i = 0; i < views.size(); ++i) {
      exec_->for_each(count, FindSample{views[i], slots.data(), most, found.data() + i * count, count, other});
    }
    std::vector<std::uint32_t> each(count * views.size());
    exec_->download(std::span(each), static_cast<std::uint32_t const*>(found.data()));
    std::vector<std::uint64_t> sums(views.size());
    for (std::size_t i = 0; i < each.size(); ++i) { sums[i / count] += each[i]; }
    return sums;
  }
  /// Results for the keys in sampled slots, as in the scan: lookups that find the key in its slot, or in another slot,
  /// lookups given up after this many accesses, and lookups that end without finding the key.
  struct Followed {
    std::uint64_t found = 0;
    std::uint64_t elsewhere = 0;
    std::uint64_t not_followed = 0;
    std::uint64_t failed = 0;
  };
  Followed follow(TableView const& view, std::span<Slot const> sampled, std::uint32_t most)
  {
    Buffer<Slot> slots(*exec_, sampled.size());
    exec_->upload(slots.data(), sampled);
    Tally const tally = exec_->tally(sampled.size(), FollowSample{view, slots.data(), most});
    return {tally[Outcome::found], tally[Outcome::updated], tally[Outcome::full], tally[Outcome::missing]};
  }
  void draw_absent(std::uint64_t seed, Key* keys, std::uint64_t count)
  {
    exec_->for_each(count, DrawAbsentKeys{view_, seed, keys});
  }

private:
  /// The number of accesses for which each lookup is followed, so that a scan takes only moments. It is always the same
  /// for the same table, whatever else runs. In working tables, no lookup needs that many.
  std::uint32_t most_followed(std::uint64_t slots)
  {
    constexpr std::uint64_t sampled = 1u << 10;
    constexpr std::uint32_t least = 64;
    constexpr std::uint64_t moments = std::uint64_t{1} << (Exec::backend == Backend::cpu ? 27 : 33);
    if (slots <= moments / max_followed) { return max_followed; }
    Buffer<std::uint32_t> counted(*exec_, sampled);
    exec_->for_each(sampled, CountFollowed{view_, 47, counted.data()});
    std::vector<std::uint32_t> accesses(sampled);
    exec_->download(std::span(accesses), static_cast<std::uint32_t const*>(counted.data()));
    double const affordable = static_cast<double>(std::max(moments, 32 * slots)) * sampled / static_cast<double>(slots);
    std::uint32_t most = max_followed;
    auto const all = [&] {
      double sum = 0.0;
      for (std::uint32_t const each : accesses) { sum += std::min(each, most); }
      return sum;
    };
    while (most > least && all() > affordable) { most /= 2; }
    return most;
  }
  /// From now on, slabs that no chain leads to do not belong to the table.
  ChainCounts note_chains()
  {
    ChainCounts counts;
    if (view_.slabs == 0) { return counts; }
    Buffer<ChainCounts> counted(*exec_, 1);
    exec_->fill(counted.data(), 1, counts);
    exec_->fill(linked_.data(), view_.slabs, std::uint32_t{0});
    exec_->for_each(view_.slots / view_.bucket_slots, NoteChains{view_, linked_.data(), counted.data()});
    exec_->download(std::span(&counts, 1), static_cast<ChainCounts const*>(counted.data()));
    return counts;
  }
  /// Calls f(first, count) for all items: in one call, or in pieces if the progress is watched.
  template <class F>
  void in_pieces(std::uint64_t count, std::uint64_t at_once, F const& f)
  {
    if (!progress_.is_watched()) { return f(0, count); }
    for (std::uint64_t first = 0; first < count; first += at_once) {
      progress_.require(static_cast<double>(first) / static_cast<double>(count));
      f(first, std::min(at_once, count - first));
    }
  }

  Exec* exec_;
  ForeignFamily const* family_;
  TableView view_;
  std::uint64_t memory_bytes_;
  Buffer<LostCounters> lost_;
  std::uint32_t followed_ = max_followed;  ///< accesses per lookup in the last scan
  Buffer<std::uint32_t> linked_;           ///< per slab
  Progress progress_;
};

}  // namespace slotscape::watch
