#pragma once

#include "gpu/base/aside.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/progress.hpp"

#include <exception>
#include <functional>
#include <future>
#include <optional>
#include <system_error>
#include <utility>

namespace slotscape {

/// The message if a thread cannot be started.
inline constexpr char const* no_thread =
    "The system can start no more threads: close other programs, or raise the limit (ulimit -u).";

/// Answers queries one after the other on a separate thread; the newest query wins. While it is `busy`, the data that
/// `compute` uses belongs to that thread. Call the members only on the owner's thread.
template <class Query, class Result>
class Work {
public:
  /// Throws Cancelled, or returns a partial result, once its progress is cancelled. Its exceptions are passed to the
  /// owner.
  using Compute = std::function<Result(Query const&, Progress const&)>;

  /// The outcome of a query.
  struct Outcome {
    Query query;
    std::optional<Result> result = std::nullopt;  ///< nullopt if `error` is set
    std::exception_ptr error = nullptr;
    std::optional<Query> fallback = std::nullopt;  ///< after an error: the last query that had a result
  };

  explicit Work(Compute compute) : compute_(std::move(compute)) {}
  /// Cancels, and waits for the thread.
  ~Work() { stop(); }
  Work(Work const&) = delete;
  Work& operator=(Work const&) = delete;

  /// Cancels the running query and drops its outcome; the new query begins when the old one has ended (`resume`).
  void start(Query query)
  {
    asked_ = query;
    next_ = std::move(query);
    if (!resume()) { supersede(); }
  }
  /// Starts the waiting query if no other is running. Call it, or `follow`, in every frame. Returns whether a query
  /// began.
  bool resume()
  {
    if (running_.valid() || !next_) { return false; }
    launch(*std::exchange(next_, std::nullopt));
    return true;
  }
  /// Starts the query if it differs from the last one. may_finish: the running query may end first, with an outcome.
  /// Returns whether a query began.
  bool follow(Query const& query, bool may_finish = false)
  {
    if (!(asked_ && *asked_ == query)) {
      bool const runs = running_.valid() && !superseded_ && *current_ == query;
      asked_ = query;
      next_ = runs ? std::nullopt : std::optional(query);
    }
    if (resume()) { return true; }
    if (next_ && !may_finish) { supersede(); }
    return false;
  }
  /// The newest query, unless it failed.
  std::optional<Query> const& asked() const { return asked_; }
  /// Whether this is the newest query, and its outcome has been taken.
  bool is_answered(Query const& query) const { return asked_ && *asked_ == query && !running_.valid() && !next_; }

  /// Ends the running query soon, with the error Cancelled or with a partial result, and drops the waiting one.
  void cancel()
  {
    superseded_ = superseded_ || next_;  // any result of the running query is no longer wanted
    next_.reset();
    progress_.cancel();
  }
  /// Ends the running query now, and drops it.
  void stop()
  {
    cancel();
    wait();
    running_ = {};
    superseded_ = false;
    asked_.reset();
  }
  /// Waits for an outcome, up to `seconds`, or without limit. Returns whether an outcome can be taken.
  bool wait(std::optional<double> seconds = std::nullopt) const
  {
    return running_.valid() && aside::wait(running_, seconds);
  }
  /// True from the start of a query until its outcome is taken.
  bool busy() const { return running_.valid(); }
  /// The progress of the running or last query.
  Progress const& progress() const { return progress_; }

  /// The outcome since the last call. If another query waits, errors are dropped.
  std::optional<Outcome> take()
  {
    if (!wait(0.0)) { return std::nullopt; }
    Outcome outcome = running_.get();
    if (std::exchange(superseded_, false) && !outcome.error) { outcome.error = std::make_exception_ptr(Cancelled()); }
    if (outcome.error && next_) { return std::nullopt; }
    if (outcome.error) {
      outcome.result.reset();
      asked_.reset();
      outcome.fallback = std::exchange(last_, std::nullopt);
    } else {
      last_ = outcome.query;
    }
    return outcome;
  }

private:
  void supersede()
  {
    superseded_ = running_.valid();
    progress_.cancel();
  }
  void launch(Query query)
  {
    progress_ = aside::tracked();
    current_ = query;
    try {
      running_ = aside::start([this, progress = progress_, query = std::move(query)]() mutable {
        Outcome outcome{std::move(query)};
        try {
          outcome.result = compute_(outcome.query, progress);
        } catch (...) {
          outcome.error = std::current_exception();
        }
        return outcome;
      });
    } catch (std::system_error const&) {  // becomes a normal outcome
      std::promise<Outcome> failed;
      failed.set_value({*current_, std::nullopt, std::make_exception_ptr(Error(no_thread))});
      running_ = failed.get_future();
    }
  }

  Compute compute_;
  Progress progress_ = Progress::tracked();
  std::optional<Query> asked_;
  std::optional<Query> next_;     ///< starts when the running query has ended
  std::optional<Query> current_;  ///< the running or last query
  std::optional<Query> last_;     ///< the last query with a result
  bool superseded_ = false;       ///< the running query was cancelled for the next one
  std::future<Outcome> running_;
};

}  // namespace slotscape
