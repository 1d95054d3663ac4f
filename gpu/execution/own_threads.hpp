#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

/// A substitute for the parts of oneTBB that `Cpu` needs, under the same names, for programs without it: a pass starts
/// its own threads and joins them. That takes some ten microseconds, so short passes run on the calling thread. In
/// WebAssembly without threads, all passes do.
namespace slotscape::exec::own_threads {

#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
#define SLOTSCAPE_ONE_THREAD 1
#endif

template <class T>
class blocked_range {
public:
  blocked_range(T begin, T end, T grain = 1) : begin_(begin), end_(std::max(begin, end)), grain_(grain) {}
  T begin() const { return begin_; }
  T end() const { return end_; }
  T grain() const { return grain_; }

private:
  T begin_;
  T end_;
  T grain_;
};

/// Calls body(worker, part) for the parts of a range; the parts of one worker run one after another. Rethrows an
/// exception of a body once all bodies have ended. If no thread can be started, the calling one does all the work.
template <class T, class Body>
void for_each_part(blocked_range<T> const& range, std::size_t workers, Body const& body)
{
  constexpr T parts_per_worker = 8;  // several, so that all workers end at about the same time
  T const part =
      std::max(range.grain(), (range.end() - range.begin()) / static_cast<T>(workers * parts_per_worker) + 1);
  std::atomic<T> next = range.begin();
  std::mutex mutex;
  std::exception_ptr failure;
  auto const work = [&](std::size_t worker) {
    try {
      for (T at; (at = next.fetch_add(part)) < range.end();) {
        body(worker, blocked_range<T>(at, std::min(range.end(), at + part), range.grain()));
      }
    } catch (...) {
      std::lock_guard const lock(mutex);
      failure = std::current_exception();
      next = range.end();
    }
  };
  {
#if !defined(SLOTSCAPE_ONE_THREAD)
    std::vector<std::jthread> threads;
    threads.reserve(workers - 1);
    try {
      for (std::size_t worker = 1; worker < workers; ++worker) { threads.emplace_back(work, worker); }
    } catch (std::system_error const&) {  // the system starts no more threads: the existing ones do all the work
    }
#endif
    work(0);
  }
  if (failure) { std::rethrow_exception(failure); }
}

/// During its lifetime, no pass uses more threads than its limit.
class global_control {
public:
  enum parameter { max_allowed_parallelism };

  global_control(parameter, std::size_t allowed) : before_(allowed_now().exchange(std::max<std::size_t>(1, allowed))) {}
  ~global_control() { allowed_now() = before_; }
  global_control(global_control const&) = delete;
  global_control& operator=(global_control const&) = delete;
  static std::size_t active_value(parameter) { return allowed_now(); }

private:
  static std::atomic<std::size_t>& allowed_now()
  {
#if defined(SLOTSCAPE_ONE_THREAD)
    static std::atomic<std::size_t> allowed = 1;
#else
    static std::atomic<std::size_t> allowed = std::max(1u, std::thread::hardware_concurrency());
#endif
    return allowed;
  }
  std::size_t before_;
};

/// The number of threads that have enough to do.
template <class T>
std::size_t workers_for(blocked_range<T> const& range)
{
  constexpr T grains_per_worker = 16;
  T const wanted = (range.end() - range.begin()) / (range.grain() * grains_per_worker) + 1;
  auto const allowed = static_cast<T>(global_control::active_value(global_control::max_allowed_parallelism));
  return static_cast<std::size_t>(std::min<T>(wanted, allowed));
}

template <class T, class Body>
void parallel_for(blocked_range<T> const& range, Body const& body)
{
  for_each_part(range, workers_for(range), [&](std::size_t, blocked_range<T> const& part) { body(part); });
}
template <class T, class Body>
void parallel_for(T first, std::type_identity_t<T> last, Body const& body)
{
  parallel_for(blocked_range<T>(first, last), [&](blocked_range<T> const& part) {
    for (T i = part.begin(); i != part.end(); ++i) { body(i); }
  });
}

template <class T, class Result, class Body, class Join>
Result parallel_reduce(blocked_range<T> const& range, Result const& identity, Body const& body, Join const& join)
{
  std::vector<Result> results(workers_for(range), identity);
  for_each_part(range, results.size(), [&](std::size_t worker, blocked_range<T> const& part) {
    results[worker] = body(part, std::move(results[worker]));
  });
  Result whole = identity;
  for (Result const& result : results) { whole = join(std::move(whole), result); }
  return whole;
}

template <class Iterator>
void parallel_sort(Iterator first, Iterator last)
{
  std::sort(first, last);
}
template <class Items>
void parallel_sort(Items& items)
{
  std::sort(items.begin(), items.end());
}
template <class Items, class Less>
void parallel_sort(Items& items, Less const& less)
{
  std::sort(items.begin(), items.end(), less);
}

/// One value for each thread that asks for it.
template <class T>
class enumerable_thread_specific {
public:
  explicit enumerable_thread_specific(std::function<T()> make) : make_(std::move(make)) {}
  T& local()
  {
    std::lock_guard const lock(mutex_);
    auto const mine = values_.find(std::this_thread::get_id());
    return mine != values_.end() ? mine->second : values_.emplace(std::this_thread::get_id(), make_()).first->second;
  }
  auto begin() { return Iterator{values_.begin()}; }
  auto end() { return Iterator{values_.end()}; }

private:
  using Values = std::map<std::thread::id, T>;
  struct Iterator {
    typename Values::iterator at;
    T& operator*() const { return at->second; }
    Iterator& operator++()
    {
      ++at;
      return *this;
    }
    friend bool operator==(Iterator const&, Iterator const&) = default;
  };

  std::function<T()> make_;
  std::mutex mutex_;
  Values values_;
};

}  // namespace slotscape::exec::own_threads
