#pragma once

#include <cstdint>

#if !defined(SLOTSCAPE_WITHOUT_TBB)
#include <future>
#include <vector>
#endif

namespace slotscape::exec {

/// Calls run(i) for 0 <= i < count: one after another, or each in its own thread if the process may have threads. An
/// exception is rethrown here once all calls have ended.
template <class Run>
void run_each(std::uint32_t count, [[maybe_unused]] bool at_once, Run const& run)
{
#if !defined(SLOTSCAPE_WITHOUT_TBB)
  if (at_once && count > 1) {
    std::vector<std::future<void>> others;
    others.reserve(count);
    for (std::uint32_t i = 1; i < count; ++i) {
      others.push_back(std::async(std::launch::async, [&run, i] { run(i); }));
    }
    run(0u);
    for (std::future<void>& other : others) { other.get(); }
    return;
  }
#endif
  for (std::uint32_t i = 0; i < count; ++i) { run(i); }
}

}  // namespace slotscape::exec
