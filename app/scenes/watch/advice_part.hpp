#pragma once

#include "app/scenes/watch/advice.hpp"

#include <initializer_list>
#include <string>

/// The parts of the advice on a table. A part without findings is empty.
namespace slotscape {

inline constexpr std::uint64_t few_keys = 256;  ///< with fewer keys, homes are not compared with random ones

inline bool probes_for_empty_slots(watch::Description const& table)
{
  return table.is_plain() && watch::keeps_keys_in_place(table.probing.scheme);
}

/// Joins sentences, skipping empty ones.
inline std::string one_text(std::initializer_list<std::string> sentences)
{
  std::string text;
  for (std::string const& sentence : sentences) {
    if (!text.empty() && !sentence.empty()) { text += ' '; }
    text += sentence;
  }
  return text;
}

// --- lookups and homes: advice_on_lookups.cpp
/// The findings on the hash, and whether it is to blame.
struct OnHash {
  std::string text = {};
  bool is_cause = false;
};
OnHash on_hash(WatchedFacts const& facts);
std::string on_tombstones(WatchedFacts const& facts);
std::string on_room(WatchedFacts const& facts);
std::string on_given_homes(WatchedFacts const& facts);
std::string on_nothing(WatchedFacts const& facts);
bool sample_says_nothing(WatchedFacts const& facts);

// --- distribution of keys: advice_on_places.cpp
std::string on_homes_in_use(WatchedFacts const& facts);
std::string on_runs(WatchedFacts const& facts);
std::string on_longest(WatchedFacts const& facts);
std::string on_early_end(WatchedFacts const& facts);
std::string on_long_chains(WatchedFacts const& facts);
std::string on_cut_chains(WatchedFacts const& facts);
std::string on_slabs_beside(WatchedFacts const& facts);

// --- keys that lookups do not find: advice_on_lost_keys.cpp
std::string on_repeated(WatchedFacts const& facts);
std::string on_not_followed(WatchedFacts const& facts);

}  // namespace slotscape
