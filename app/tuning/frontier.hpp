#pragma once

#include "app/tuning/results.hpp"

#include <optional>
#include <span>
#include <vector>

namespace slotscape::tuning {

/// What a candidate costs and what it gives.
struct Tradeoff {
  double bytes = 0.0;       ///< a key
  double throughput = 0.0;  ///< operations a second
};

/// The efficient frontier: the indices of points for which no other is at least as good in both and better in one, by
/// ascending bytes and throughput. Of equal points the first.
std::vector<std::size_t> frontier_of(std::span<Tradeoff const> points);

/// The knee of a frontier: the point with the most throughput a byte, so that before it, one per cent more memory buys
/// more than one per cent of throughput, and beyond it less. Of equal ones the smaller. Nothing for no points.
std::optional<std::size_t> knee_of(std::span<Tradeoff const> points, std::span<std::size_t const> frontier);

/// Whether it did what it should, within the workload's budget of memory.
bool can_be_chosen(Results const& results, Measured const& measured);

/// The same of what was measured; if anything was measured more than coarsely, of that alone. What was checked at last,
/// in turn, is surer than the rest: if anything was, all of them are from that alone. Candidates that
/// failed to insert keys, were clogged by erased ones, or take more than the workload's budget, are not on it.
///
/// Of those that cannot be told apart from the best within their uncertainty, the present setting is taken, if it is
/// one of them; else the one that takes the least memory, of those within a tenth of the best, and of equally small
/// ones the one in fewest shards: so equal measurements come to equal choices.
///
/// Where no budget of memory decides, the present setting gives way only to a table that is clearly faster, or that
/// saves enough memory: `memory_for_speed` times as large a share of it as it costs of speed, and `least_saved` bytes.
inline constexpr double memory_for_speed = 2.0;
inline constexpr double least_saved = 0x1p20;
inline constexpr double same_memory = 0.01;  ///< a difference in bytes a key that does not count, as a share

struct Choice {
  std::vector<std::size_t> frontier;  ///< into `Results::measured`
  std::optional<std::size_t> knee;
  std::optional<std::size_t> fastest;
  /// What to take: the fastest within the memory budget if the workload has one, else the knee.
  std::optional<std::size_t> winner;
  /// Of this program's own tables, what to take; the winner, if it is one of them.
  std::optional<std::size_t> own = {};
  /// What would be taken, if it saved enough memory for the speed that it costs; the present setting is, instead.
  std::optional<std::size_t> passed_over = {};
  /// The best by the balance of speed and memory, or by speed within the budget, whatever is used at present.
  std::optional<std::size_t> best() const { return passed_over ? passed_over : winner; }
  /// Others that cannot be told apart from the winner by what decides, the most promising first.
  std::vector<std::size_t> equals = {};
  /// What was measured only roughly, and would be on the frontier if its rates held.
  std::vector<std::size_t> rough = {};
};
Choice choose(Results const& results);

}  // namespace slotscape::tuning
