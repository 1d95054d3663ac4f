#pragma once

#include "gpu/tables/words.hpp"
#include "gpu/workloads/settings.hpp"

#include <span>

namespace slotscape {

/// Which operations of one batch may run at once.
enum class Together : std::uint8_t {
  everything,    ///< inserts, finds and erases, with no order among them
  erases_apart,  ///< inserts and finds at once; erases in a phase of their own
  nothing,       ///< inserts, finds and erases take turns, each kind in parallel with itself
};

/// What happens to a key that finds no place.
enum class Beyond : std::uint8_t {
  table_full,            ///< the key is answered `full`
  rebuild_or_table_full  ///< the table is rebuilt with other hash functions; only if that fails, `full`
};

/// What a family promises of a table with given settings; the engine runs batches by it, and tests hold it to it.
struct Guarantees {
  Together together = Together::everything;
  bool erase_frees_slot = false;    ///< at once, for any other key
  bool erase_frees_bucket = false;  ///< at once, for keys of the same bucket only
  bool ordered = false;             ///< iteration goes by rising key
  bool is_static = false;           ///< an insertion of new keys rebuilds the table
  double safe_load = 1.0;           ///< up to this load factor random keys find a place
  Beyond beyond = Beyond::table_full;
};

/// Which numbers of slots a family takes; others are refused. Families that store buckets round up within `any`.
enum class SlotCounts : std::uint8_t { any, power_of_two, power_of_two_or_prime };

/// A quantity that a family's statistics count, in words for people. No name: the family has no such quantity.
struct Measure {
  std::string_view name;  ///< "Displacement"
  std::string_view unit;  ///< "slots from home"
};

/// A number that settings of the family may set, one of `choices`, by its name in scenarios.
struct Parameter {
  std::string_view name;
  std::string_view title;
  std::string_view help;
  std::uint32_t fallback;
  std::span<std::uint32_t const> choices;
  std::span<std::string_view const> choice_names = {};  ///< for people, where the numbers say nothing
};

/// Which formulas of `gpu/analysis/theory.hpp` describe a family's tables.
enum class TheoryOf : std::uint8_t {
  nothing,
  linear_probing,
  robin_hood,
  uniform_probing,       ///< as double hashing does
  secondary_clustering,  ///< keys of one home share their path, as in quadratic probing
  poisson_groups,        ///< `groups` counts the keys of each bucket, empty ones too; a key's bucket is its hash
  cuckoo,                ///< the parameters `hashes` and `bucket` say how many choices of how many slots
  hopscotch              ///< no key is further from home than the parameter `neighbourhood` less one
};

/// What a family says of itself.
struct FamilyInfo {
  std::string_view name;    ///< in scenarios
  std::string_view title;   ///< for people
  std::string_view source;  ///< the paper
  std::string_view idea;    ///< in a sentence or two
  Guarantees (*guarantees)(TableSettings const&);
  SlotCounts slot_counts = SlotCounts::any;
  bool deletes_two_ways = false;  ///< `TableSettings::deletion` counts
  bool uses_hash = true;          ///< `TableSettings::hash` counts
  bool wide = false;              ///< 64-bit keys and values, too
  std::span<Parameter const> parameters = {};
  Measure measure = {"Displacement", "slots from home"};  ///< of a live key: what `Statistics::probe_length` counts
  /// Memory accesses of a lookup that finds a key of measure m: first_access + m * accesses_per_measure. A slot, a
  /// bucket, a window or a slab read at once is one access.
  std::uint32_t first_access = 1;
  std::uint32_t accesses_per_measure = 1;
  Measure groups = {};    ///< what `Statistics::groups` counts: chain lengths, bucket sizes
  Measure moves = {};     ///< keys that an insertion moves: what `Statistics::moves` counts
  bool clusters = false;  ///< runs of taken slots say something: a key lies near its home
  TheoryOf theory = TheoryOf::nothing;
};

/// The settings' value of a parameter, or its fallback.
std::uint32_t parameter_of(FamilyInfo const& info, TableSettings const& settings, std::string_view name);

/// What one operation did, and where.
template <class Bits>
struct Result {
  Outcome outcome;
  Slot slot;                   ///< `no_slot` where no slot was found
  typename Bits::Value value;  ///< of the key, where it was found; as it was before, where it was erased
  std::uint32_t moves = 0;     ///< keys that an insertion moved
};

/// A slot by what is in it.
struct Described {
  SlotState state;
  bool has_key;           ///< the slot holds a user's key: live, or erased and kept
  std::uint32_t measure;  ///< by `FamilyInfo::measure`; stands only where `has_key`
};

/// A table as one thread of `Machine` sees it: how it touches memory, and all else there is to know of the table.
template <class Layout, class Machine>
struct View {
  using Bits = typename Machine::Bits;
  using Key = typename Bits::Key;
  using Value = typename Bits::Value;
  using Word = typename Bits::Word;
  using Result = slotscape::Result<Bits>;

  Machine machine;
  Layout layout;
};

}  // namespace slotscape
