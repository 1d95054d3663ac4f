#pragma once

#include <tbb/global_control.h>

#include <ctime>

namespace slotscape::test {

/// While it lives, all work of the tables is done on the calling thread, whose CPU time says how long it takes: other
/// programs on a busy machine slow the clock on the wall, and not this one.
class OneThread {
public:
  /// CPU time of this thread.
  static double seconds()
  {
    std::timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

private:
  tbb::global_control limit_{tbb::global_control::max_allowed_parallelism, 1};
};

}  // namespace slotscape::test
