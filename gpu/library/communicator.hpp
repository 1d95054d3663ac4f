#pragma once

#include "gpu/base/error.hpp"
#include "gpu/execution/executor.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/// How the ranks of a distributed table send data to each other. A rank is one of several threads, or processes, that
/// make the same calls together, each with its own shard.
namespace slotscape {

/// A range of an array that goes to one rank, or comes from one.
struct Share {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// An array to be sent to all ranks, and the place where their data arrives. Both are in memory of the rank's device.
struct Delivery {
  std::byte const* from = nullptr;
  std::byte* to = nullptr;
  std::uint32_t item_bytes = 1;
  std::vector<Share> outgoing;  ///< parts of `from`, for each rank; empty for the sender itself
  std::vector<Share> incoming;  ///< parts of `to`, for each rank, of the size that it sends
};

/// A rank's connection to the others. All ranks make these calls together, in the same order. If a rank does not arrive
/// before the communicator's timeout, has left, or has aborted, the others get an Error, and so does every later call.
template <class C, class Exec>
concept Communicator = exec::Executor<Exec> &&
    requires(C communicator, Exec exec, std::span<std::uint64_t const> outgoing, std::span<std::uint64_t> incoming,
             std::span<Delivery const> deliveries, std::uint64_t ticket, std::string reason)
{
  {
    communicator.rank()
    } -> std::same_as<std::uint32_t>;
  {
    communicator.size()
    } -> std::same_as<std::uint32_t>;
  /// Exchanges numbers in host memory, equally many with each rank, rank by rank. Waits for them.
  communicator.exchange_numbers(outgoing, incoming);
  /// Begins to deliver the results of work submitted to `exec`. Returns a ticket for `wait`.
  {
    communicator.start(exec, deliveries)
    } -> std::same_as<std::uint64_t>;
  /// Waits until this rank's data has arrived, for this ticket and all earlier ones.
  communicator.wait(ticket);
  /// Waits until everything has been sent: the arrays may then be changed or freed.
  communicator.finish();
  /// Tells the others, if possible, that this rank does not continue, and why. Never throws.
  communicator.abort(reason);
  /// Seconds that deliveries have taken so far, including the waiting for other ranks.
  {
    communicator.seconds()
    } -> std::same_as<double>;
};

namespace library {

/// The ranks for which `is_meant` is true, in words: "1 and 4".
inline std::string ranks_in_words(std::vector<bool> const& is_meant)
{
  std::vector<std::string> names;
  for (std::size_t rank = 0; rank < is_meant.size(); ++rank) {
    if (is_meant[rank]) { names.push_back(std::to_string(rank)); }
  }
  std::string text = names.size() == 1 ? "Rank " : "Ranks ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}
/// "2.5 s".
inline std::string in_words(std::chrono::duration<double> time)
{
  std::string text = std::to_string(time.count());
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') { text.pop_back(); }
  return text + " s";
}
inline void require_timeout(std::chrono::duration<double> timeout)
{
  if (timeout.count() > 0.0) { return; }
  throw Error("A timeout of " + in_words(timeout) + " leaves no time to wait for other ranks: choose one above 0.");
}

/// A meeting point of the ranks in one process, where each shows its data to the others.
class MeetingPoint {
public:
  MeetingPoint(std::uint32_t ranks, std::chrono::duration<double> timeout)
      : timeout_(timeout), brought_(ranks), has_come_(ranks), has_left_(ranks)
  {
    require_timeout(timeout);
    if (ranks == 0) { throw Error("A group of no ranks is impossible: choose at least one."); }
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(brought_.size()); }

  /// Waits for all ranks, and calls look(rank, its data) for each. No rank returns before all have looked, so the data
  /// may be local to the callers. Throws Error if a rank does not arrive.
  template <class Look>
  void meet(std::uint32_t rank, void const* mine, Look const& look)
  {
    come(rank, mine);
    Parting const parting(*this);
    for (std::uint32_t other = 0; other < size(); ++other) { look(other, brought_[other]); }
  }

  /// Records that this rank has left: others no longer wait for it, but fail.
  void leave(std::uint32_t rank)
  {
    std::scoped_lock const lock(mutex_);
    has_left_[rank] = true;
    changed_.notify_all();
  }
  void fail(std::uint32_t rank, std::string const& reason)
  {
    std::scoped_lock const lock(mutex_);
    fail_with("Rank " + std::to_string(rank) + " has ended the work of all ranks: " + reason);
  }

private:
  /// Releases the other ranks when `look` ends, even by an exception.
  class Parting {
  public:
    explicit Parting(MeetingPoint& point) : point_(point) {}
    Parting(Parting const&) = delete;
    Parting& operator=(Parting const&) = delete;
    ~Parting() { point_.part(); }

  private:
    MeetingPoint& point_;
  };

  void come(std::uint32_t rank, void const* mine)
  {
    std::unique_lock lock(mutex_);
    expect_all_well();
    brought_[rank] = mine;
    has_come_[rank] = true;
    std::uint64_t const meeting = meetings_;
    if (std::ranges::find(has_come_, false) == has_come_.end()) {
      looking_ = size();
      has_come_.assign(size(), false);
      ++meetings_;
      changed_.notify_all();
      return;
    }
    auto const is_over = [&] { return meetings_ != meeting || !failure_.empty() || !missing(true).empty(); };
    lock.unlock();
    spin_until([&] { return meetings_ != meeting; });
    lock.lock();
    bool const in_time = changed_.wait_for(lock, timeout_, is_over);
    if (meetings_ != meeting) { return; }
    if (failure_.empty()) {
      fail_with(in_time ? missing(true) + " left while others waited. Their shards can still be read."
                        : missing(false) + " did not join a call within " + in_words(timeout_) +
                              ". Have all ranks make the same calls, or choose a longer timeout.");
    }
    expect_all_well();
  }
  /// All ranks that arrive also part, so this wait needs no timeout.
  void part()
  {
    if (--looking_ == 0) {
      std::scoped_lock const lock(mutex_);
      changed_.notify_all();
      return;
    }
    if (spin_until([&] { return looking_ == 0; })) { return; }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return looking_ == 0; });  // no further meeting can take place without this rank
  }
  /// Spins for a moment, in which most ranks arrive: being woken takes longer. Returns whether the condition became
  /// true.
  template <class Is>
  static bool spin_until(Is const& is)
  {
    constexpr std::chrono::microseconds moment{100};
    auto const start = std::chrono::steady_clock::now();
    while (!is()) {
      if (std::chrono::steady_clock::now() - start > moment) { return false; }
      std::this_thread::yield();
    }
    return true;
  }

  /// The ranks that have not arrived, in words: all of them, or only those that left.
  std::string missing(bool left) const
  {
    std::vector<bool> is_missing(size());
    for (std::uint32_t rank = 0; rank < size(); ++rank) {
      is_missing[rank] = !has_come_[rank] && (!left || has_left_[rank]);
    }
    return std::ranges::find(is_missing, true) == is_missing.end() ? std::string() : ranks_in_words(is_missing);
  }
  void fail_with(std::string const& reason)
  {
    if (failure_.empty()) { failure_ = reason; }
    changed_.notify_all();
  }
  void expect_all_well() const
  {
    if (!failure_.empty()) { throw Error(failure_); }
  }

  std::chrono::duration<double> timeout_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<void const*> brought_;
  std::vector<bool> has_come_;  ///< which ranks have arrived at the next meeting
  std::vector<bool> has_left_;
  std::atomic<std::uint64_t> meetings_ = 0;
  std::atomic<std::uint32_t> looking_ = 0;  ///< ranks that have met and not yet parted
  std::string failure_;                     ///< why there are no further meetings
};

/// Calls run(rank) in one thread per rank. Rethrows the first exception when all threads have ended.
template <class Run>
void run_ranks(std::uint32_t ranks, Run const& run)
{
  std::exception_ptr first;
  std::mutex first_turn;
  std::vector<std::jthread> threads;
  threads.reserve(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        run(rank);
      } catch (...) {
        std::scoped_lock const lock(first_turn);
        if (first == nullptr) { first = std::current_exception(); }
      }
    });
  }
  threads.clear();
  if (first != nullptr) { std::rethrow_exception(first); }
}

}  // namespace library

/// A rank that is a thread of this process, for tables on the CPU. It also serves ranks on GPUs and copies their memory
/// on their streams; `PeerCommunicator` copies concurrently with other work.
class ThreadCommunicator {
public:
  static constexpr std::chrono::seconds default_timeout{60};

  /// The ranks of a group, each to be moved into its own thread. timeout: how long a rank waits for others.
  static std::vector<ThreadCommunicator> group(std::uint32_t ranks,
                                               std::chrono::duration<double> timeout = default_timeout)
  {
    auto const point = std::make_shared<library::MeetingPoint>(ranks, timeout);
    std::vector<ThreadCommunicator> group;
    group.reserve(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) { group.push_back(ThreadCommunicator(point, rank)); }
    return group;
  }

  ThreadCommunicator(ThreadCommunicator&&) = default;
  ThreadCommunicator& operator=(ThreadCommunicator&&) = delete;
  ~ThreadCommunicator()
  {
    if (point_ != nullptr) { point_->leave(rank_); }
  }

  std::uint32_t rank() const { return rank_; }
  std::uint32_t size() const { return point_->size(); }

  /// Whether the executor's device can read the memory of all ranks: true for the CPU, unknown for GPUs.
  template <exec::Executor Exec>
  bool reaches_others(Exec const&) const
  {
    return Exec::backend == Backend::cpu;
  }
  /// Waits for all ranks, and calls look(rank, its data) for each of them. No rank returns before all have looked.
  /// Throws Error if a rank does not arrive.
  template <class Look>
  void meet(void const* mine, Look const& look)
  {
    point_->meet(rank_, mine, look);
  }

  void exchange_numbers(std::span<std::uint64_t const> outgoing, std::span<std::uint64_t> incoming)
  {
    std::size_t const width = outgoing.size() / size();
    meet(outgoing.data(), [&](std::uint32_t other, void const* brought) {
      auto const* const its = static_cast<std::uint64_t const*>(brought);
      std::copy_n(its + rank_ * width, width, incoming.data() + other * width);
    });
  }

  template <exec::Executor Exec>
  std::uint64_t start(Exec& exec, std::span<Delivery const> deliveries)
  {
    exec.wait();
    auto const started = std::chrono::steady_clock::now();
    meet(deliveries.data(), [&](std::uint32_t other, void const* brought) {
      auto const* const its = static_cast<Delivery const*>(brought);
      for (std::size_t i = 0; i < deliveries.size(); ++i) {
        Share const sent = its[i].outgoing[rank_];
        std::uint64_t const bytes = deliveries[i].item_bytes;
        if (sent.count == 0) { continue; }
        exec.copy(deliveries[i].to + deliveries[i].incoming[other].first * bytes, its[i].from + sent.first * bytes,
                  sent.count * bytes);
      }
      if (other + 1 == size()) { exec.wait(); }  // before the others may change the copied data
    });
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return 0;
  }
  /// `start` has already waited.
  void wait(std::uint64_t) {}
  void finish() {}

  void abort(std::string const& reason) noexcept
  {
    try {
      point_->fail(rank_, reason);
    } catch (...) {
      point_->leave(rank_);  // no memory to store the reason
    }
  }
  double seconds() const { return seconds_; }

private:
  ThreadCommunicator(std::shared_ptr<library::MeetingPoint> point, std::uint32_t rank)
      : point_(std::move(point)), rank_(rank)
  {
  }

  std::shared_ptr<library::MeetingPoint> point_;  ///< null after a move
  std::uint32_t rank_;
  double seconds_ = 0.0;
};

/// Calls rank(communicator) in one thread per rank. Rethrows the first exception when all threads have ended.
template <class Rank>
void for_each_thread(std::uint32_t ranks, Rank const& rank,
                     std::chrono::duration<double> timeout = ThreadCommunicator::default_timeout)
{
  std::vector<ThreadCommunicator> group = ThreadCommunicator::group(ranks, timeout);
  library::run_ranks(ranks, [&](std::uint32_t i) {
    ThreadCommunicator mine = std::move(group[i]);  // leaves when the thread ends
    rank(mine);
  });
}

}  // namespace slotscape
