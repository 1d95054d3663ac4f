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
#include <map>
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

  double continue_freezing(double seconds) override
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
    std::vector<Slot> sampled = table.sample(wanted);
    leave_out_repeated(check, sampled);
    check.sampled = sampled.size();
    check.was_checked = description_.knows_paths();
    if (sampled.empty()) { return check; }
    if (check.was_checked) {
      check.followed = most_followed();
      auto const followed = table.follow(table.view(), sampled, check.followed);
      check.found = followed.found;
      check.elsewhere = followed.elsewhere;
      check.not_followed = followed.not_followed;
    }
    bool const is_whole = check.was_checked && check.finds_half() && check.failed() == 0 && check.elsewhere == 0;
    if (!is_whole) { check.growth = growth(sampled); }
    if (is_whole || check.growth || !searches) { return check; }
    check.better = search(check, sampled);
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
    std::uint64_t const all = looked_->table.lost_keys().count();
    std::uint64_t seen = 0;
    for (std::uint64_t first = 0; first < slots && seen < all; first += at_once) {
      for (Slot const slot : looked_->table.slots_that(LostSlot{marks, first}, std::min(at_once, slots - first))) {
        bool const is_taken = all <= most || seen * most / all != (seen + 1) * most / all;
        if (is_taken && lost.size() < most) { lost.push_back(slot); }
        ++seen;
      }
    }
    return lost;
  }

  std::vector<ReachedSlot> reached(std::span<Slot const> slots) override { return looked_->table.reached(slots); }

  std::optional<KeyFacts> key_facts(double seconds) override
  {
    std::uint64_t const live = counts().live;
    std::optional<KeyFacts> facts = facts_of_homes(live, seconds);
    if (facts && live >= too_few_keys && family().clusters) { facts->runs = runs(); }
    return facts;
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
  /// A foreign table may hold any key, even those that this program's tables reserve.
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
  static constexpr std::uint64_t max_slots_read = 1u << 13;  ///< per lookup of a sampled key
  static constexpr std::uint64_t too_few_keys = 256;         ///< fewer keys allow no conclusions

  /// Everything that depends on a description and on the location of the arrays.
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

  std::optional<KeyFacts> facts_of_homes(std::uint64_t live, double seconds)
  {
    constexpr std::uint64_t many = std::uint64_t{1} << 21;
    TableView const& view = looked_->table.view();
    if (view.home_of == HomeOf::array && live >= too_few_keys && live <= many) { return facts_of_given_homes(); }
    if (!view.knows_paths() || live < too_few_keys) { return KeyFacts{.chains = looked_->table.chains()}; }
    if (live <= many) {
      std::vector<AnyKey> const found = different_keys(many);  // fewer if the table has just been cleared
      return found.size() < too_few_keys ? KeyFacts{} : facts_of(found);
    }
    return continue_counting(seconds) ? std::optional(facts_of_sample()) : std::nullopt;
  }

  /// The keys of up to `most` live slots, each once.
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
    return {.homes = spread_of(counts, std::min(description_.key.bits, 64)),
            .in_use = homes_in_use(counts),
            .sampled = SampledHomes::of(places, places),
            .rehashed = costs_after_rehash(view, view.slots, live),
            .doubled = costs_after_rehash(view, twice_the_slots(view), live),
            .chains = looked_->table.chains()};
  }

  /// Homes supplied by the program do not give the costs of other tables.
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
    if (!has_keys) { return facts; }
    facts.homes = spread_of(counts, std::min(description_.key.bits, 64));
    facts.in_use = homes_in_use(counts);
    return facts;
  }

  SlotRuns runs()
  {
    constexpr std::uint64_t max_parts = 1u << 16;
    constexpr std::uint64_t least = 256;
    std::uint64_t const slots = looked_->table.view().all_slots();
    std::uint64_t const size = std::max(least, (slots + max_parts - 1) / max_parts);
    std::uint64_t const count = (slots + size - 1) / size;
    SlotMark const* const marks = looked_->inspection.marks();
    Buffer<RunsOfPart> on_device(exec_, count);
    std::vector<RunsOfPart> parts(count);
    auto const longest = [&](bool is_empty) {
      exec_.for_each(count, NoteRuns{marks, slots, size, is_empty, on_device.data()});
      exec_.download(std::span(parts), static_cast<RunsOfPart const*>(on_device.data()));
      return longest_run(parts, size, slots);
    };
    return {longest(false), longest(true)};
  }

  /// A table holds a key once: a key in many of the sampled slots actually marks slots without a key, and says nothing
  /// about the description's homes.
  void leave_out_repeated(Check& check, std::vector<Slot>& sampled)
  {
    constexpr std::size_t many = 16;
    if (sampled.empty()) { return; }
    check.live_slots = sampled.size();
    std::vector<AnyKey> const keys = looked_->table.keys_in(sampled);
    std::map<AnyKey, std::size_t> counts;
    for (AnyKey const key : keys) { ++counts[key]; }
    std::vector<Slot> kept;
    std::size_t most = 0;
    for (std::size_t i = 0; i < sampled.size(); ++i) {
      std::size_t const count = counts.at(keys[i]);
      if (count < many) {
        kept.push_back(sampled[i]);
        continue;
      }
      ++check.repeats;
      if (count > most) {
        most = count;
        check.repeated = sampled[i];
      }
    }
    sampled = std::move(kept);
  }

  /// Key counts in device memory: for sampled homes, and for all homes in blocks.
  struct Counts {
    SampledHomes homes = {};
    Buffer<std::uint32_t> sampled = {};
    Buffer<std::uint32_t> blocks = {};
  };
  /// A count that is spread over several calls because there are many keys.
  struct Counting {
    std::uint64_t next = 0;  ///< slot
    Counts now = {};
    Counts doubled = {};  ///< for a table with twice the slots
  };
  Counts no_counts(std::uint64_t places)
  {
    SampledHomes const homes = SampledHomes::of(places);
    Counts counts{homes, Buffer<std::uint32_t>(exec_, homes.count()), Buffer<std::uint32_t>(exec_, homes.blocks())};
    exec_.fill(counts.sampled.data(), counts.sampled.size(), std::uint32_t{0});
    exec_.fill(counts.blocks.data(), counts.blocks.size(), std::uint32_t{0});
    return counts;
  }
  /// Returns true when all slots have been counted.
  bool continue_counting(double seconds)
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
    // Only this fraction of all keys can have their homes in the sample.
    int const left_out = std::bit_width(homes.places / homes.count()) - 1;
    bool const has_keys = std::ranges::any_of(counts, [](std::uint32_t count) { return count != 0; });
    if (has_keys) { facts.homes = spread_of(counts, std::min(description_.key.bits, 64) - left_out); }
    facts.rehashed = costs_of_homes(view, view.slots, homes, counts, read(counted.now.blocks));
    facts.doubled = costs_of_homes(view, 2 * view.slots, counted.doubled.homes, read(counted.doubled.sampled),
                                   read(counted.doubled.blocks));
    return facts;
  }

  /// The current contents of the slots do not count as changes.
  void make_room_for_changes()
  {
    std::uint64_t const slots = looked_->table.view().all_slots();
    Buffer<std::uint32_t> contents(exec_, slots);
    changes_ = Buffer<std::uint64_t>(exec_, (slots + 7) / 8);  // one byte per slot, faded eight at a time
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

  std::vector<TableView> views_of(std::span<Description const> descriptions) const
  {
    std::vector<TableView> views;
    views.reserve(descriptions.size());
    for (Description const& each : descriptions) { views.push_back(looked_->table.view().probed_as(each)); }
    return views;
  }

  /// Tries all alternatives with a few of the sampled keys, and the most successful ones with all.
  std::vector<Check::Better> search(Check const& check, std::span<Slot const> sampled)
  {
    constexpr std::size_t few = 128;
    constexpr std::uint64_t max_slots_tried = 256;
    std::vector<Description> tried = alternatives(description_);
    // A wider window also finds keys after a hole, so finding them does not prove that it is the right one.
    if (check.is_nearly_right()) {
      std::erase_if(tried, [&](Description const& each) { return each.probing.window != description_.probing.window; });
    }
    if (tried.empty()) { return {}; }
    std::vector<std::uint64_t> const found =
        looked_->table.found_by(views_of(tried), sampled.first(std::min(few, sampled.size())), max_slots_tried);
    std::vector<Description> promising;
    for (std::size_t i = 0; i < tried.size(); ++i) {
      if (3 * found[i] > std::min(few, sampled.size())) { promising.push_back(std::move(tried[i])); }
    }
    promising = better_than_chance(std::move(promising), sampled.first(std::min(few, sampled.size())));
    std::uint64_t const most = std::min(max_slots_read, std::uint64_t{most_followed()} * looked_->table.view().window);
    std::vector<Check::Better> better;
    if (!promising.empty()) {
      better = plausible(better_ones(check, description_, promising,
                                     looked_->table.found_by(views_of(promising), sampled, most)),
                         sampled);
    }
    return better.empty() && !check.is_nearly_right() ? search_lossy(check, sampled) : better;
  }

  static constexpr std::uint64_t near_home = 64;  ///< maximum slots read by a lookup

  /// How many sampled keys each view finds near their homes, and near those of other keys.
  struct NearHomes {
    std::vector<std::uint64_t> found;
    std::vector<std::uint64_t> by_chance;

    /// Whether a view finds more than a fifth of the keys near their homes, and three times as many as by chance.
    bool is_better_than_chance(std::size_t view, std::size_t keys) const
    {
      return 5 * found[view] > keys && found[view] > 3 * by_chance[view];
    }
  };
  NearHomes near_homes(std::span<TableView const> views, std::span<Slot const> sampled)
  {
    return {looked_->table.found_by(views, sampled, near_home),
            looked_->table.found_by(views, sampled, near_home, sampled.size() / 2)};
  }

  /// The descriptions that find far more keys near their homes than near those of other keys: in a full table, every
  /// path leads to most keys.
  std::vector<Description> better_than_chance(std::vector<Description> tried, std::span<Slot const> sampled)
  {
    if (tried.empty()) { return tried; }
    NearHomes const near = near_homes(views_of(tried), sampled);
    std::vector<Description> far;
    for (std::size_t i = 0; i < tried.size(); ++i) {
      bool const is_far = 5 * near.found[i] > 5 * near.by_chance[i] + sampled.size();
      if (is_far) { far.push_back(std::move(tried[i])); }
    }
    return far;
  }

  /// Searches hashes that drop bits or use different ones. Crowded homes are near many keys, so a description must find
  /// far more keys near their homes than near those of other keys.
  std::vector<Check::Better> search_lossy(Check const& check, std::span<Slot const> sampled)
  {
    constexpr std::size_t few = 128;
    constexpr std::size_t too_few = 32;
    std::vector<Description> const tried = lossy_alternatives(description_);
    if (tried.empty() || sampled.size() < too_few) { return {}; }
    std::span<Slot const> const some = sampled.first(std::min(few, sampled.size()));
    NearHomes const near = near_homes(views_of(tried), some);
    std::vector<Description> promising;
    for (std::size_t i = 0; i < tried.size(); ++i) {
      if (near.is_better_than_chance(i, some.size())) { promising.push_back(tried[i]); }
    }
    if (promising.empty()) { return {}; }
    std::vector<TableView> const promising_views = views_of(promising);
    std::vector<std::uint64_t> const at_home = looked_->table.found_by(promising_views, sampled, near_home);
    auto const best = static_cast<std::size_t>(std::ranges::max_element(at_home) - at_home.begin());
    std::vector<std::uint64_t> const all =
        looked_->table.found_by(std::span(promising_views).subspan(best, 1), sampled, max_slots_read);
    return plausible(better_ones(check, description_, std::span(promising).subspan(best, 1), all), sampled);
  }

  /// Whether nearly all keys that lookups miss are where they belong in a table with half or a quarter of the slots. In
  /// a part that is nearly full, lookups find many keys by chance: more keys must be near their homes.
  std::optional<Check::Growth> growth(std::span<Slot const> sampled)
  {
    constexpr std::size_t too_few = 16;
    ForeignTable<Exec>& table = looked_->table;
    std::vector<ReachedSlot> const reached = table.reached(sampled);
    std::vector<Slot> missed;
    for (std::size_t i = 0; i < sampled.size(); ++i) {
      if (reached[i].reached.reach == Reach::nowhere) { missed.push_back(sampled[i]); }
    }
    if (missed.size() < too_few) { return {}; }
    for (Description const& smaller : smaller_alternatives(description_)) {
      TableView const view = table.view().probed_as(smaller);
      auto const found = [&](std::span<Slot const> slots) {
        return table.found_by(std::span(&view, 1), slots, max_slots_read).front();
      };
      bool const is_all = 100 * found(missed) >= 99 * missed.size();
      bool const is_near = near_homes(std::span(&view, 1), missed).is_better_than_chance(0, missed.size());
      if (is_all && is_near) { return Check::Growth{smaller.slots, found(sampled)}; }
    }
    return {};
  }

  /// The descriptions with which hardly any lookup fails: if a description misses many keys, it may find the others by
  /// chance.
  std::vector<Check::Better> plausible(std::vector<Check::Better> better, std::span<Slot const> sampled)
  {
    constexpr std::uint64_t most = 10;  // one lookup in this many may fail
    ForeignTable<Exec>& table = looked_->table;
    for (Check::Better& each : better) {
      each.failed = table.follow(table.view().probed_as(each.description), sampled, max_followed).failed;
    }
    std::erase_if(better, [&](Check::Better const& each) { return most * each.failed > sampled.size(); });
    return better;
  }

  /// How far lookups are followed to judge the description. If no empty slot ends them, they reach every slot from
  /// anywhere: only their lengths are informative.
  std::uint32_t most_followed()
  {
    constexpr std::uint64_t least = 2;
    TableView const& view = looked_->table.view();
    bool const by_other_ways = view.scheme == Scheme::cuckoo || view.scheme == Scheme::chains || view.most_windows != 0;
    bool const gets_everywhere = !view.ends_at_empty || counts().empty() == 0;
    if (by_other_ways || !gets_everywhere) { return max_followed; }
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(view.slots / view.window / 4, least, max_followed));
  }

  /// Lost keys take up slots, but the scan counts them as links, which are beside the slots.
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
  std::vector<Buffer<std::byte>> copies_;  ///< copies of the arrays, if frozen or being copied
  std::uint64_t steps_copied_ = 0;
  bool is_frozen_ = false;
  std::unique_ptr<Looked> looked_;
  Progress progress_;
  Counting counting_;
  Buffer<std::uint32_t> contents_;  ///< empty unless recent changes are recorded
  Buffer<std::uint64_t> changes_;
};

/// Makes a backend's table. Each backend specialises it.
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
