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

/// How many keys a description finds in the table that it describes.
struct Check {
  /// Another description that finds more of them.
  struct Better {
    Description description;
    std::uint64_t found = 0;
    std::uint64_t failed = 0;  ///< lookups that came to an end without the key
  };

  /// That keys which the description does not find were placed as in a table with fewer slots, which has grown.
  struct Growth {
    std::uint64_t slots = 0;  ///< half of those that are described, or a quarter
    std::uint64_t found = 0;  ///< sampled keys that lookups in so many slots find
  };

  std::uint64_t sampled = 0;       ///< live keys
  std::uint64_t found = 0;         ///< of those, in the slot where they were sampled
  std::uint64_t not_followed = 0;  ///< whose lookups were given up after `followed` accesses
  std::uint32_t followed = 0;
  bool was_checked = false;  ///< false: the description does not say where keys belong
  std::vector<Better> better = {};
  std::optional<Growth> growth = {};
  std::uint64_t elsewhere = 0;   ///< whose lookups find the key in another slot: it is stored twice
  std::uint64_t live_slots = 0;  ///< that were drawn for the sample
  std::uint64_t repeats = 0;     ///< of those, left out of it, because many of them hold the same key
  Slot repeated = no_slot;       ///< one with the most frequent of such keys

  /// Lookups that came to an end without the key. One that was given up did not fail.
  std::uint64_t failed() const { return sampled - found - elsewhere - not_followed; }
  /// Whether another description must be the right one: no lookup fails by it, or hardly any where most fail by this
  /// one. Of few keys all are found by chance; and one that finds more, but contradicts the table where this one does
  /// not, proves nothing.
  bool is_beaten() const
  {
    constexpr std::uint64_t enough = 32;  // keys
    if (better.empty() || sampled < enough || better.front().failed > failed()) { return false; }
    return better.front().failed == 0 || (!finds_half() && 2 * better.front().failed < failed());
  }
  bool finds_half() const { return 2 * (found + elsewhere) >= sampled; }
  /// Whether it finds so few that homes and paths by this description mean nothing: so many lookups fail, or another
  /// description beats it. Of a table that has grown, it says what lookups do.
  bool is_wrong() const
  {
    bool const fails = failed() > found + elsewhere && 10 * failed() >= sampled;
    return was_checked && sampled != 0 && !growth && !finds_half() && (fails || is_beaten());
  }
  /// Whether it finds so many that it can hardly be wrong: keys that it does not find are lost.
  bool is_nearly_right() const
  {
    return was_checked && finds_half() && 10 * (found + elsewhere) >= 9 * (sampled - not_followed);
  }
  /// Whether too many lookups were given up to say either.
  bool is_undecided() const { return was_checked && sampled != 0 && !finds_half() && !is_wrong(); }
};
/// "Of 1,000 keys sampled, 3 are where this description finds them: is the hash right?", with what fits better; empty
/// if there is nothing to say.
std::string text_of(Check const& check);
/// "The table was doubled, but keys were placed for half the slots (4,096)." `slots`: those it has now.
std::string text_of(Check::Growth const& growth, std::uint64_t slots);

/// Accesses after which the lookup of a key in a table is followed no further.
inline constexpr std::uint32_t max_followed = 1u << 14;

/// Keys that lie in a table where no lookup of them ends. They take slots as others do, and are in no statistics of
/// lookups.
struct LostKeys {
  std::uint64_t unreachable = 0;   ///< no lookup finds them
  std::uint64_t twice = 0;         ///< further copies of keys that are found in another slot
  std::uint64_t not_followed = 0;  ///< lookups that were given up: whether they find their keys is not judged
  Slot first_unreachable = no_slot;
  Slot first_twice = no_slot;
  Slot found_instead = no_slot;           ///< where a lookup finds that key
  std::uint32_t followed = max_followed;  ///< accesses after which lookups were given up

  std::uint64_t count() const { return unreachable + twice; }
  friend bool operator==(LostKeys const&, LostKeys const&) = default;
};
/// The chains of a table with linked slabs.
struct ChainCounts {
  std::uint64_t cut = 0;    ///< that go on in slabs which the description does not reach
  std::uint64_t slabs = 0;  ///< that chains lead to
  std::uint64_t stray = 0;  ///< slabs with keys that no chain leads to
  friend bool operator==(ChainCounts const&, ChainCounts const&) = default;
};
/// The homes that the keys of a table have, of all that there are. Numbers of homes are those of places: of buckets,
/// where these are the homes.
struct HomesInUse {
  std::uint64_t used = 0;    ///< that at least one key has
  std::uint64_t places = 0;  ///< that there are
  double expected = 0.0;     ///< of random ones
  Run unused = {};           ///< the longest stretch of homes that no key has
  std::uint64_t unit = 1;    ///< all homes that are used are multiples of it
};
/// `counts`: the keys of each home.
HomesInUse homes_in_use(std::span<std::uint32_t const> counts);

/// The longest runs of slots that are taken, and of empty ones.
struct SlotRuns {
  Run taken = {};
  Run empty = {};
};
/// A table in memory that is somebody else's, which is read and never written. Its owner may write while it is looked
/// at: a slot may then be read half written, and keys may be counted that move from one slot to another not at all, or
/// twice. `family` says what is known of it. Call it from one thread.
class WatchedTable : public InspectedTable {
public:
  virtual Description const& description() const = 0;
  /// Looks at other memory, or at the same by another description. Throws Error, and changes nothing, where the
  /// description cannot be true of the arrays, or memory for the analysis runs out.
  virtual void look_at(Description const& description, std::span<Array const> arrays) = 0;
  /// Call it when the table may have changed.
  virtual void changed() = 0;

  /// Copies the arrays for about so many seconds, from where the last call has stopped. Returns the share of them that
  /// is copied; at 1, it looks at the copy until the next `look_at`, which also ends copying. Throws Error if there is
  /// no memory for it.
  virtual double freeze_on(double seconds) = 0;
  /// The same, however long it takes.
  void freeze() { freeze_on(std::numeric_limits<double>::infinity()); }
  virtual bool is_frozen() const = 0;

  /// Looks up a sample of up to 1,000 live keys by the description. `searches`: and, if it finds few of them, by other
  /// hashes, reductions and kinds of probing.
  virtual Check check(bool searches) = 0;
  /// As of the last analysis or count; none where homes are not known. Statistics have them among `live`, and as
  /// `links`.
  virtual LostKeys lost_keys() = 0;
  /// Up to `most` of their slots, in order and from all parts of the table.
  virtual std::vector<Slot> lost_slots(std::uint64_t most) = 0;
  /// What the lookups of the keys in some slots come to.
  virtual std::vector<ReachedSlot> reached(std::span<Slot const> slots) = 0;
  /// What follows from all keys, each once, of which there must not be too few.
  struct KeyFacts {
    std::optional<HomeSpread> homes = {};      ///< how their homes are spread, where those are known
    std::optional<HomesInUse> in_use = {};     ///< the same, where all homes were counted
    std::optional<SlotRuns> runs = {};         ///< where neighbours mean something
    SampledHomes sampled = {};                 ///< the homes that were counted: of many keys, not all
    std::optional<LookupCosts> rehashed = {};  ///< of a table with the same slots and without tombstones
    std::optional<LookupCosts> doubled = {};   ///< of one with twice the slots
    ChainCounts chains = {};
  };
  /// Counts on for about so many seconds; nothing until all keys were counted. `look_at` begins anew.
  virtual std::optional<KeyFacts> key_facts(double seconds) = 0;
  /// The same, however long it takes.
  KeyFacts all_key_facts() { return *key_facts(std::numeric_limits<double>::infinity()); }
  /// The first `most` live pairs, by their slots. Keys alone have the value 0; those of 16 bytes are as they are shown.
  virtual std::vector<Pair> pairs(std::uint64_t most) = 0;

  /// A lookup of a key of any width.
  virtual ProbePath path_of(AnyKey key) = 0;
  /// The first slot that holds the key, whether lookups find it there or not: reads all slots.
  virtual std::optional<Slot> slot_of(AnyKey key) = 0;
  /// The key in a slot, with all its bits; 0 if there is none.
  virtual AnyKey key_in(Slot slot) = 0;

  /// From now on, analyses note what has become of each slot since the last one, for `ColorBy::recent`. It takes five
  /// bytes a slot. Throws Error if there is no memory for it.
  virtual void record_recent(bool on) = 0;
  /// From now on, passes over the whole table report to it, and throw Cancelled.
  virtual void watch_work(Progress progress) = 0;
};

/// How much of the time analyses of a table that its owner works on may take. On a GPU the owner waits meanwhile, for
/// about a quarter of that: it is to lose less than 2 %.
constexpr double max_share_of_time(Backend backend)
{
  return backend == Backend::cpu ? 0.3 : 0.07;
}

/// Throws Error as `look_at` does, or if the program has no such backend. `name`: for people.
std::unique_ptr<WatchedTable> make_watched_table(Backend backend, std::string name, Description const& description,
                                                 std::span<Array const> arrays);

}  // namespace slotscape::watch
