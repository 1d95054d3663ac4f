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

/// Load factor and effective load over time: the whole run, sampled ever more sparsely.
class LoadHistory {
public:
  static constexpr std::size_t max_samples = 4096;

  struct Sample {
    double time;  ///< seconds
    double load_factor;
    double effective_load;
  };

  /// `sample.time` must not decrease.
  void add(Sample const& sample);
  void clear() { *this = {}; }
  /// At most `max_samples` in chronological order, evenly spaced if added evenly; always includes the latest.
  std::vector<Sample> const& samples() const { return samples_; }

private:
  std::vector<Sample> samples_;
  std::uint64_t stride_ = 1;      // one in this many samples is kept
  std::uint64_t since_kept_ = 0;  // additions since the last kept one
  bool latest_is_extra_ = false;  // the last sample is provisional and will be replaced
};

/// The measurements that a rate is based on.
struct RateBasis {
  static constexpr std::uint64_t enough_operations = 4096;
  static constexpr double enough_seconds = 4e-3;

  std::uint64_t operations = 0;
  double seconds = 0.0;    ///< seconds spent in the table
  std::uint64_t runs = 0;  ///< number of batches

  /// Whether a rate is only a rough estimate: launch overhead and other load on the machine have too much influence.
  bool rough() const { return operations < enough_operations || seconds < enough_seconds; }
};
/// "12,345 operations in 7 batches, for which the table worked 3.20 ms", with a note if the rate is rough.
std::string text_of(RateBasis const& basis);

/// Kinds of runs whose throughput is plotted.
enum class RunKind : std::uint8_t { insert, find, erase, mix };
inline constexpr int run_kind_count = 4;
inline constexpr std::array<std::string_view, run_kind_count> run_kind_names{"insert", "find", "erase", "mix"};

/// Nullopt if the report is of a clear, rehash or fill.
std::optional<RunKind> run_kind(ActionReport const& report);

/// Throughput of successful operations against load factor, extended as runs arrive (`Simulation::take_runs`).
class ThroughputCurve {
public:
  static constexpr int bins_to_one = 200;     ///< bins for load factors from 0 to 1
  static constexpr int bins_above = 25;       ///< bins for each further unit of load
  static constexpr int samples_per_bin = 31;  ///< the latest; their median is used
  /// Shorter runs measure launch overhead rather than the table.
  static constexpr std::uint64_t min_operations = 256;

  struct Point {
    double load_factor;  ///< middle of its bin
    double mops;         ///< the median of the runs
    double low;          ///< the first quartile; `high` is the third
    double high;
    std::uint64_t runs;
    RateBasis basis;  ///< of the latest runs, which the median is taken from
  };

  /// The throughput of the latest runs near a load factor.
  struct Speed {
    double mops;                   ///< median of the runs
    std::optional<double> spread;  ///< half the interquartile range relative to the median; for three runs or more
    std::size_t runs;
    RateBasis basis;
  };
  static constexpr double near = 0.04;  ///< maximum distance of the load factors that are combined

  void add(ActionReport const& run);
  /// The bins with samples, by increasing load factor.
  std::vector<Point> points(RunKind kind) const;
  /// Nullopt if there were no runs near this load factor.
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
    std::uint64_t samples = 0;  // total number added; new ones replace the oldest
    std::span<Run const> kept() const
    {
      return {runs.data(), static_cast<std::size_t>(std::min<std::uint64_t>(samples, samples_per_bin))};
    }
    void add_to(std::vector<double>& mops, RateBasis& basis) const;
  };

  std::array<std::map<int, Bin>, run_kind_count> curves_;  // only those in use: all would overflow a browser's stack
};

/// A line of text, preceded by a line break, for the point nearest to a load factor: "insert: 812 M/s ± 4 %, ...";
/// empty if none is within reach.
std::string reading_of(std::string_view name, std::vector<ThroughputCurve::Point> const& points, double load_factor,
                       double reach);

/// Operations per second over the last second of wall time, by kind: successful ones, and others separately. In a mix,
/// a miss counts as a find, because the report does not tell which lookups belonged to erases.
class RateMeter {
public:
  struct Rates {
    double insert = 0.0;
    double find = 0.0;
    double erase = 0.0;
    double updated = 0.0;  ///< inserts of keys already stored
    double refused = 0.0;  ///< inserts that did not fit, or of reserved keys
    double absent = 0.0;   ///< erases of absent keys
    double seconds = 0.0;  ///< seconds in the table per second of wall time
    double runs = 0.0;     ///< batches per second
    /// The basis of one of these rates.
    RateBasis basis_of(double rate) const;
    double total() const { return insert + find + erase; }
  };

  /// `now`: seconds from any monotonic clock.
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
