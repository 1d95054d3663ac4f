#pragma once

#include "app/simulation/theory_fit.hpp"
#include "gpu/watch/watched_table.hpp"

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
  std::vector<Slot> slots;    ///< the first thousand
  std::string repeated_key;   ///< which at least half of these hold, if they are many: it may mark erased slots
  std::uint64_t repeats = 0;  ///< how many of them

  std::uint64_t count() const { return keys.count(); }
};
LostFacts lost_facts(watch::WatchedTable& table);

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
/// That keys are lost, in sentences; none if none are.
std::vector<std::string> lost_keys_text(WatchedFacts const& facts);
/// What is wrong with a table, in sentences, the most important one first: lost keys before all else; what cannot be
/// said, and why, last. All numbers are counted, or follow from formulas of gpu/analysis/theory.
std::vector<std::string> advice_on(WatchedFacts const& facts);

/// That a file has no description, and what can be done.
std::string why_unknown(std::string const& files, std::string const& error);

/// How the table stands, in a sentence: "α 0.83, 2.1 accesses a hit, 4.1 a miss".
std::string summary_of(Statistics const& statistics);

}  // namespace slotscape
