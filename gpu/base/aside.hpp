#pragma once

#include "gpu/base/progress.hpp"

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

/// Work in the background, between frames. In the desktop program, it runs on a separate thread. In a web page, it has
/// its own stack and yields to the frames every few milliseconds, when its progress is checked (JavaScript Promise
/// Integration). In a browser without this feature, it runs to its end as soon as it is started.
namespace slotscape::aside {

#if defined(__EMSCRIPTEN__)
inline constexpr bool by_threads = false;
#else
inline constexpr bool by_threads = true;
#endif

/// --- in a page (aside_in_page.cpp)
///
/// Whether work can yield.
bool can_give_way();
/// Runs the work until it first yields, or ends. It must not throw.
void run(std::function<void()> work);
/// Called by the work: yields to the frames if its few milliseconds are over, and returns when the work is resumed.
void give_way_if_due();
/// Called by whoever waits for the work: lets it continue for a while.
void wait_a_moment();

/// A progress that the owner can watch and cancel, and at which work yields.
inline Progress tracked()
{
  if constexpr (by_threads) {
    return Progress::tracked();
  } else {
    return Progress([](Progress const&) {
      give_way_if_due();
      return true;
    });
  }
}

/// Starts the work. The future delivers its result or its exception. Throws std::system_error if the system can start
/// no more threads.
template <class F>
std::future<std::invoke_result_t<F&>> start(F work)
{
  if constexpr (by_threads) {
    return std::async(std::launch::async, std::move(work));
  } else {
    auto const task = std::make_shared<std::packaged_task<std::invoke_result_t<F&>()>>(std::move(work));
    auto result = task->get_future();
    run([task] { (*task)(); });
    return result;
  }
}

/// Waits for the work, up to `seconds`, or without limit. Returns whether it has ended.
template <class T>
bool wait(std::future<T> const& result, std::optional<double> seconds = std::nullopt)
{
  if constexpr (by_threads) {
    if (seconds) { return result.wait_for(std::chrono::duration<double>(*seconds)) == std::future_status::ready; }
    result.wait();
    return true;
  } else {
    auto const has_ended = [&] { return result.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
    while (!seconds && !has_ended()) { wait_a_moment(); }  // with a limit, the frames continue instead
    return has_ended();
  }
}

}  // namespace slotscape::aside
