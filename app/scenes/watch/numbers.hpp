#pragma once

#include "app/scenes/watch/state.hpp"
#include "gpu/watch/watched_table.hpp"

#include <cstdint>

namespace slotscape {

/// Counts facts about a watched table's keys and diagnoses the table from them. The results are in the state.
class WatchNumbers {
public:
  /// `state` must outlive this.
  explicit WatchNumbers(WatchState& state) : state_(state) {}

  /// To be called for a new table, or a new description.
  void restart();
  void note(watch::WatchedTable& table, watch::WatchedTable::KeyFacts facts);
  /// Counts for the latest statistics, but not all keys in every frame.
  void count(watch::WatchedTable& table);
  /// Whether counting many keys has not finished.
  bool counts_on() const { return counts_on_; }
  /// `follows`: whether the table may change before the next frame.
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
