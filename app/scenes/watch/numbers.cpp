#include "app/scenes/watch/numbers.hpp"

#include "app/scenes/watch/advice.hpp"

namespace slotscape {

void WatchNumbers::restart()
{
  counted_live_ = ~std::uint64_t{0};
  counts_on_ = false;
  facts_ = {};
  state_.lost = {};
}

void WatchNumbers::note(watch::WatchedTable& table, watch::WatchedTable::KeyFacts facts)
{
  facts_ = facts;
  show_homes(table);
  counted_live_ = table.counts().live;
  counted_homes_at_ = state_.table.now;
}

void WatchNumbers::count(watch::WatchedTable& table)
{
  constexpr double sample_seconds = 0.1;  // between samples of the history
  TableState const& shown = state_.table;
  Statistics const& now = shown.statistics;
  if (!state_.paused && shown.now - sampled_at_ >= sample_seconds) {
    sampled_at_ = shown.now;
    state_.history.add(shown.now, now);
  }
  // Counts only from time to time, and spreads many keys over several frames.
  constexpr double rest = 5.0;
  constexpr double at_once = 0.010;
  bool const is_due =
      now.live != counted_live_ && shown.now - counted_homes_at_ >= (counted_live_ + 1 == 0 ? 0.0 : rest);
  if (!is_due) { return; }
  auto facts = table.key_facts(at_once);
  counts_on_ = !facts;
  if (facts) { note(table, *facts); }
}

/// If insertions give up early, the homes of the remaining keys do not reflect the hash.
void WatchNumbers::show_homes(watch::WatchedTable const& table)
{
  bool const is_cut = early_end(table.description(), state_.table.statistics).has_value();
  state_.table.run.homes = is_cut ? std::nullopt : facts_.homes;
}

void WatchNumbers::judge(watch::WatchedTable& table, bool follows)
{
  show_homes(table);
  TheoryFit const fit = theory_fit(state_.table);
  bool const is_new = table.lost_keys() != state_.lost.keys || (state_.check.repeats != 0 && state_.lost.repeats == 0);
  if (follows || is_new) { state_.lost = lost_facts(table, state_.check); }
  WatchedFacts const facts{table.description(), state_.check, state_.table.statistics, fit, facts_,
                           state_.lost,         follows};
  state_.warnings = lost_keys_text(facts);
  state_.advice = advice_on(facts);
}

}  // namespace slotscape
