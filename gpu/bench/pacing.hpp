#pragma once

#include "gpu/base/error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace slotscape::bench {

/// "0.2 s", "40 s", "9 min", "3 h".
inline std::string duration_text(double seconds)
{
  auto const whole = [](double number) { return std::to_string(std::llround(number)); };
  if (seconds < 1.95) { return std::to_string(std::max(0.1, std::round(10.0 * seconds) / 10.0)).substr(0, 3) + " s"; }
  if (seconds < 90.0) { return whole(seconds) + " s"; }
  if (seconds < 5400.0) { return whole(seconds / 60.0) + " min"; }
  if (seconds < 48.0 * 3600.0) { return whole(seconds / 3600.0) + " h"; }
  return whole(std::min(seconds / 86400.0, 1e6)) + " days";
}

/// A measurement ended early because it would take too long. The message says which, and how long.
class GivenUp : public Error {
public:
  GivenUp(std::string const& what, double seconds, double whole_seconds, double max_seconds)
      : Error(what + " would take about " + duration_text(whole_seconds) + ", and " + duration_text(max_seconds) +
              " are allowed: given up after " + duration_text(seconds) + "."),
        whole_seconds_(whole_seconds)
  {
  }
  /// The measurement has already exceeded its limit, and its total time is unknown.
  GivenUp(std::string const& what, double seconds, double max_seconds)
      : Error(what + ": given up after " + duration_text(seconds) + ", as " + duration_text(max_seconds) +
              " are allowed."),
        whole_seconds_(seconds)
  {
  }
  double whole_seconds() const { return whole_seconds_; }  ///< estimated time of the whole measurement

private:
  double whole_seconds_;
};

/// The number of operations to run together before checking for cancellation. If the last operations were quick as a
/// whole, the next run unsliced: slices would only slow them down.
class Slices {
public:
  std::uint64_t next(std::uint64_t left) const { return whole_ ? left : std::min(left, size_); }

  void note(std::uint64_t count, double seconds)
  {
    if (seconds < wanted_seconds / 4.0 && count == size_) {
      size_ = std::min(8 * size_, most);
    } else if (seconds > 2.0 * wanted_seconds) {
      double const share = wanted_seconds / seconds;
      size_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(count) * share));
    }
  }
  /// Call when all operations have run, with their total time.
  void end(double seconds) { whole_ = seconds < quick_seconds; }
  void never() { size_ = most; }

private:
  static constexpr std::uint64_t first = 16;  ///< each may read the whole table
  static constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / 16;
  static constexpr double wanted_seconds = 0.1;
  static constexpr double quick_seconds = 1.0;

  std::uint64_t size_ = first;
  bool whole_ = false;
};

/// Predicts the wall-clock time of operations, including those that check them.
class Foresight {
public:
  /// `max_seconds`: 0 for no limit.
  explicit Foresight(double max_seconds) : max_seconds_(max_seconds) {}

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  /// The predicted time of all `count` operations, after `done` of them.
  double whole_seconds(std::uint64_t done, std::uint64_t count) const
  {
    return seconds() * static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(done, 1));
  }
  bool is_too_long(std::uint64_t done, std::uint64_t count) const
  {
    constexpr double soonest = 0.3;  // earlier predictions are unreliable
    return max_seconds_ > 0.0 && done < count && seconds() > std::min(soonest, max_seconds_) &&
           whole_seconds(done, count) > max_seconds_;
  }
  /// Throws GivenUp if the operations would take too long.
  void check(std::string const& what, std::uint64_t done, std::uint64_t count) const
  {
    if (is_too_long(done, count)) { throw GivenUp(what, seconds(), whole_seconds(done, count), max_seconds_); }
  }

private:
  double max_seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Detects that batches take much longer than the first batches.
struct CloggingWatch {
  static constexpr int first_batches = 4;
  static constexpr double much = 10.0;
  static constexpr double long_seconds = 1.0;  ///< for a single batch to count: a shorter one may have been interrupted

  int seen = 0;
  int slow = 0;  ///< batches in a row
  double first_seconds = 0.0;

  bool is_clogged(double seconds)
  {
    if (seen++ < first_batches) {
      first_seconds += seconds / first_batches;
      return false;
    }
    bool const is_slow = seconds > much * first_seconds;
    slow = is_slow ? slow + 1 : 0;
    return slow >= 3 || (is_slow && seconds > long_seconds);
  }
};

}  // namespace slotscape::bench
