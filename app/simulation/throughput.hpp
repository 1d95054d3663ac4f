#pragma once

#include "app/simulation/action.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

namespace slotscape {

/// Kinds of runs whose speed is plotted.
enum class RunKind : std::uint8_t { insert, find, erase, mix };
inline constexpr int run_kind_count = 4;
inline constexpr std::array<std::string_view, run_kind_count> run_kind_names{"insert", "find", "erase", "mix"};

/// Nothing for a report of a clear, rehash or fill.
std::optional<RunKind> run_kind(ActionReport const& report);

/// Throughput against load factor, growing as runs come in (`Simulation::take_runs`).
class ThroughputCurve {
public:
  static constexpr int bins = 200;           ///< over load factors 0 to 1
  static constexpr int samples_per_bin = 5;  ///< the latest; their median counts
  /// Shorter runs say more of the cost of starting one than of the table.
  static constexpr std::uint64_t least_operations = 256;

  struct Point {
    double load_factor;  ///< middle of its bin
    double mops;
  };

  void add(ActionReport const& run);
  /// The bins that have samples, by rising load factor.
  std::vector<Point> points(RunKind kind) const;
  void clear() { *this = {}; }

private:
  struct Bin {
    std::array<double, samples_per_bin> mops{};
    std::uint64_t samples = 0;  // ever added; the oldest give way
  };
  static double median(Bin const& bin);

  std::array<std::array<Bin, bins>, run_kind_count> curves_{};
};

/// Operations a second over the last second of wall time, by kind. In a mix, a miss counts as a find: its report does
/// not tell which lookups were those of erases.
class RateMeter {
public:
  struct Rates {
    double insert = 0.0;
    double find = 0.0;
    double erase = 0.0;
    double total() const { return insert + find + erase; }
  };

  /// `now`: seconds on any clock that does not go backwards.
  void add(ActionReport const& run, double now);
  Rates rates(double now) const;

private:
  struct Sample {
    double time;
    Rates operations;
  };
  static constexpr double window = 1.0;

  std::deque<Sample> samples_;
};

}  // namespace slotscape
