#pragma once

#include "gpu/analysis/analyser.hpp"
#include "gpu/analysis/theory.hpp"
#include "gpu/base/error.hpp"
#include "gpu/engine/inspected_table.hpp"
#include "gpu/engine/table.hpp"
#include "gpu/engine/table_passes.hpp"
#include "gpu/workloads/misses_by_home.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

/// Throws Error for a key or value that tables of this width reject.
inline void require_allowed(Key key, Value value, int key_bits)
{
  if (is_reserved(key, key_bits)) {
    throw Error("Key " + std::to_string(key) + " is reserved: tables cannot store it.");
  }
  if (value > largest_value(key_bits)) {
    throw Error("Value " + std::to_string(value) + " is reserved: tables cannot store it.");
  }
}

/// With linear probing, the clusters of a table of any size give the exact number of slots that misses read from each
/// home, which a sample only approximates. Each slot must be equally likely to be a home.
inline void take_misses_of_clusters(Statistics& statistics)
{
  if (statistics.miss_accesses.count == 0) { return; }
  auto misses = theory::measured_misses(statistics);
  if (!misses) { return; }
  statistics.miss_accesses = std::move(*misses);
  statistics.miss_sample = {statistics.slots, 0, true};
}

/// Recent changes of a table, in device memory: one byte per slot, eight to a word. Null if they are not recorded.
struct RecentChanges {
  std::uint64_t* words = nullptr;
  std::uint64_t count = 0;

  std::uint8_t* bytes() const { return reinterpret_cast<std::uint8_t*>(words); }
};

/// Inspects a table for its owner, and holds the device memory for the inspection. The owner reports when the table has
/// changed, and when another table has replaced it.
template <exec::Executor Exec, PairFormat Format>
class Inspection final : public InspectedTable {
  using Shown = Table<Exec, Format>;
  using StoredKey = typename Format::Key;
  using Laps = typename Exec::Laps;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// Keys that are absent from the table, for the accesses of misses.
  struct AbsentKeys {
    /// Writes `count` absent keys to device memory, always the same ones.
    std::function<void(StoredKey* keys, std::uint64_t count)> draw;
    /// Whether each slot is equally likely to be the home of an absent key.
    std::function<bool()> have_any_home;
  };

  /// `table` must exist until the next `look_at` or the end of this object. No absent keys: no `miss_accesses`.
  Inspection(Exec& exec, Shown& table, AbsentKeys absent = {})
      : exec_(&exec),
        table_(&table),
        absent_(std::move(absent)),
        analyser_(exec, table.places(), table.settings().shards),
        laps_(std::make_unique<Laps>(exec)),
        cluster_(exec, 1)
  {
  }

  /// Switches to another table, or to one whose number of slots has changed. Reuses memory that is large enough. Throws
  /// Error, and changes nothing, if memory runs out.
  void look_at(Shown& table)
  {
    analyser_.resize(table.places());
    table_ = &table;
    misses_by_home_ = {};
    table_changed();
  }
  /// Call this after every change of the table, before any other function.
  void table_changed()
  {
    measured_ = false;
    marked_ = false;
    extras_stale_ = true;
  }
  /// From now on, an analysis scans the table only if `table_changed` was called since the last one: for large tables
  /// that hardly ever change.
  void keep_marks() { keeps_marks_ = true; }
  /// Call this when the set of absent keys changes.
  void absent_keys_changed() { extras_stale_ = true; }

  TableSettings const& table() const override { return table_->settings(); }
  FamilyInfo const& family() const override { return table_->info(); }
  std::uint64_t memory_bytes() const override { return table_->memory_bytes(); }

  /// The mark of each slot; brings the table's `words` up to date.
  SlotMark const* marks()
  {
    if (!marked_) { measure(); }
    return analyser_.marks();
  }
  /// The words of live pairs, by slot.
  LiveWord<Format> live_words()
  {
    SlotMark const* const found = marks();
    return {table_->words(), found, 0};
  }

  Snapshot analyse(PictureRequest const& request, TexelTarget target) override { return analyse(request, target, {}); }
  Snapshot analyse(PictureRequest const& request, TexelTarget target, RecentChanges changes)
  {
    start_analysis(request, target, changes);
    exec_->wait();
    return finish_analysis();
  }

  /// The halves of `analyse`, so that the host waits only once for several tables: the first submits the work, the
  /// second reads the results after the wait.
  void start_analysis(PictureRequest const& request, TexelTarget target, RecentChanges changes)
  {
    if (target.texels != nullptr && target.capacity < request.texels()) {
      throw std::logic_error("texel target too small");
    }
    laps_->start();
    draw(request, target, changes);
    laps_->lap();
    extras_due_ = analyses_++ % analyses_per_extra == 0 && extras_stale_;
    if (extras_due_ && has_groups()) { analyser_.count_other(groups()); }
    analyser_.send(extras_due_ && has_groups());
  }
  Snapshot finish_analysis()
  {
    Snapshot snapshot;
    snapshot.statistics = analyser_.sent_statistics();
    snapshot.seconds = laps_->seconds().front();
    if (extras_due_) {
      extras_ = {};
      if (has_groups()) { extras_.groups = analyser_.sent_distribution(); }
      measure_slow_extras([&](auto const& count) { return analyser_.distribution_of(count); }, live_miss_limits);
    } else if (!extras_stale_ && misses_.go_on) {
      measure_misses([&](auto const& count) { return analyser_.distribution_of(count); }, live_miss_limits);
    }
    add_extras(snapshot.statistics);
    return snapshot;
  }

  /// The statistics with complete histograms.
  Statistics statistics() override
  {
    measured_ = marked_ = true;
    Statistics statistics = analyser_.complete(*table_);
    bool const gave_up = extras_.miss_sample.stopped_at != 0;
    if (extras_.are_cut() || gave_up || misses_.go_on) { extras_stale_ = true; }
    measure_extras([&](auto const& count) { return analyser_.complete_distribution_of(count); }, complete_miss_limits);
    add_extras(statistics);
    return statistics;
  }

  Statistics counts() override
  {
    require_measured();
    Statistics statistics = analyser_.statistics();
    statistics.heads = heads();
    return statistics;
  }

  SlotInfo slot(Slot slot) override { return slots(std::span(&slot, 1)).front(); }
  std::vector<SlotInfo> slots(std::span<Slot const> slots) override
  {
    for (Slot const slot : slots) { require_slot(slot); }
    return table_->read(slots);
  }

  std::vector<std::vector<Slot>> nodes_by_head() override { return table_->nodes_by_head(); }

  Cluster cluster(Slot slot) override
  {
    require_slot(slot);
    require_measured();
    exec_->for_each(1, ReadCluster{analyser_.occupancy(), slot, cluster_.data()});
    Cluster cluster{};
    exec_->download(std::span(&cluster, 1), static_cast<Cluster const*>(cluster_.data()));
    return cluster;
  }

  ProbePath probe_path(Key key) override
  {
    require_allowed(key, 0, Format::bits);
    return table_->probe_path(key);
  }

  std::string check_invariants() override { return table_->check_invariants(); }

private:
  /// Chain lengths, moves and accesses of misses change slowly, and each needs another pass: they are not counted in
  /// every frame.
  static constexpr std::uint64_t analyses_per_extra = 4;
  static constexpr std::uint64_t sampled_misses = 1u << 14;
  /// Counting stops after this many accesses. The limit is not a time, so that every count of a table uses the same
  /// lookups.
  static constexpr std::uint64_t enough_accesses = Exec::backend == Backend::cpu ? 1u << 24 : 1u << 26;
  /// Limits for counting the accesses of misses.
  struct MissLimits {
    double seconds;          ///< at a time; counting continues later if the table does not change
    std::uint32_t accesses;  ///< of each lookup
  };
  static constexpr MissLimits live_miss_limits{0.004, 1u << 14};
  static constexpr MissLimits complete_miss_limits{1e9, 1u << 20};
  /// The first lookups show how long a lookup takes. A GPU runs this many in the time of one; a CPU starts with a few,
  /// since a lookup may take a millisecond when the table has just filled up with tombstones.
  static constexpr std::uint64_t first_misses = Exec::backend == Backend::cpu ? 4 : 1024;

  void require_slot(Slot slot) const
  {
    if (slot >= places()) { throw Error("There is no slot " + std::to_string(slot) + " in this table."); }
  }
  void measure()
  {
    analyser_.measure(*table_);
    measured_ = marked_ = true;
  }
  void require_measured()
  {
    if (!measured_) { measure(); }
  }
  /// Measures the table, and draws the picture if there is a target.
  void draw(PictureRequest const& request, TexelTarget target, RecentChanges changes)
  {
    bool const draws = target.texels != nullptr;
    bool const is_kept = keeps_marks_ && marked_;
    bool const of_chains = draws && request.color_by == ColorBy::chain_length;
    bool const is_drawn = draws && changes.count == 0 && !is_kept && !of_chains &&
                          analyser_.measure_and_draw(*table_, request, target.texels);
    if (is_drawn) {
      measured_ = true;
      marked_ = false;
    } else if (!is_kept) {
      measure();
    }
    if (changes.count != 0) { exec_->for_each(changes.count, passes::FadeChanges{changes.words, request.fade}); }
    if (of_chains) {
      table_->mark_chain_lengths(analyser_.marks());
      marked_ = false;
    }
    if (draws && !is_drawn) { analyser_.draw(changes.bytes(), request, target.texels); }
  }

  bool has_groups() const { return !table_->info().groups.name.empty(); }
  /// A function that counts the groups into bins.
  auto groups()
  {
    return [this](exec::HistogramView const& bins) { table_->count_groups(bins); };
  }

  /// distribution_of(f) makes a distribution of the values that f adds to a histogram.
  template <class DistributionOf>
  void measure_extras(DistributionOf const& distribution_of, MissLimits limits)
  {
    if (!extras_stale_) { return; }
    extras_ = {};
    if (has_groups()) { extras_.groups = distribution_of(groups()); }
    measure_slow_extras(distribution_of, limits);
  }
  /// Measures the extras that each wait for the device.
  template <class DistributionOf>
  void measure_slow_extras(DistributionOf const& distribution_of, MissLimits limits)
  {
    if (!table_->info().moves.name.empty()) {
      extras_.moves = distribution_of([&](auto const& bins) { table_->count_moves(bins); });
    }
    if (absent_.draw) {
      choose_misses();
      measure_misses(distribution_of, limits);
    }
    extras_stale_ = false;
  }

  /// Chooses the keys to look up, in device memory.
  void choose_misses()
  {
    if (miss_keys_.size() == 0) {
      miss_accesses_ = Buffer<std::uint32_t>(*exec_, sampled_misses);
      miss_keys_ = Buffer<StoredKey>(*exec_, sampled_misses);
    }
    misses_ = {};
    MissesBy const by = table_->info().misses_by;
    std::uint64_t const homes = table().slots;
    bool const few_homes = homes <= sampled_misses && table().shards == 1;
    bool const is_by_home = by == MissesBy::home || by == MissesBy::home_and_key;
    bool const all_homes = is_by_home && few_homes && absent_.have_any_home && absent_.have_any_home();
    if (all_homes) {
      choose_misses_of_all_homes(by == MissesBy::home ? 1 : sampled_misses / homes);
      misses_.of_each_home = by == MissesBy::home;
    } else {
      misses_.wanted = sampled_misses;
      absent_.draw(miss_keys_.data(), sampled_misses);
    }
  }
  void choose_misses_of_all_homes(std::uint64_t per_home)
  {
    if (misses_by_home_.count() == 0) {
      misses_by_home_ = MissesByHome<Format>(HasherOf<Format>(table().hash, table().slots), per_home);
    }
    std::vector<typename Format::Word> words(places());
    exec_->download(std::span(words), static_cast<typename Format::Word const*>(table_->words()));
    std::vector<StoredKey> const keys = misses_by_home_.absent_from(words);
    exec_->upload(miss_keys_.data(), std::span<StoredKey const>(keys));
    misses_.wanted = keys.size();
  }

  template <class DistributionOf>
  void measure_misses(DistributionOf const& distribution_of, MissLimits limits)
  {
    look_misses_up(limits);
    std::uint64_t const counted = misses_.counted;
    extras_.misses = distribution_of([&](auto const& bins) {
      exec_->accumulate(CountNumbers::count(counted), bins, CountNumbers{miss_accesses_.data(), counted});
    });
    bool const stopped = extras_.misses.max >= limits.accesses;
    extras_.miss_sample = {misses_.wanted, stopped ? limits.accesses : 0, misses_.of_each_home};
  }

  /// Looks up as many of the chosen keys as time allows; a few lookups at the start show how many that is.
  void look_misses_up(MissLimits limits)
  {
    std::uint64_t const before = misses_.counted;
    double seconds = 0.0;
    std::uint64_t next = first_misses;
    misses_.go_on = true;
    while (misses_.go_on && next != 0) {
      next = std::min(next, misses_.wanted - misses_.counted);
      exec_->start_timer();
      table_->count_accesses(miss_keys_.data() + misses_.counted, next, limits.accesses,
                             miss_accesses_.data() + misses_.counted);
      seconds += exec_->stop_timer();
      note_accesses(next);
      double const looked_up = static_cast<double>(misses_.counted - before);
      double const affordable = looked_up * (limits.seconds / std::max(seconds, 1e-9) - 1.0);
      next = static_cast<std::uint64_t>(std::clamp(affordable, 0.0, static_cast<double>(4 * next)));
    }
  }
  /// Adds up the accesses of the next `count` lookups, until enough have been counted.
  void note_accesses(std::uint64_t count)
  {
    std::vector<std::uint32_t> accesses(count);
    exec_->download(std::span(accesses), static_cast<std::uint32_t const*>(miss_accesses_.data() + misses_.counted));
    for (std::uint32_t const each : accesses) {
      misses_.accesses += each;
      ++misses_.counted;
      misses_.go_on = misses_.counted != misses_.wanted && misses_.accesses < enough_accesses;
      if (!misses_.go_on) { break; }
    }
  }

  std::uint64_t heads() const { return family().places_by.empty() ? 0 : table().slots; }
  void add_extras(Statistics& statistics) const
  {
    statistics.heads = heads();
    statistics.groups = extras_.groups;
    statistics.moves = extras_.moves;
    statistics.miss_accesses = extras_.misses;
    statistics.miss_sample = extras_.miss_sample;
    statistics.hit_accesses = accesses_of(statistics.probe_length, table_->info());
  }

  Exec* exec_;
  Shown* table_;
  AbsentKeys absent_;
  Analyser<Exec> analyser_;
  std::unique_ptr<Laps> laps_;  ///< times an analysis
  bool measured_ = false;       ///< the analyser's counts and occupancy are up to date
  bool marked_ = false;         ///< the analyser's marks are up to date
  bool keeps_marks_ = false;

  struct Extras {
    Distribution groups;
    Distribution moves;
    Distribution misses;
    MissSample miss_sample;

    bool are_cut() const { return groups.beyond + moves.beyond + misses.beyond != 0; }
  };
  Extras extras_;
  bool extras_stale_ = true;
  bool extras_due_ = false;  ///< the current analysis counts them
  std::uint64_t analyses_ = 0;
  /// The state of the lookups of absent keys.
  struct Misses {
    std::uint64_t wanted = 0;
    std::uint64_t counted = 0;
    std::uint64_t accesses = 0;  ///< of the counted lookups
    bool of_each_home = false;
    bool go_on = false;
  };
  Misses misses_;
  MissesByHome<Format> misses_by_home_;
  Buffer<StoredKey> miss_keys_;
  Buffer<std::uint32_t> miss_accesses_;
  Buffer<Cluster> cluster_;
};

}  // namespace slotscape
