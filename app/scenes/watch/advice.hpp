#pragma once

#include "app/simulation/theory_fit.hpp"
#include "gpu/watch/watched_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// Keys that lookups do not find where they are stored, with an example of each kind.
struct LostFacts {
  watch::LostKeys keys;
  SlotInfo unreachable = {};
  SlotInfo twice = {};
  std::string unreachable_key;  ///< as displayed; empty if there is none
  std::string twice_key;
  std::vector<Slot> slots;    ///< up to a thousand slots from all parts of the table
  std::string repeated_key;   ///< held by at least half of many such slots: it may mark erased slots
  std::uint64_t repeats = 0;  ///< number of these slots; if no keys are lost, of the sampled slots

  /// What these slots reveal about the cause.
  std::uint64_t copies = 0;
  std::uint64_t copies_behind = 0;             ///< copies that lookups would find if they went on
  std::uint64_t behind_own_key = 0;            ///< unreachable keys behind a tombstone of the same key
  std::optional<std::uint64_t> distance = {};  ///< median distance of the other keys from home, under linear probing
  std::uint64_t distances = 0;                 ///< number of distances that the median is taken from
  bool lie_before = false;                     ///< most of them lie before their home slots

  std::uint64_t count() const { return keys.count(); }
  /// Whether all inspected slots hold the same key: it marks slots, and no key is lost.
  bool are_marks() const { return repeats != 0 && repeats == slots.size(); }
};
LostFacts lost_facts(watch::WatchedTable& table, watch::Check const& check);

/// The known facts about a watched table.
struct WatchedFacts {
  watch::Description const& description;  ///< as shown: without homes if they proved wrong
  watch::Check const& check;
  Statistics const& statistics;
  TheoryFit const& theory;
  watch::WatchedTable::KeyFacts const& keys;
  LostFacts const& lost;
  bool changes = false;  ///< its program may have written while the table was read
};

/// The cause of keys that are not found: a bug in the table, or a wrong description.
enum class Fault : std::uint8_t { table, description, unknown };
Fault fault_of(WatchedFacts const& facts);
/// Reports lost keys in sentences; empty if there are none. Lost keys and copies come first.
std::vector<std::string> lost_keys_text(WatchedFacts const& facts);
/// Diagnoses a table in sentences, the most important one first: lost keys before everything else; what is unknown, and
/// why, last. All numbers are counted, or follow from the formulas in gpu/analysis/theory.
std::vector<std::string> advice_on(WatchedFacts const& facts);

/// Reports that a file has no description, and how to provide one.
std::string why_unknown(std::string const& files, std::string const& error);

/// The length in accesses at which insertions seem to give up, which is that of the longest successful lookups. Without
/// such a limit, the number of keys falls with each further access, down to one.
std::optional<std::size_t> early_end(watch::Description const& table, Statistics const& statistics);

/// A one-sentence summary: "α 0.83, 2.1 accesses a hit, 4.1 a miss".
std::string summary_of(Statistics const& statistics);

}  // namespace slotscape
