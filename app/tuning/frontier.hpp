#pragma once

#include "app/tuning/results.hpp"

#include <optional>
#include <span>
#include <vector>

namespace slotscape::tuning {

/// The cost and the benefit of a candidate.
struct Tradeoff {
  double bytes = 0.0;       ///< bytes per key
  double throughput = 0.0;  ///< operations per second
};

/// The efficient frontier: the indices of points for which no other point is at least as good in both respects and
/// better in one, by ascending bytes and throughput. Of equal points, the first.
std::vector<std::size_t> frontier_of(std::span<Tradeoff const> points);

/// The knee of a frontier: the point with the highest throughput per byte, so that before it, one per cent more memory
/// buys more than one per cent of throughput, and beyond it less. Of equal points, the smaller. nullopt if there are no
/// points.
std::optional<std::size_t> knee_of(std::span<Tradeoff const> points, std::span<std::size_t const> frontier);

/// Whether the table works and is within the workload's memory budget.
bool can_be_chosen(Results const& results, Measured const& measured);

/// The frontier of the measured candidates; if any was measured more than coarsely, only of those. Candidates checked
/// at last, in turn, are more certain than the rest: if there are any, the frontier consists only of them. Candidates
/// that failed to insert keys, were clogged by erased keys, or exceed the workload's budget are not on it.
///
/// Among the candidates that cannot be told apart from the best within their uncertainty, the present setting is taken
/// if it is one of them; else, of those within a tenth of the best, the one with the least memory, and of equally small
/// ones the one in fewest shards: equal measurements then lead to equal choices.
///
/// Without a memory budget, the present setting gives way only to a table that is clearly faster, or that saves enough
/// memory: the share of memory saved is at least `memory_for_speed` times the share of speed lost, and at least
/// `least_saved` bytes are saved.
inline constexpr double memory_for_speed = 2.0;
inline constexpr double least_saved = 0x1p20;
inline constexpr double same_memory = 0.01;  ///< largest negligible difference in bytes per key, as a share

struct Choice {
  std::vector<std::size_t> frontier;  ///< indices into `Results::measured`
  std::optional<std::size_t> knee;
  std::optional<std::size_t> fastest;
  /// The table to take: the fastest within the memory budget if the workload has one, else the knee.
  std::optional<std::size_t> winner;
  /// The table to take among this program's own; the winner, if it is one of them.
  std::optional<std::size_t> own = {};
  /// A better-balanced table that saves too little memory for the speed that it costs; the present setting is kept
  /// instead.
  std::optional<std::size_t> passed_over = {};
  /// The best by the balance of speed and memory, or by speed within the budget, regardless of the present setting.
  std::optional<std::size_t> best() const { return passed_over ? passed_over : winner; }
  /// Others that cannot be told apart from the winner by the deciding measure, the most promising first.
  std::vector<std::size_t> equals = {};
  /// Candidates measured only roughly that would be on the frontier if their rates held.
  std::vector<std::size_t> rough = {};
};
Choice choose(Results const& results);

}  // namespace slotscape::tuning
