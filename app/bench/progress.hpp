#pragma once

#include "app/base/interrupt.hpp"

#include <chrono>
#include <string>

namespace slotscape {

inline constexpr double usual_seconds = 600.0;  ///< time limit for a repeat of a measurement

inline double seconds_since(std::chrono::steady_clock::time_point then)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

/// Reports the progress of a measurement and its remaining time on stderr, and handles Ctrl-C.
class BenchProgress {
public:
  /// `work`: the total of all parts, in any unit.
  explicit BenchProgress(double work);
  ~BenchProgress();
  BenchProgress(BenchProgress const&) = delete;
  BenchProgress& operator=(BenchProgress const&) = delete;

  /// Begins a part; `work` is its share of the total.
  void begin(std::string what, double work);
  /// Sets how much of the current part is done: 0 to 1.
  void reach(double share) { share_ = share; }
  /// Skips a part that is not needed.
  void skip(double work) { left_out_ += work; }
  /// Call it often; returns false after Ctrl-C.
  bool go_on();
  bool interrupted() { return interrupt_.asked(); }
  /// Prints a message on a line of its own, such as why something is skipped.
  void say(std::string const& text);
  /// Prints a finding about the user's data or table.
  void note(std::string const& finding);

private:
  void clear_line();
  void tell();

  Interrupt interrupt_;
  double work_;
  double done_ = 0.0;
  double left_out_ = 0.0;
  double at_work_ = 0.0;
  double share_ = 0.0;  ///< how much of the current part is done
  std::string what_;
  bool rewrites_;
  bool line_is_open_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point told_ = start_;
};

}  // namespace slotscape
