#pragma once

/// exec::tbb: oneTBB or, in programs without it, its substitute.
#if defined(SLOTSCAPE_WITHOUT_TBB)
#include "gpu/execution/own_threads.hpp"

namespace slotscape::exec {
namespace tbb = own_threads;
}
#else
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>

namespace slotscape::exec {
namespace tbb = ::tbb;
}
#endif
