#pragma once

#include "app/scenes/watch/state.hpp"
#include "gpu/watch/watched_table.hpp"

#include <cstdint>

namespace slotscape {

/// Counts what is known of a watched table's keys, and judges the table by that. It is said in the state.
class WatchNumbers {
public:
  /// `state` outlives it.
  explicit WatchNumbers(WatchState& state) : state_(state) {}

  /// The table is another one, or is seen by another description.
  void restart();
  void note(watch::WatchedTable& table, watch::WatchedTable::KeyFacts facts);
  /// Of the statistics that have just been made; not of all keys in every frame.
  void count(watch::WatchedTable& table);
  /// Whether not all of many keys have been counted yet.
  bool counts_on() const { return counts_on_; }
  /// follows: the table may be another one in the next frame.
  void judge(watch::WatchedTable& table, bool follows);
  watch::WatchedTable::KeyFacts const& facts() const { return facts_; }

private:
  void show_homes(watch::WatchedTable const& table);

  WatchState& state_;
  watch::WatchedTable::KeyFacts facts_;
  double counted_homes_at_ = -1e9;
  bool counts_on_ = false;
  std::uint64_t counted_live_ = ~std::uint64_t{0};
  double sampled_at_ = -1e9;
};

}  // namespace slotscape
