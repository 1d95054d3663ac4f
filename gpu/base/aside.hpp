#pragma once

#include "gpu/base/progress.hpp"

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

/// Work beside the frames. On a computer it runs on a thread of its own. In a page it has a stack of its own: it gives
/// way to the frames after a few milliseconds, where its progress is asked (JavaScript Promise Integration). In a
/// browser without that, it runs to its end where it is started.
namespace slotscape::aside {

#if defined(__EMSCRIPTEN__)
inline constexpr bool by_threads = false;
#else
inline constexpr bool by_threads = true;
#endif

/// --- in a page (aside_in_page.cpp)
/// Whether work can give way.
bool can_give_way();
/// Runs the work until it gives way for the first time, or ends. It must not throw.
void run(std::function<void()> work);
/// For the work itself: goes back to the frames, if its few milliseconds are over, and returns when it goes on.
void give_way_if_due();
/// For who waits for the work: lets it go on for a while.
void wait_a_moment();

/// A progress that the owner looks at and cancels, and at which work gives way.
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

/// Begins the work. Its result, or what it throws, comes with the future. Throws std::system_error if the system can
/// start no more threads.
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

/// Waits for the work, up to so many seconds; nothing: until it has ended. Returns whether it has.
template <class T>
bool wait(std::future<T> const& result, std::optional<double> seconds = std::nullopt)
{
  if constexpr (by_threads) {
    if (seconds) { return result.wait_for(std::chrono::duration<double>(*seconds)) == std::future_status::ready; }
    result.wait();
    return true;
  } else {
    auto const has_ended = [&] { return result.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
    while (!seconds && !has_ended()) { wait_a_moment(); }  // otherwise frames go on meanwhile
    return has_ended();
  }
}

}  // namespace slotscape::aside
