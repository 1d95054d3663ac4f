#pragma once

#include "gpu/analysis/homes.hpp"
#include "gpu/base/progress.hpp"
#include "gpu/engine/inspected_table.hpp"
#include "gpu/watch/description.hpp"
#include "gpu/watch/rehash.hpp"
#include "gpu/watch/runs.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slotscape::watch {

/// How many keys a description finds in its table.
struct Check {
  /// Another description that finds more keys.
  struct Better {
    Description description;
    std::uint64_t found = 0;
    std::uint64_t failed = 0;  ///< lookups that ended without the key
  };

  /// The table has grown: keys that the description does not find were placed as in a table with fewer slots.
  struct Growth {
    std::uint64_t slots = 0;  ///< half or a quarter of the described slots
    std::uint64_t found = 0;  ///< sampled keys that lookups in this many slots find
  };

  std::uint64_t sampled = 0;       ///< live keys
  std::uint64_t found = 0;         ///< sampled keys found in the slot where they were sampled
  std::uint64_t not_followed = 0;  ///< keys whose lookups were given up after `followed` accesses
  std::uint32_t followed = 0;
  bool was_checked = false;  ///< false: the description does not tell where keys belong
  std::vector<Better> better = {};
  std::optional<Growth> growth = {};
  std::uint64_t elsewhere = 0;   ///< keys that lookups find in another slot: they are stored twice
  std::uint64_t live_slots = 0;  ///< live slots drawn for the sample
  std::uint64_t repeats = 0;     ///< live slots left out of the sample because many of them hold the same key
  Slot repeated = no_slot;       ///< a slot with the most frequent of these keys

  /// Lookups that ended without the key. Lookups that were given up do not count as failed.
  std::uint64_t failed() const { return sampled - found - elsewhere - not_followed; }
  /// Whether another description must be right: no lookup fails with it, or hardly any does while most fail with this
  /// one. A few keys may all be found by chance. A description that finds more keys, but also contradicts the table
  /// more often, proves nothing.
  bool is_beaten() const
  {
    constexpr std::uint64_t enough = 32;  // keys
    if (better.empty() || sampled < enough || better.front().failed > failed()) { return false; }
    return better.front().failed == 0 || (!finds_half() && 2 * better.front().failed < failed());
  }
  bool finds_half() const { return 2 * (found + elsewhere) >= sampled; }
  /// Whether the description finds so few keys that its homes and paths are meaningless: too many lookups fail, or
  /// another description is better. If the table has grown, the description is right about lookups.
  bool is_wrong() const
  {
    bool const fails = failed() > found + elsewhere && 10 * failed() >= sampled;
    return was_checked && sampled != 0 && !growth && !finds_half() && (fails || is_beaten());
  }
  /// Whether the description finds so many keys that it can hardly be wrong: keys that it does not find are lost.
  bool is_nearly_right() const
  {
    return was_checked && finds_half() && 10 * (found + elsewhere) >= 9 * (sampled - not_followed);
  }
  /// Whether too many lookups were given up to decide.
  bool is_undecided() const { return was_checked && sampled != 0 && !finds_half() && !is_wrong(); }
};
/// "Of 1,000 keys sampled, 3 are where this description finds them: is the hash right?", followed by better
/// descriptions; empty if there is nothing to report.
std::string text_of(Check const& check);
/// "The table was doubled, but keys were placed for half the slots (4,096)." `slots`: the current number.
std::string text_of(Check::Growth const& growth, std::uint64_t slots);

/// Lookups are followed for at most this many accesses.
inline constexpr std::uint32_t max_followed = 1u << 14;

/// Keys that are stored where no lookup of them ends. They take up slots like other keys, but do not count in
/// statistics of lookups.
struct LostKeys {
  std::uint64_t unreachable = 0;   ///< not found by any lookup
  std::uint64_t twice = 0;         ///< further copies of keys that are found in another slot
  std::uint64_t not_followed = 0;  ///< lookups that were given up: it is unknown whether they find their keys
  Slot first_unreachable = no_slot;
  Slot first_twice = no_slot;
  Slot found_instead = no_slot;           ///< where a lookup finds that key
  std::uint32_t followed = max_followed;  ///< accesses after which lookups were given up

  std::uint64_t count() const { return unreachable + twice; }
  friend bool operator==(LostKeys const&, LostKeys const&) = default;
};
/// The chains of a table with linked slabs.
struct ChainCounts {
  std::uint64_t cut = 0;    ///< chains that continue in slabs outside the description
  std::uint64_t slabs = 0;  ///< slabs that chains lead to
  std::uint64_t stray = 0;  ///< slabs with keys that no chain leads to
  friend bool operator==(ChainCounts const&, ChainCounts const&) = default;
};
/// The homes of a table's keys, compared with all homes. Homes are numbered by place: by bucket, if buckets are the
/// homes.
struct HomesInUse {
  std::uint64_t used = 0;    ///< homes of at least one key
  std::uint64_t places = 0;  ///< all homes
  double expected = 0.0;     ///< expected number of used homes, if they are random
  Run unused = {};           ///< the longest run of unused homes
  std::uint64_t unit = 1;    ///< all used homes are multiples of this number
};
/// `counts`: the number of keys of each home.
HomesInUse homes_in_use(std::span<std::uint32_t const> counts);

/// The longest runs of taken and of empty slots.
struct SlotRuns {
  Run taken = {};
  Run empty = {};
};
/// A table in foreign memory, which is read and never written. Its owner may write while it is read: a slot may then be
/// read half written, and keys that move from one slot to another may be missed or counted twice. `family` describes
/// what is known of the table. Call it from one thread.
class WatchedTable : public InspectedTable {
public:
  virtual Description const& description() const = 0;
  /// Switches to other memory, or to another description of the same memory. Throws Error, and changes nothing, if the
  /// description is impossible for the arrays, or memory for the analysis runs out.
  virtual void look_at(Description const& description, std::span<Array const> arrays) = 0;
  /// Call it when the table may have changed.
  virtual void changed() = 0;

  /// Copies the arrays for about `seconds`, continuing where the last call stopped. Returns the copied fraction; at 1,
  /// the copy is used until the next `look_at`, which also ends copying. Throws Error if there is not enough memory.
  virtual double continue_freezing(double seconds) = 0;
  /// Copies the arrays completely, however long it takes.
  void freeze() { continue_freezing(std::numeric_limits<double>::infinity()); }
  virtual bool is_frozen() const = 0;

  /// Looks up a sample of up to 1,000 live keys as described. `searches`: if few are found, also tries other hashes,
  /// reductions and kinds of probing.
  virtual Check check(bool searches) = 0;
  /// The lost keys of the last analysis or count; none if homes are unknown. Statistics count lost keys as `live`, and
  /// as `links`.
  virtual LostKeys lost_keys() = 0;
  /// Up to `most` slots of lost keys, in order and from all parts of the table.
  virtual std::vector<Slot> lost_slots(std::uint64_t most) = 0;
  /// The results of looking up the keys in these slots.
  virtual std::vector<ReachedSlot> reached(std::span<Slot const> slots) = 0;
  /// Facts derived from all keys, each counted once. There must be enough keys.
  struct KeyFacts {
    std::optional<HomeSpread> homes = {};      ///< distribution of their homes, if these are known
    std::optional<HomesInUse> in_use = {};     ///< use of homes, if all homes were counted
    std::optional<SlotRuns> runs = {};         ///< if runs of neighbouring slots are meaningful
    SampledHomes sampled = {};                 ///< the homes that were counted: if there are many keys, only some
    std::optional<LookupCosts> rehashed = {};  ///< costs in a table with the same slots and without tombstones
    std::optional<LookupCosts> doubled = {};   ///< costs in a table with twice the slots
    ChainCounts chains = {};
  };
  /// Continues counting for about `seconds`. Returns nullopt until all keys were counted. `look_at` restarts the count.
  virtual std::optional<KeyFacts> key_facts(double seconds) = 0;
  /// Counts all keys, however long it takes.
  KeyFacts all_key_facts() { return *key_facts(std::numeric_limits<double>::infinity()); }
  /// The first `most` live pairs, by their slots. Keys without values have the value 0; 16-byte keys are given as
  /// shown.
  virtual std::vector<Pair> pairs(std::uint64_t most) = 0;

  /// Traces a lookup of a key of any width.
  virtual ProbePath path_of(AnyKey key) = 0;
  /// The first slot that holds the key, whether or not lookups find it there: reads all slots.
  virtual std::optional<Slot> slot_of(AnyKey key) = 0;
  /// The key in a slot, with all its bits; 0 if there is no key.
  virtual AnyKey key_in(Slot slot) = 0;

  /// From now on, analyses record how each slot has changed since the last analysis, for `ColorBy::recent`. This takes
  /// five bytes per slot. Throws Error if there is not enough memory.
  virtual void record_recent(bool on) = 0;
  /// From now on, passes over the whole table report to `progress`, and throw Cancelled.
  virtual void watch_work(Progress progress) = 0;
};

/// The maximum fraction of time that analyses may take while the table's owner uses it. On a GPU, the owner waits for
/// about a quarter of that time: it should lose less than 2 %.
constexpr double max_share_of_time(Backend backend)
{
  return backend == Backend::cpu ? 0.3 : 0.07;
}

/// Throws Error like `look_at`, or if the program lacks this backend. `name`: the displayed name.
std::unique_ptr<WatchedTable> make_watched_table(Backend backend, std::string name, Description const& description,
                                                 std::span<Array const> arrays);

}  // namespace slotscape::watch
