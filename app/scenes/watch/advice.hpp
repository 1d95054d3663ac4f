#pragma once

#include "app/simulation/theory_fit.hpp"
#include "gpu/watch/watched_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// Keys that no lookup finds where they are, with an example of each kind.
struct LostFacts {
  watch::LostKeys keys;
  SlotInfo unreachable = {};
  SlotInfo twice = {};
  std::string unreachable_key;  ///< for people; empty if there is none
  std::string twice_key;
  std::vector<Slot> slots;    ///< up to a thousand, from all parts of the table
  std::string repeated_key;   ///< which at least half of these hold, if they are many: it may mark erased slots
  std::uint64_t repeats = 0;  ///< how many of them; if none are lost, of the slots that were sampled

  /// What these slots tell of the cause.
  std::uint64_t copies = 0;
  std::uint64_t copies_behind = 0;             ///< that lookups would find if they went on
  std::uint64_t behind_own_key = 0;            ///< unreachable ones, behind a tombstone that has kept the same key
  std::optional<std::uint64_t> distance = {};  ///< the median, from home, of the others under linear probing
  std::uint64_t distances = 0;                 ///< of so many
  bool lie_before = false;                     ///< most of these lie before their homes

  std::uint64_t count() const { return keys.count(); }
  /// Whether all that were looked at hold one key: it marks slots, and no key is lost.
  bool are_marks() const { return repeats != 0 && repeats == slots.size(); }
};
LostFacts lost_facts(watch::WatchedTable& table, watch::Check const& check);

/// What is known of a watched table.
struct WatchedFacts {
  watch::Description const& description;  ///< as it is shown: without homes, if they turned out to be wrong
  watch::Check const& check;
  Statistics const& statistics;
  TheoryFit const& theory;
  watch::WatchedTable::KeyFacts const& keys;
  LostFacts const& lost;
  bool changes = false;  ///< its program may have written while it was read
};

/// Whose fault it is that keys are not found.
enum class Fault : std::uint8_t { table, description, unknown };
Fault fault_of(WatchedFacts const& facts);
/// That keys are lost, in sentences; none if none are. Sentences of lost keys and of copies come first.
std::vector<std::string> lost_keys_text(WatchedFacts const& facts);
/// What is wrong with a table, in sentences, the most important one first: lost keys before all else; what cannot be
/// said, and why, last. All numbers are counted, or follow from formulas of gpu/analysis/theory.
std::vector<std::string> advice_on(WatchedFacts const& facts);

/// That a file has no description, and what can be done.
std::string why_unknown(std::string const& files, std::string const& error);

/// The accesses of the longest lookups of keys, where insertions seem to give up after so many: where they go on, each
/// further access takes fewer keys, down to one.
std::optional<std::size_t> early_end(watch::Description const& table, Statistics const& statistics);

/// How the table stands, in a sentence: "α 0.83, 2.1 accesses a hit, 4.1 a miss".
std::string summary_of(Statistics const& statistics);

}  // namespace slotscape
