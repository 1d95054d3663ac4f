#pragma once

#include "app/base/interrupt.hpp"

#include <chrono>
#include <string>

namespace slotscape {

inline constexpr double usual_seconds = 600.0;  ///< that a repeat of a measurement may take

inline double seconds_since(std::chrono::steady_clock::time_point then)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

/// Tells on stderr how far a measurement is, and how long it will still take; and when Ctrl-C asks it to end.
class BenchProgress {
public:
  /// `work`: of all parts together, in any unit.
  explicit BenchProgress(double work);
  ~BenchProgress();
  BenchProgress(BenchProgress const&) = delete;
  BenchProgress& operator=(BenchProgress const&) = delete;

  /// What begins now; `work` is its share of the whole.
  void begin(std::string what, double work);
  /// How much of that is done: 0 to 1.
  void reach(double share) { share_ = share; }
  /// A part that need not be done.
  void skip(double work) { left_out_ += work; }
  /// To be asked often; false after Ctrl-C.
  bool go_on();
  bool interrupted() { return interrupt_.asked(); }
  /// A message of its own, such as why something is skipped.
  void say(std::string const& text);
  /// What was noticed about the user's data or table.
  void note(std::string const& finding);

private:
  void clear_line();
  void tell();

  Interrupt interrupt_;
  double work_;
  double done_ = 0.0;
  double left_out_ = 0.0;
  double at_work_ = 0.0;
  double share_ = 0.0;  ///< of what is at work
  std::string what_;
  bool rewrites_;
  bool line_is_open_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point told_ = start_;
};

}  // namespace slotscape
