#pragma once

#include "gpu/execution/machines.hpp"
#include "gpu/execution/tile.hpp"
#include "gpu/tables/settings.hpp"

#include <concepts>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace slotscape {

/// Which operations of one batch may run concurrently.
enum class Concurrency : std::uint8_t {
  mixed,         ///< inserts, finds and erases in any order
  erases_apart,  ///< inserts and finds concurrently; erases in a separate phase
  phased,        ///< inserts, finds and erases in separate phases, each of them parallel
  erases_alone,  ///< like phased, but erases run one after another
};

/// The concurrency of a table, given its concurrency without combining. If insertions combine values, each kind of
/// operation has its own phase: no key is erased while its value changes, and every lookup sees the final values.
constexpr Concurrency unless_combining(Concurrency otherwise, Combine combine)
{
  return combine == Combine::replace ? otherwise : Concurrency::phased;
}

/// The treatment of a key that does not fit.
enum class OverflowPolicy : std::uint8_t {
  report_full,  ///< the key's outcome is `full`
  rebuild       ///< the table is rebuilt with other hash functions; if that fails, the outcome is `full`
};

/// A family's guarantees for a table with given settings. The engine runs batches accordingly, and tests check them.
struct Guarantees {
  Concurrency concurrency = Concurrency::mixed;
  bool erase_frees_slot = false;    ///< immediately, for any other key
  bool erase_frees_bucket = false;  ///< immediately, but only for keys of the same bucket
  bool ordered = false;             ///< iteration is in ascending key order
  bool is_static = false;           ///< an insertion of new keys rebuilds the table
  double safe_load = 1.0;           ///< random keys fit up to this load factor
  double max_load = 1.0;            ///< upper limit on the load factor, keys / slots
  OverflowPolicy overflow = OverflowPolicy::report_full;
};

/// Which numbers of slots a family accepts; others are refused. Families that store buckets round up within `any`.
enum class SlotCounts : std::uint8_t { any, power_of_two, power_of_two_or_prime };

/// A quantity in a family's statistics, as displayed. Without a name, the family does not have this quantity.
struct Measure {
  std::string_view name;         ///< "Probe length"
  std::string_view unit;         ///< "slots from home"
  std::string_view remark = {};  ///< a note on the numbers, for example where textbooks count differently
};

/// A parameter, with its name in scenarios, that settings may set to one of `choices`.
struct Parameter {
  std::string_view name;
  std::string_view title;
  std::string_view help;
  std::uint32_t fallback;
  std::span<std::uint32_t const> choices;
  std::span<std::string_view const> choice_names = {};  ///< for display, if users cannot make sense of the numbers
  bool is_by_hand = false;        ///< applies only to the identity hash, which is computed by hand: not for tuning
  bool is_for_textbooks = false;  ///< exists for textbook examples: not for tuning either
  bool is_tuned = true;           ///< false: not a trade-off of speed and memory, or the table decides it itself
};

/// Which formulas of `gpu/analysis` (theory.hpp, chain_theory.hpp) describe a family's tables.
enum class TheoryOf : std::uint8_t {
  nothing,
  linear_probing,
  robin_hood,
  uniform_probing,       ///< double hashing approximates it
  secondary_clustering,  ///< keys with the same home share their path, as in quadratic probing
  poisson_groups,  ///< `groups` counts the keys of each bucket, including empty ones, in units of `keys_per_group_unit`
  chains,          ///< `groups` counts the nodes of each chain, the measure those before a key; new nodes come first
  growing_chains,  ///< like `chains`, but heads are split in turn
  coalesced,       ///< chains within the table, by the parameter `cellar`
  split_buckets,   ///< full buckets are split by one more bit of the hash; the parameter `bucket` is their size
  cuckoo,          ///< by the parameters `functions` and `bucket`: number of choices, slots of each
  two_choices_of_eight,  ///< cuckoo hashing with 2 choices of 8 slots
  balanced_allocation,   ///< keys go to the less full of two buckets; `groups` counts the keys of each bucket
  rounds_of_fights,      ///< each sub-table takes one of the keys that meet in a slot; the measure is the round
  hopscotch,             ///< a key is less than the parameter `neighbourhood` away from home
  groups_on_paths,       ///< groups of slots with fingerprints, on a path given by the first group
  two_yards              ///< a large bucket in front, then the less full of two small ones, with fingerprints
};

/// What determines how far a lookup of an absent key goes, in a given table.
enum class MissesBy : std::uint8_t {
  more_than_home,  ///< also by further hashes of the key
  home,            ///< only its home slot
  home_and_key,    ///< its home slot, and how the key compares with others of the same home
  nothing          ///< each miss reads all buckets of its key, one per function
};

/// How a table grows by itself, within the memory given by its settings.
enum class Growth : std::uint8_t {
  none,
  bucket_by_bucket,  ///< buckets are split in turn, one each time the table gains a given number of keys
  by_directory       ///< a full bucket is split; a directory, which doubles from time to time, leads to the buckets
};

/// How step mode describes the next place of a search.
enum class NextPlace : std::uint8_t {
  named,        ///< only by `StepWords::next`
  if_apart,     ///< like `named`, unless the place is the next slot
  further_on,   ///< by the distance in slots, and how the second hash gives it; without a second hash, by `next`
  around_home,  ///< by the distance before or after the key's home, in slots
  bucket,       ///< as one of the key's buckets, or as a bucket to which another key may move
  by_order      ///< by comparing the key just read with the one sought, in a binary search
};

/// Texts that step mode adds for a family's searches. If they are empty, it uses texts that fit any family.
struct StepWords {
  NextPlace next_by = NextPlace::named;
  std::string_view next = {};   ///< ", the next slab of its chain"; {t} is the variable t of the next line
  std::string_view ends = {};   ///< why a search fails: "Its chain ends here"; {} is the key
  std::string_view links = {};  ///< when a list grows at slot {}: "Slot {} now links to a new slab"
  std::string_view link = {};   ///< before a node's link is read: "Its link is next"
  bool begins_by_hash = false;  ///< `uses_hash` is false, but the first slot still comes from one hash function
};

/// A family's description of itself.
struct FamilyInfo {
  std::string_view name;    ///< in scenarios
  std::string_view title;   ///< for display
  std::string_view source;  ///< the paper
  std::string_view idea;    ///< in a sentence or two
  Guarantees (*guarantees)(TableSettings const&);
  SlotCounts slot_counts = SlotCounts::any;
  bool deletes_two_ways = false;   ///< `TableSettings::deletion` applies
  bool shifts_back = false;        ///< `Deletion::shift` also applies (gpu/tables/shift_back.hpp)
  bool paths_end = false;          ///< a search ends with its path, even if it has met no empty slot
  bool uses_hash = true;           ///< `TableSettings::hash` applies
  bool key_is_hash = false;        ///< keys are their own hashes: only random keys spread randomly
  bool wide = false;               ///< also supports 64-bit keys and values
  bool keys_alone = false;         ///< also stores keys without values: sets, which erase by `tombstone_reuse`
  bool digs_graves = false;        ///< rebuilds leave tombstones that were never keys (gpu/engine/graves.hpp)
  bool is_host_container = false;  ///< for comparison: a container of the C++ library, on one CPU thread
  /// The parameter with the number of nodes per slot of `TableSettings::slots`, if those slots are heads of chains. The
  /// slots of the table's memory are then the nodes, and the table holds more keys than it has heads. Empty: each slot
  /// holds one key.
  std::string_view places_by = {};
  Growth growth = Growth::none;
  std::span<Parameter const> parameters = {};
  Measure measure = {"Probe length", "slots from home"};  ///< of a live key, for `Statistics::probe_length`
  /// Memory accesses of a lookup that finds a key of measure m: first_access + m * accesses_per_measure. A slot, a
  /// bucket, a window or a slab read at once is one access.
  std::uint32_t first_access = 1;
  std::uint32_t accesses_per_measure = 1;
  Measure groups = {};                    ///< for `Statistics::groups`: chain lengths or bucket sizes
  std::uint32_t keys_per_group_unit = 1;  ///< maximum: 15 if chains are counted in slabs of 15
  Measure moves = {};                     ///< keys that an insertion moves, for `Statistics::moves`
  bool clusters = false;                  ///< runs of occupied slots are meaningful: keys are near their homes
  TheoryOf theory = TheoryOf::nothing;
  MissesBy misses_by = MissesBy::more_than_home;  ///< home: given by `TableSettings::hash`
  std::string_view probes = {};                   ///< from home h, for computing by hand: "h, h + 1, h + 2 ..."
  std::string_view rule = {};  ///< the family's choice where papers leave a detail open; exercises must state it
  StepWords steps = {};
};

/// Whether a lookup of an absent key ends only at an empty slot, however far that is.
constexpr bool ends_only_at_empty_slots(FamilyInfo const& info)
{
  return info.deletes_two_ways && !info.paths_end;
}

/// Returns null if the family has no parameter with this name.
constexpr Parameter const* find_parameter(FamilyInfo const& info, std::string_view name)
{
  for (Parameter const& parameter : info.parameters) {
    if (parameter.name == name) { return &parameter; }
  }
  return nullptr;
}

/// The value of a parameter in the settings, or its default.
inline std::uint32_t parameter_of(FamilyInfo const& info, TableSettings const& settings, std::string_view name)
{
  if (auto const set = settings.parameters.find(std::string(name)); set != settings.parameters.end()) {
    return set->second;
  }
  if (Parameter const* const parameter = find_parameter(info, name)) { return parameter->fallback; }
  throw std::logic_error("family " + std::string(info.name) + " has no parameter " + std::string(name));
}

/// Places for keys per slot of the settings: more than 1 if slots are heads of chains (`FamilyInfo::places_by`).
inline std::uint32_t places_per_slot(FamilyInfo const& info, TableSettings const& settings)
{
  return info.places_by.empty() ? 1 : parameter_of(info, settings, info.places_by);
}
/// Slots of the table's memory. They hold keys and, in some families, links.
inline std::uint64_t places_of(FamilyInfo const& info, TableSettings const& settings)
{
  return settings.slots * places_per_slot(info, settings);
}

/// The contents of a slot.
struct Described {
  SlotState state;
  bool has_key;           ///< the slot holds a user's key: live, or erased and kept
  std::uint32_t measure;  ///< as in `FamilyInfo::measure`; valid only if `has_key`
};

/// --- The requirements on a family.

template <class F>
concept DescribesItself = requires(TableSettings const& settings)
{
  {
    F::info
    } -> std::convertible_to<FamilyInfo const&>;
  {
    F::guarantees(settings)
    } -> std::same_as<Guarantees>;
};

/// A family's data about a table, besides its memory. Passed to the device by value. Metadata is optional: `metadata()`
/// is the number of 64-bit numbers that the table has in addition to its slots.
template <class L>
concept TableLayout = std::is_trivially_copyable_v<L> && requires(L const& layout, Narrow::Key key)
{
  {
    layout.slots()
    } -> std::convertible_to<std::uint64_t>;
  {
    layout.home(key)
    } -> std::convertible_to<Slot>;
};

/// The `slots` setting of a table with this layout: the number of its heads, if these do not hold keys themselves.
template <TableLayout L>
constexpr std::uint64_t slots_in_settings(L const& layout)
{
  if constexpr (requires { layout.heads(); }) {
    return layout.heads();
  } else {
    return layout.slots();
  }
}

template <class F>
concept LaysOutTables = TableLayout<typename F::template Layout<Narrow>> && requires(TableSettings const& settings)
{
  {
    F::template layout<Narrow>(settings)
    } -> std::same_as<typename F::template Layout<Narrow>>;
};

/// Operations are run by tiles of lanes: insert(table, tile, key, value) and so on. `lanes(layout)` is the tile size of
/// a given table.
template <class F>
concept UsesTiles = requires(typename F::template Layout<Narrow> const& layout)
{
  F::lane_choices[0];
  {
    F::lanes(layout)
    } -> std::convertible_to<int>;
};

/// A table of the family on a CPU thread, used by the concepts to check the family's functions.
template <class F>
using HostView = View<typename F::template Layout<Narrow>, HostMachine<Narrow>>;

template <class F>
concept RunsByThread = requires(HostView<F> const& table, typename HostView<F>::Key key,
                                typename HostView<F>::Value value)
{
  {
    F::find(table, key)
    } -> std::same_as<Result<Narrow>>;
  {
    F::insert(table, key, value)
    } -> std::same_as<Result<Narrow>>;
  {
    F::erase(table, key)
    } -> std::same_as<Result<Narrow>>;
};

template <class F>
concept RunsByTile = UsesTiles<F> &&
    requires(HostView<F> const& table, exec::HostLanes<static_cast<int>(F::lane_choices[0])> tile,
             typename HostView<F>::Key key, typename HostView<F>::Value value)
{
  {
    F::find(table, tile, key)
    } -> std::same_as<Result<Narrow>>;
  {
    F::insert(table, tile, key, value)
    } -> std::same_as<Result<Narrow>>;
  {
    F::erase(table, tile, key)
    } -> std::same_as<Result<Narrow>>;
};

template <class F>
concept DescribesSlots = requires(HostView<F> const& table, Slot slot, typename HostView<F>::Word word)
{
  {
    F::describe(table, slot, word)
    } -> std::same_as<Described>;
};

/// A family of hash tables: its description, its layout, its three operations, and the meaning of a slot.
template <class F>
concept TableFamily = DescribesItself<F> && LaysOutTables<F> &&(RunsByThread<F> || RunsByTile<F>)&&DescribesSlots<F>;

/// A family that also has sets.
template <class F>
concept StoresKeysAlone = TableFamily<F> && F::info.keys_alone;

/// A family whose insertions move other keys. Family::insert is called only with keys that are not in the table, and
/// concurrent calls have distinct keys; finds and erases run in other phases. It may have a last argument `bool
/// thorough`: if false, it gives up early when the table is nearly full.
template <class F>
concept InsertsNewKeys = F::inserts_new_keys;

}  // namespace slotscape
