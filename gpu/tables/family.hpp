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
  erases_apart,  ///< inserts and finds concurrently; erases in a phase of their own
  phased,        ///< inserts, finds and erases in a phase each, in parallel within it
  erases_alone,  ///< the same, but erases one after another
};

/// That of tables where operations may run together, unless insertions combine values: then each kind has its phase, so
/// that no key is erased while its value changes, and every lookup sees what all insertions made of it.
constexpr Concurrency unless_combining(Concurrency otherwise, Combine combine)
{
  return combine == Combine::replace ? otherwise : Concurrency::phased;
}

/// What happens to a key for which there is no place.
enum class OverflowPolicy : std::uint8_t {
  report_full,  ///< the key's outcome is `full`
  rebuild       ///< the table is rebuilt with other hash functions; if that fails, the outcome is `full`
};

/// What a family guarantees for a table with given settings. The engine runs batches accordingly, and tests check it.
struct Guarantees {
  Concurrency concurrency = Concurrency::mixed;
  bool erase_frees_slot = false;    ///< immediately, for any other key
  bool erase_frees_bucket = false;  ///< immediately, but only for keys of the same bucket
  bool ordered = false;             ///< iteration is in ascending key order
  bool is_static = false;           ///< an insertion of new keys rebuilds the table
  double safe_load = 1.0;           ///< up to this load factor, random keys find a place
  double max_load = 1.0;            ///< no table has a higher load factor, which is keys / slots
  OverflowPolicy overflow = OverflowPolicy::report_full;
};

/// Which numbers of slots a family takes; others are refused. Families that store buckets round up within `any`.
enum class SlotCounts : std::uint8_t { any, power_of_two, power_of_two_or_prime };

/// A quantity that a family's statistics count, as displayed. Without a name, the family has no such quantity.
struct Measure {
  std::string_view name;         ///< "Probe length"
  std::string_view unit;         ///< "slots from home"
  std::string_view remark = {};  ///< what to know about its numbers, such as a choice that textbooks make otherwise
};

/// A parameter that settings may set to one of `choices`, by its name in scenarios.
struct Parameter {
  std::string_view name;
  std::string_view title;
  std::string_view help;
  std::uint32_t fallback;
  std::span<std::uint32_t const> choices;
  std::span<std::string_view const> choice_names = {};  ///< for display, if the numbers mean nothing to users
  bool is_by_hand = false;        ///< matters only with the identity hash, whose sums are done by hand: nothing to tune
  bool is_for_textbooks = false;  ///< offers what examples of textbooks need: nothing to tune either
  bool is_tuned = true;           ///< false: no question of speed and memory, or one that the table answers by itself
};

/// Which formulas of `gpu/analysis/theory.hpp` describe a family's tables.
enum class TheoryOf : std::uint8_t {
  nothing,
  linear_probing,
  robin_hood,
  uniform_probing,       ///< as approximated by double hashing
  secondary_clustering,  ///< keys with the same home share their path, as in quadratic probing
  poisson_groups,  ///< `groups` counts the keys of each bucket, including empty ones, in units of `keys_per_group_unit`
  chains,          ///< `groups` counts the nodes of each chain, the measure those before a key; a new node comes first
  cuckoo,          ///< with the parameters `functions` and `bucket`: how many choices of how many slots
  two_choices_of_eight,  ///< cuckoo hashing with 2 choices of 8 slots
  balanced_allocation,   ///< the less full of two buckets; `groups` counts the keys of each
  rounds_of_fights,      ///< sub-tables that each take one of the keys that meet in a slot; the measure is the round
  hopscotch,             ///< no key is further from home than the parameter `neighbourhood` less one
  groups_on_paths,       ///< groups of slots with fingerprints, tried on a path that follows from the first one
  two_yards              ///< a large bucket in front, the less full of two small ones at the back, with fingerprints
};

/// What decides how far a lookup of an absent key goes, in a given table.
enum class MissesBy : std::uint8_t {
  more_than_home,  ///< other hashes of the key, too
  home,            ///< its home slot alone
  home_and_key,    ///< its home slot, and how the key compares with those of the same home
  nothing          ///< each reads all that its key has: as many buckets as there are functions
};

/// How step mode says what the next place of a search is.
enum class NextPlace : std::uint8_t {
  named,        ///< by `StepWords::next` alone
  if_apart,     ///< likewise, unless it is the slot right behind
  further_on,   ///< by how many slots it is further on, and by the sum of the second hash; without one, by `next`
  around_home,  ///< by how many slots it is before or after the key's home
  bucket,       ///< as one of the key's buckets, or as one to which another key may move
  by_order      ///< by how the key just read compares with the one sought, in a search by halves
};

/// What step mode says of a family's searches, besides what they read. Without words, it says what is true of any.
struct StepWords {
  NextPlace next_by = NextPlace::named;
  std::string_view next = {};   ///< ", the next slab of its chain"; {t} is the variable t of the line that comes next
  std::string_view ends = {};   ///< why a search ends in vain: "Its chain ends here"; {} is the key
  std::string_view links = {};  ///< of slot {}, where a list grows: "Slot {} now links to a new slab"
  std::string_view link = {};   ///< of a node whose link is read next: "Its link is next"
  bool begins_by_hash = false;  ///< without `uses_hash`: the first slot is still the value of one hash function
};

/// What a family says about itself.
struct FamilyInfo {
  std::string_view name;    ///< in scenarios
  std::string_view title;   ///< for display
  std::string_view source;  ///< the paper
  std::string_view idea;    ///< in a sentence or two
  Guarantees (*guarantees)(TableSettings const&);
  SlotCounts slot_counts = SlotCounts::any;
  bool deletes_two_ways = false;   ///< `TableSettings::deletion` applies
  bool shifts_back = false;        ///< so does `Deletion::shift` (gpu/tables/shift_back.hpp)
  bool paths_end = false;          ///< a search ends where its path does, even if it has met no empty slot
  bool uses_hash = true;           ///< `TableSettings::hash` applies
  bool key_is_hash = false;        ///< keys are their own hashes: only random keys are spread at random
  bool wide = false;               ///< also supports 64-bit keys and values
  bool keys_alone = false;         ///< also stores keys without values: sets, which erase by `tombstone_reuse`
  bool digs_graves = false;        ///< rebuilds leave tombstones that never were keys (gpu/engine/graves.hpp)
  bool is_host_container = false;  ///< a container of the C++ library, on one thread of the CPU: for comparison
  /// The parameter that says how many nodes there are for each of `TableSettings::slots`, which are heads of chains:
  /// the slots of its memory are the nodes, and it holds more keys than it has heads. Empty: each slot is a place for a
  /// key.
  std::string_view places_by = {};
  std::span<Parameter const> parameters = {};
  Measure measure = {"Probe length", "slots from home"};  ///< of a live key, for `Statistics::probe_length`
  /// Memory accesses of a lookup that finds a key of measure m: first_access + m * accesses_per_measure. A slot, a
  /// bucket, a window or a slab read at once is one access.
  std::uint32_t first_access = 1;
  std::uint32_t accesses_per_measure = 1;
  Measure groups = {};                    ///< for `Statistics::groups`: chain lengths or bucket sizes
  std::uint32_t keys_per_group_unit = 1;  ///< at most: 15 if chains are counted in slabs of 15
  Measure moves = {};                     ///< keys that an insertion moves, for `Statistics::moves`
  bool clusters = false;                  ///< runs of occupied slots are meaningful: a key lies near its home
  TheoryOf theory = TheoryOf::nothing;
  MissesBy misses_by = MissesBy::more_than_home;  ///< the home by `TableSettings::hash`
  std::string_view probes = {};                   ///< from home h on, for who does it by hand: "h, h + 1, h + 2 ..."
  std::string_view rule = {};  ///< how it chooses where papers leave that open, which exercises have to say
  StepWords steps = {};
};

/// Whether a lookup of an absent key ends only at an empty slot, however far that is.
constexpr bool ends_only_at_empty_slots(FamilyInfo const& info)
{
  return info.deletes_two_ways && !info.paths_end;
}

/// Null if the family has no parameter of this name.
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

/// Places for keys per slot of the settings: more than 1 where slots are heads of chains (`FamilyInfo::places_by`).
inline std::uint32_t places_per_slot(FamilyInfo const& info, TableSettings const& settings)
{
  return info.places_by.empty() ? 1 : parameter_of(info, settings, info.places_by);
}
/// Slots of the table's memory, which are its places for keys and, in some families, for links.
inline std::uint64_t places_of(FamilyInfo const& info, TableSettings const& settings)
{
  return settings.slots * places_per_slot(info, settings);
}

/// What a slot holds.
struct Described {
  SlotState state;
  bool has_key;           ///< the slot holds a user's key: live, or erased and kept
  std::uint32_t measure;  ///< by `FamilyInfo::measure`; valid only where `has_key`
};

/// --- The contract of a family.

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

/// What a family knows of a table besides its memory. It is passed to the device by value. Metadata is optional:
/// `metadata()` is the number of 64-bit numbers that the table has besides its slots.
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

/// The number of slots in the settings of a table with this layout: its heads, if these are not its places for keys.
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

/// Operations are run by tiles of lanes: insert(table, tile, key, value) and so on. `lanes(layout)` is the choice of a
/// given table.
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

/// A family of hash tables: its description, its layout, its three operations, and what a slot holds.
template <class F>
concept TableFamily = DescribesItself<F> && LaysOutTables<F> &&(RunsByThread<F> || RunsByTile<F>)&&DescribesSlots<F>;

/// A family of which there are sets.
template <class F>
concept StoresKeysAlone = TableFamily<F> && F::info.keys_alone;

/// A family whose insertions move other keys. Family::insert is called only with keys that are not in the table, and
/// with distinct keys at the same time; finds and erases run in other phases. It may have a last argument `bool
/// thorough`: if false, it does not try hard when the table is nearly full.
template <class F>
concept InsertsNewKeys = F::inserts_new_keys;

}  // namespace slotscape
