#pragma once

#include "app/simulation/action.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Load factor and effective load over time: the whole run, sampled more sparsely as time goes on.
class LoadHistory {
public:
  static constexpr std::size_t max_samples = 4096;

  struct Sample {
    double time;  ///< seconds
    double load_factor;
    double effective_load;
  };

  /// `sample.time` must not go backwards.
  void add(Sample const& sample);
  void clear() { *this = {}; }
  /// At most `max_samples` in order of time, evenly spaced if they were added evenly; always includes the latest.
  std::vector<Sample> const& samples() const { return samples_; }

private:
  std::vector<Sample> samples_;
  std::uint64_t stride_ = 1;      // one of so many additions is kept
  std::uint64_t since_kept_ = 0;  // additions since the last one kept
  bool latest_is_extra_ = false;  // the last sample is provisional: its successor replaces it
};

/// What a rate rests on.
struct RateBasis {
  static constexpr std::uint64_t enough_operations = 4096;
  static constexpr double enough_seconds = 4e-3;

  std::uint64_t operations = 0;
  double seconds = 0.0;    ///< that the table worked for it
  std::uint64_t runs = 0;  ///< of batches

  /// Whether a rate is no more than a hint: what starts a batch, and what else the machine does, weigh too much.
  bool rough() const { return operations < enough_operations || seconds < enough_seconds; }
};
/// "12,345 operations in 7 batches, for which the table worked 3.20 ms", and that it is rough if it is.
std::string text_of(RateBasis const& basis);

/// Kinds of runs whose throughput is plotted.
enum class RunKind : std::uint8_t { insert, find, erase, mix };
inline constexpr int run_kind_count = 4;
inline constexpr std::array<std::string_view, run_kind_count> run_kind_names{"insert", "find", "erase", "mix"};

/// Nullopt for a report of a clear, rehash or fill.
std::optional<RunKind> run_kind(ActionReport const& report);

/// Throughput of what succeeded against load factor, growing as runs come in (`Simulation::take_runs`).
class ThroughputCurve {
public:
  static constexpr int bins_to_one = 200;     ///< over load factors 0 to 1
  static constexpr int bins_above = 25;       ///< over each 1 above that
  static constexpr int samples_per_bin = 31;  ///< the latest; their median counts
  /// Shorter runs measure the cost of launching one rather than the table.
  static constexpr std::uint64_t min_operations = 256;

  struct Point {
    double load_factor;  ///< middle of its bin
    double mops;         ///< the median of the runs
    double low;          ///< their first and third quartile
    double high;
    std::uint64_t runs;
    RateBasis basis;  ///< of the latest runs, whose median it is
  };

  /// Of the latest runs near a load factor.
  struct Speed {
    double mops;                   ///< their median
    std::optional<double> spread;  ///< half the width of their middle half, as a share of it; of three runs or more
    std::size_t runs;
    RateBasis basis;
  };
  static constexpr double near = 0.04;  ///< in load factors, up and down

  void add(ActionReport const& run);
  /// The bins that have samples, by rising load factor.
  std::vector<Point> points(RunKind kind) const;
  /// Nullopt if there were no runs near it.
  std::optional<Speed> speed_at(double load_factor, RunKind kind) const;
  void clear() { *this = {}; }

private:
  struct Bin {
    struct Run {
      double mops = 0.0;
      double seconds = 0.0;
      std::uint64_t operations = 0;
    };
    std::array<Run, samples_per_bin> runs{};
    std::uint64_t samples = 0;  // ever added; new ones replace the oldest
    std::span<Run const> kept() const
    {
      return {runs.data(), static_cast<std::size_t>(std::min<std::uint64_t>(samples, samples_per_bin))};
    }
    void add_to(std::vector<double>& mops, RateBasis& basis) const;
  };

  std::array<std::map<int, Bin>, run_kind_count> curves_;  // those with samples: all would overflow a page's stack
};

/// A line of text, after a line break, for the point that is nearest to a load factor: "insert: 812 M/s ± 4 %, ...";
/// empty if none is within reach.
std::string reading_of(std::string_view name, std::vector<ThroughputCurve::Point> const& points, double load_factor,
                       double reach);

/// Operations per second over the last second of wall time, by kind: those that succeeded, and beside them what did
/// not. In a mix, a miss counts as a find: the report does not tell which lookups belonged to erases.
class RateMeter {
public:
  struct Rates {
    double insert = 0.0;
    double find = 0.0;
    double erase = 0.0;
    double updated = 0.0;  ///< inserts of keys that were there
    double refused = 0.0;  ///< inserts that found no place, and of reserved keys
    double absent = 0.0;   ///< erases of keys that were not there
    double seconds = 0.0;  ///< that the table worked in each second
    double runs = 0.0;     ///< of batches
    /// What one of these rates rests on.
    RateBasis basis_of(double rate) const;
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
