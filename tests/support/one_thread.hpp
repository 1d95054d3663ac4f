#pragma once

#include <tbb/global_control.h>

#include <ctime>

namespace slotscape::test {

/// While it lives, whatever work of the tables is done by a thread stays on it, and its CPU time says how long that
/// takes: other programs on a busy machine slow the clock on the wall, and not this one.
class OneThread {
public:
  /// CPU time of this thread.
  static double seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
  /// CPU time of all threads of this program.
  static double seconds_of_all() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

private:
  static double seconds_of(clockid_t clock)
  {
    std::timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  tbb::global_control limit_{tbb::global_control::max_allowed_parallelism, 1};
};

}  // namespace slotscape::test
