#pragma once

#include "gpu/analysis/homes.hpp"
#include "gpu/base/progress.hpp"
#include "gpu/engine/inspected_table.hpp"
#include "gpu/watch/description.hpp"
#include "gpu/watch/rehash.hpp"

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
  };

  std::uint64_t sampled = 0;       ///< live keys
  std::uint64_t found = 0;         ///< of those, in the slot where they were sampled
  std::uint64_t not_followed = 0;  ///< whose lookups were given up after `followed` accesses
  std::uint32_t followed = 0;
  bool was_checked = false;  ///< false: the description does not say where keys belong
  std::vector<Better> better = {};

  /// Whether it finds so few that homes and paths by this description mean nothing.
  bool is_wrong() const { return was_checked && sampled != 0 && 2 * found < sampled; }
  /// Whether it finds so many that it can hardly be wrong: keys that it does not find are lost.
  bool is_nearly_right() const { return was_checked && !is_wrong() && 10 * found >= 9 * (sampled - not_followed); }
};
/// "Of 1,000 keys sampled, 3 are where this description finds them: is the hash right?", with what fits better; empty
/// if there is nothing to say.
std::string text_of(Check const& check);

/// Keys that lie in a table where no lookup of them ends. They take slots as others do, and are in no statistics of
/// lookups.
struct LostKeys {
  std::uint64_t unreachable = 0;   ///< no lookup finds them
  std::uint64_t twice = 0;         ///< further copies of keys that are found in another slot
  std::uint64_t not_followed = 0;  ///< lookups that were given up: these keys count as found where they were
  Slot first_unreachable = no_slot;
  Slot first_twice = no_slot;
  Slot found_instead = no_slot;  ///< where a lookup finds that key

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
/// Accesses after which the lookup of a key in the table is followed no further.
inline constexpr std::uint32_t max_followed = 1u << 14;

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
  /// The first `most` of their slots.
  virtual std::vector<Slot> lost_slots(std::uint64_t most) = 0;
  /// What follows from all keys, each once, of which there must not be too few.
  struct KeyFacts {
    std::optional<HomeSpread> homes = {};      ///< how their homes are spread, where those are known
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
