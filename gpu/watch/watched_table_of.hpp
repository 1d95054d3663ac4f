#pragma once

#include "gpu/base/error.hpp"
#include "gpu/engine/inspection.hpp"
#include "gpu/execution/dispatch.hpp"
#include "gpu/watch/check.hpp"
#include "gpu/watch/foreign_table.hpp"
#include "gpu/watch/watched_table.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace slotscape::watch {

template <exec::Executor Exec>
class WatchedTableOf final : public WatchedTable {
  using Inspected = Inspection<Exec, Wide>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  WatchedTableOf(std::string name, Description const& description, std::span<Array const> arrays)
      : name_(std::move(name))
  {
    look_at(description, arrays);
  }

  Description const& description() const override { return description_; }

  void look_at(Description const& description, std::span<Array const> arrays) override
  {
    validate(description, arrays);
    auto looked = std::make_unique<Looked>(exec_, name_, description, arrays);
    looked_ = std::move(looked);
    looked_->table.watch_work(progress_);
    description_ = description;
    arrays_.assign(arrays.begin(), arrays.end());
    forget_copies();
    counting_ = {};
  }
  void changed() override
  {
    if (!is_frozen_) { looked_->inspection.table_changed(); }
  }

  double freeze_on(double seconds) override
  {
    constexpr std::uint64_t at_once = std::uint64_t{1} << (Exec::backend == Backend::cpu ? 24 : 30);
    if (is_frozen_) { return 1.0; }
    if (copies_.empty()) { make_room_for_copies(); }
    std::uint64_t const largest = std::ranges::max(arrays_, {}, &Array::bytes).bytes;
    std::uint64_t const steps = std::max<std::uint64_t>((largest + at_once - 1) / at_once, 1);
    auto const start = std::chrono::steady_clock::now();
    while (steps_copied_ < steps) {
      for (std::size_t i = 0; i < arrays_.size(); ++i) {
        std::uint64_t const from = part_of(arrays_[i].bytes, steps_copied_, steps);
        std::uint64_t const to = part_of(arrays_[i].bytes, steps_copied_ + 1, steps);
        exec_.copy(copies_[i].data() + from, arrays_[i].data + from, to - from);
      }
      exec_.wait();
      ++steps_copied_;
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) { break; }
    }
    if (steps_copied_ == steps) { look_at_copies(); }
    return static_cast<double>(steps_copied_) / static_cast<double>(steps);
  }
  bool is_frozen() const override { return is_frozen_; }

  Check check(bool searches) override
  {
    constexpr std::uint64_t wanted = 1000;
    ForeignTable<Exec>& table = looked_->table;
    Check check;
    std::vector<Slot> const sampled = table.sample(wanted);
    check.sampled = sampled.size();
    check.was_checked = description_.knows_paths();
    if (sampled.empty()) { return check; }
    if (check.was_checked) {
      check.followed = most_followed();
      auto const [found, not_followed] = table.follow(sampled, check.followed);
      check.found = found;
      check.not_followed = not_followed;
    }
    bool const is_whole = check.was_checked && !check.is_wrong() && check.found + check.not_followed == check.sampled;
    if (!is_whole && searches) { check.better = search(check, sampled); }
    return check;
  }

  LostKeys lost_keys() override
  {
    looked_->inspection.marks();
    return looked_->table.lost_keys();
  }

  std::vector<Slot> lost_slots(std::uint64_t most) override
  {
    constexpr std::uint64_t at_once = 1u << 22;
    SlotMark const* const marks = looked_->inspection.marks();
    std::vector<Slot> lost;
    std::uint64_t const slots = looked_->table.view().all_slots();
    most = std::min(most, looked_->table.lost_keys().count());
    for (std::uint64_t first = 0; first < slots && lost.size() < most; first += at_once) {
      std::vector<Slot> const some =
          looked_->table.slots_that(LostSlot{marks, first}, std::min(at_once, slots - first));
      lost.insert(lost.end(), some.begin(), some.end());
    }
    lost.resize(std::min<std::uint64_t>(lost.size(), most));
    return lost;
  }

  std::optional<KeyFacts> key_facts(double seconds) override
  {
    constexpr std::uint64_t too_few = 256;
    constexpr std::uint64_t many = std::uint64_t{1} << 21;
    TableView const& view = looked_->table.view();
    std::uint64_t const live = counts().live;
    if (view.home_of == HomeOf::array && live >= too_few && live <= many) { return facts_of_given_homes(); }
    if (!view.knows_paths() || live < too_few) { return KeyFacts{.chains = looked_->table.chains()}; }
    if (live <= many) {
      std::vector<AnyKey> const found = different_keys(many);  // fewer, if the table was just cleared
      return found.size() < too_few ? KeyFacts{} : facts_of(found);
    }
    return count_on(seconds) ? std::optional(facts_of_sample()) : std::nullopt;
  }

  std::vector<Pair> pairs(std::uint64_t most) override
  {
    constexpr std::uint64_t at_once = 1u << 18;
    std::vector<Pair> pairs;
    std::uint64_t const slots = looked_->table.view().all_slots();
    for (std::uint64_t first = 0; first < slots && pairs.size() < most; first += at_once) {
      std::vector<Slot> const live = looked_->table.live_slots(first, std::min(at_once, slots - first));
      for (SlotInfo const& info : looked_->table.read(live)) {
        bool const still = (info.state == SlotState::live || info.state == SlotState::link) && info.has_key;
        if (still && pairs.size() < most) { pairs.push_back(info.pair); }
      }
    }
    return pairs;
  }

  // --- InspectedTable
  TableSettings const& table() const override { return looked_->inspection.table(); }
  FamilyInfo const& family() const override { return looked_->inspection.family(); }
  std::uint64_t memory_bytes() const override { return looked_->inspection.memory_bytes(); }
  Snapshot analyse(PictureRequest const& request, TexelTarget target) override
  {
    Snapshot snapshot = looked_->inspection.analyse(request, target, note_changes());
    complete(snapshot.statistics);
    return snapshot;
  }
  Statistics statistics() override
  {
    Statistics statistics = looked_->inspection.statistics();
    complete(statistics);
    return statistics;
  }
  Statistics counts() override
  {
    Statistics statistics = looked_->inspection.counts();
    count_lost(statistics);
    return statistics;
  }
  SlotInfo slot(Slot slot) override { return looked_->inspection.slot(slot); }
  std::vector<SlotInfo> slots(std::span<Slot const> slots) override { return looked_->inspection.slots(slots); }
  Cluster cluster(Slot slot) override { return looked_->inspection.cluster(slot); }
  /// Any key may be in somebody else's table, also those that this program's tables reserve.
  ProbePath probe_path(Key key) override { return path_of(key); }
  ProbePath path_of(AnyKey key) override { return looked_->table.path_of(key); }
  std::optional<Slot> slot_of(AnyKey key) override { return looked_->table.slot_of(key); }
  AnyKey key_in(Slot slot) override { return looked_->table.keys_in(std::span(&slot, 1)).front(); }
  std::string check_invariants() override { return {}; }

  void record_recent(bool on) override
  {
    if (on == (changes_.size() != 0)) { return; }
    contents_ = {};
    changes_ = {};
    if (on) { make_room_for_changes(); }
  }
  void watch_work(Progress progress) override
  {
    progress_ = std::move(progress);
    looked_->table.watch_work(progress_);
  }

private:
  static constexpr std::uint64_t max_slots_read = 1u << 13;  ///< by a lookup of a sampled key

  /// All that follows from a description and where the arrays are.
  struct Looked {
    Looked(Exec& exec, std::string const& name, Description const& description, std::span<Array const> arrays)
        : family(name, description),
          table(exec, family, TableView::of(description, arrays), bytes_of(arrays)),
          inspection(exec, table, absent_keys(description))
    {
      inspection.keep_marks();
    }
    typename Inspected::AbsentKeys absent_keys(Description const& description)
    {
      if (!description.knows_paths() || !description.probing.counts_misses) { return {}; }
      return {[this](std::uint64_t* keys, std::uint64_t count) { table.draw_absent(1, keys, count); }, {}};
    }

    ForeignFamily family;
    ForeignTable<Exec> table;
    Inspected inspection;
  };

  static std::uint64_t bytes_of(std::span<Array const> arrays)
  {
    std::uint64_t bytes = 0;
    for (Array const& array : arrays) { bytes += array.bytes; }
    return bytes;
  }

  void forget_copies()
  {
    copies_.clear();
    steps_copied_ = 0;
    is_frozen_ = false;
  }
  void make_room_for_copies()
  {
    std::uint64_t const bytes = bytes_of(arrays_);
    if (bytes > free_memory(Exec::backend)) {
      throw Error("There is no memory for a copy of the table, " + std::to_string(bytes >> 20) +
                  " MiB: it cannot be paused.");
    }
    std::vector<Buffer<std::byte>> copies;
    for (Array const& array : arrays_) { copies.emplace_back(exec_, std::max<std::uint64_t>(array.bytes, 1)); }
    copies_ = std::move(copies);
    steps_copied_ = 0;
  }
  void look_at_copies()
  {
    std::vector<Array> copied = arrays_;
    for (std::size_t i = 0; i < copied.size(); ++i) { copied[i].data = copies_[i].data(); }
    looked_ = std::make_unique<Looked>(exec_, name_, description_, copied);
    looked_->table.watch_work(progress_);
    is_frozen_ = true;
    counting_ = {};
  }

  /// Of up to `most` live slots; each key once.
  std::vector<AnyKey> different_keys(std::uint64_t most)
  {
    constexpr std::uint64_t at_once = 1u << 18;
    std::vector<AnyKey> keys;
    std::uint64_t const slots = looked_->table.view().all_slots();
    for (std::uint64_t first = 0; first < slots && keys.size() < most; first += at_once) {
      std::vector<AnyKey> const some =
          looked_->table.keys_in(looked_->table.live_slots(first, std::min(at_once, slots - first)));
      keys.insert(keys.end(), some.begin(), some.end());
    }
    keys.resize(std::min<std::uint64_t>(keys.size(), most));
    if (lost_keys().count() != 0) {
      std::ranges::sort(keys);
      keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    }
    return keys;
  }
  KeyFacts facts_of(std::vector<AnyKey> const& live)
  {
    TableView const& view = looked_->table.view();
    std::uint64_t const places = view.slots / view.align;
    std::vector<std::uint32_t> counts(places);
    for (AnyKey const key : live) { ++counts[view.home(0, key) / view.align]; }
    return {spread_of(counts, std::min(description_.key.bits, 64)), SampledHomes::of(places, places),
            costs_after_rehash(view, view.slots, live), costs_after_rehash(view, twice_the_slots(view), live),
            looked_->table.chains()};
  }

  /// Of homes that the program gives, no costs of other tables follow.
  KeyFacts facts_of_given_homes()
  {
    constexpr std::uint64_t at_once = 1u << 18;
    TableView const& view = looked_->table.view();
    std::uint64_t const places = view.slots / view.align;
    std::vector<std::uint32_t> counts(places);
    for (std::uint64_t first = 0; first < view.all_slots(); first += at_once) {
      std::vector<Slot> const live = looked_->table.live_slots(first, std::min(at_once, view.all_slots() - first));
      for (SlotInfo const& info : looked_->table.read(live)) {
        if (info.state == SlotState::live && info.home != no_slot) { ++counts[info.home / view.align]; }
      }
    }
    KeyFacts facts{.sampled = SampledHomes::of(places, places), .chains = looked_->table.chains()};
    bool const has_keys = std::ranges::any_of(counts, [](std::uint32_t count) { return count != 0; });
    if (has_keys) { facts.homes = spread_of(counts, std::min(description_.key.bits, 64)); }
    return facts;
  }

  /// The keys of sampled homes and of all of them in blocks, in memory of the device.
  struct Counts {
    SampledHomes homes = {};
    Buffer<std::uint32_t> sampled = {};
    Buffer<std::uint32_t> blocks = {};
  };
  /// Where so many keys are counted over several calls.
  struct Counting {
    std::uint64_t next = 0;  ///< slot
    Counts now = {};
    Counts doubled = {};  ///< of a table with twice the slots
  };
  Counts no_counts(std::uint64_t places)
  {
    SampledHomes const homes = SampledHomes::of(places);
    Counts counts{homes, Buffer<std::uint32_t>(exec_, homes.count()), Buffer<std::uint32_t>(exec_, homes.blocks())};
    exec_.fill(counts.sampled.data(), counts.sampled.size(), std::uint32_t{0});
    exec_.fill(counts.blocks.data(), counts.blocks.size(), std::uint32_t{0});
    return counts;
  }
  /// True when all slots have been counted.
  bool count_on(double seconds)
  {
    constexpr std::uint64_t at_once = 1u << (Exec::backend == Backend::cpu ? 18 : 24);
    TableView const& view = looked_->table.view();
    SlotMark const* const marks = looked_->inspection.marks();
    std::uint64_t const slots = view.all_slots();
    if (counting_.now.homes.places == 0) {
      std::uint64_t const places = view.slots / view.align;
      counting_.now = no_counts(places);
      counting_.doubled = no_counts(2 * places);
    }
    auto const start = std::chrono::steady_clock::now();
    while (counting_.next < slots) {
      progress_.require(static_cast<double>(counting_.next) / static_cast<double>(slots));
      std::uint64_t const some = std::min(at_once, slots - counting_.next);
      for (Counts* const counts : {&counting_.now, &counting_.doubled}) {
        exec_.for_each(some, CountHomes{view, marks, counts->homes, counting_.next, counts->sampled.data(),
                                        counts->blocks.data()});
      }
      exec_.wait();
      counting_.next += some;
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) { break; }
    }
    return counting_.next == slots;
  }
  KeyFacts facts_of_sample()
  {
    Counting const counted = std::exchange(counting_, Counting{});
    auto const read = [&](Buffer<std::uint32_t> const& buffer) {
      std::vector<std::uint32_t> counts(buffer.size());
      exec_.download(std::span(counts), static_cast<std::uint32_t const*>(buffer.data()));
      return counts;
    };
    TableView const& view = looked_->table.view();
    SampledHomes const& homes = counted.now.homes;
    std::vector<std::uint32_t> const counts = read(counted.now.sampled);
    KeyFacts facts{.sampled = homes, .chains = looked_->table.chains()};
    // Only so many of all keys could have their homes in the sample.
    int const left_out = std::bit_width(homes.places / homes.count()) - 1;
    bool const has_keys = std::ranges::any_of(counts, [](std::uint32_t count) { return count != 0; });
    if (has_keys) { facts.homes = spread_of(counts, std::min(description_.key.bits, 64) - left_out); }
    facts.rehashed = costs_of_homes(view, view.slots, homes, counts, read(counted.now.blocks));
    facts.doubled = costs_of_homes(view, 2 * view.slots, counted.doubled.homes, read(counted.doubled.sampled),
                                   read(counted.doubled.blocks));
    return facts;
  }

  /// What is in the slots now is no change.
  void make_room_for_changes()
  {
    std::uint64_t const slots = looked_->table.view().all_slots();
    Buffer<std::uint32_t> contents(exec_, slots);
    changes_ = Buffer<std::uint64_t>(exec_, (slots + 7) / 8);  // a byte a slot, faded eight at a time
    contents_ = std::move(contents);
    exec_.fill(contents_.data(), slots, std::uint32_t{0});
    exec_.fill(changes_.data(), changes_.size(), std::uint64_t{0});
    exec_.for_each(slots, NoteChanges{looked_->table.view(), contents_.data(), nullptr});
  }
  RecentChanges note_changes()
  {
    if (changes_.size() == 0) { return {}; }
    std::uint64_t const slots = looked_->table.view().all_slots();
    if (contents_.size() != slots) { make_room_for_changes(); }
    RecentChanges const changes{changes_.data(), changes_.size()};
    exec_.for_each(slots, NoteChanges{looked_->table.view(), contents_.data(), changes.bytes()});
    return changes;
  }

  /// Tries all alternatives with a few of the sampled keys, and those that find most of them with all.
  std::vector<Check::Better> search(Check const& check, std::span<Slot const> sampled)
  {
    constexpr std::size_t few = 128;
    constexpr std::uint64_t max_slots_tried = 256;
    std::vector<Description> tried = alternatives(description_);
    // A wider window finds keys behind a hole as well: that they can be found so does not make it the right one.
    if (check.is_nearly_right()) {
      std::erase_if(tried, [&](Description const& each) { return each.probing.window != description_.probing.window; });
    }
    if (tried.empty()) { return {}; }
    auto const found_by = [&](std::span<Slot const> slots, std::uint64_t most) {
      std::vector<TableView> views;
      views.reserve(tried.size());
      for (Description const& each : tried) { views.push_back(looked_->table.view().probed_as(each)); }
      return looked_->table.found_by(views, slots, most);
    };
    std::vector<std::uint64_t> const found = found_by(sampled.first(std::min(few, sampled.size())), max_slots_tried);
    std::vector<Description> promising;
    for (std::size_t i = 0; i < tried.size(); ++i) {
      if (3 * found[i] > std::min(few, sampled.size())) { promising.push_back(std::move(tried[i])); }
    }
    if (promising.empty()) { return {}; }
    tried = std::move(promising);
    std::uint64_t const most = std::uint64_t{most_followed()} * looked_->table.view().window;
    return better_ones(check, tried, found_by(sampled, std::min(max_slots_read, most)));
  }

  /// How far lookups are followed that are to tell whether the description is right. Where no slot ends them, they get
  /// everywhere from anywhere: only how soon they do tells.
  std::uint32_t most_followed()
  {
    constexpr std::uint64_t least = 2;
    TableView const& view = looked_->table.view();
    bool const by_other_ways = view.scheme == Scheme::cuckoo || view.scheme == Scheme::chains || view.most_windows != 0;
    bool const gets_everywhere = !view.ends_at_empty || counts().empty() == 0;
    if (by_other_ways || !gets_everywhere) { return max_followed; }
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(view.slots / view.window / 4, least, max_followed));
  }

  /// They take slots, and the scan counts them as it counts links, which are beside the slots.
  static void count_lost(Statistics& statistics)
  {
    statistics.slots += statistics.links;
    statistics.live += statistics.links;
  }
  void complete(Statistics& statistics) const
  {
    count_lost(statistics);
    if (!description_.knows_homes()) {
      statistics.probe_length = {};
      statistics.hit_accesses = {};
    }
    TableView const& view = looked_->table.view();
    bool const misses_follow =
        view.scheme == Scheme::linear && view.window == 1 && view.step == 1 && view.ends_at_empty && view.is_plain;
    if (view.knows_paths() && misses_follow) { take_misses_of_clusters(statistics); }
  }

  Exec exec_;
  std::string name_;
  Description description_;
  std::vector<Array> arrays_;
  std::vector<Buffer<std::byte>> copies_;  ///< of the arrays, where they are frozen or being copied
  std::uint64_t steps_copied_ = 0;
  bool is_frozen_ = false;
  std::unique_ptr<Looked> looked_;
  Progress progress_;
  Counting counting_;
  Buffer<std::uint32_t> contents_;  ///< empty unless recent changes are recorded
  Buffer<std::uint64_t> changes_;
};

/// Makes the table of a backend, which specialises it.
template <class Exec>
std::unique_ptr<WatchedTable> make_watched_table_on(std::string name, Description const& description,
                                                    std::span<Array const> arrays);
template <>
std::unique_ptr<WatchedTable> make_watched_table_on<exec::Cpu>(std::string name, Description const& description,
                                                               std::span<Array const> arrays);
template <>
std::unique_ptr<WatchedTable> make_watched_table_on<exec::Cuda>(std::string name, Description const& description,
                                                                std::span<Array const> arrays);

}  // namespace slotscape::watch
