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

/// What to say where a thread cannot be started.
inline constexpr char const* no_thread =
    "The system can start no more threads: close other programs, or raise the limit (ulimit -u).";

/// Answers queries one after the other on a thread of its own; the newest query wins. While it is `busy`, what
/// `compute` uses is the thread's alone. Its members are for one thread, that of the owner.
template <class Query, class Result>
class Work {
public:
  /// Throws Cancelled, or returns what it has, once its progress is cancelled. What it throws reaches the owner.
  using Compute = std::function<Result(Query const&, Progress const&)>;

  /// What became of a query.
  struct Outcome {
    Query query;
    std::optional<Result> result = std::nullopt;  ///< nothing if `error` is set
    std::exception_ptr error = nullptr;
    std::optional<Query> fallback = std::nullopt;  ///< after an error: the last query that had a result
  };

  explicit Work(Compute compute) : compute_(std::move(compute)) {}
  /// Cancels, and waits for the thread.
  ~Work() { stop(); }
  Work(Work const&) = delete;
  Work& operator=(Work const&) = delete;

  /// Cancels what runs, which has no outcome then; the query begins when that has ended (`resume`).
  void start(Query query)
  {
    asked_ = query;
    next_ = std::move(query);
    if (!resume()) { supersede(); }
  }
  /// Starts what waits for the end of another query. Call it, or `follow`, in every frame. Returns whether it did.
  bool resume()
  {
    if (running_.valid() || !next_) { return false; }
    launch(*std::exchange(next_, std::nullopt));
    return true;
  }
  /// Starts if this is another query than before. may_finish: what runs may end first, and has an outcome then. Returns
  /// whether a query began.
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
  /// Whether this is the newest query, and its outcome was taken.
  bool is_answered(Query const& query) const { return asked_ && *asked_ == query && !running_.valid() && !next_; }

  /// Ends what runs soon, with the error Cancelled or with a part of the result; what waits is forgotten.
  void cancel()
  {
    superseded_ = superseded_ || next_;  // even if it has a result, nobody asks for that any more
    next_.reset();
    progress_.cancel();
  }
  /// Ends it now, and forgets it.
  void stop()
  {
    cancel();
    wait();
    running_ = {};
    superseded_ = false;
    asked_.reset();
  }
  /// Waits for an outcome, up to so many seconds; nothing: until there is one. Returns whether one can be taken.
  bool wait(std::optional<double> seconds = std::nullopt) const
  {
    return running_.valid() && aside::wait(running_, seconds);
  }
  /// From the start of a query until its outcome is taken.
  bool busy() const { return running_.valid(); }
  /// Of what runs, or ran last.
  Progress const& progress() const { return progress_; }

  /// What has ended since the last call. If another query waits, an error is of no interest any more.
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
    } catch (std::system_error const&) {  // an outcome like any other
      std::promise<Outcome> failed;
      failed.set_value({*current_, std::nullopt, std::make_exception_ptr(Error(no_thread))});
      running_ = failed.get_future();
    }
  }

  Compute compute_;
  Progress progress_ = Progress::tracked();
  std::optional<Query> asked_;
  std::optional<Query> next_;     ///< when what runs has ended
  std::optional<Query> current_;  ///< what runs, or ran last
  std::optional<Query> last_;     ///< that had a result
  bool superseded_ = false;       ///< what runs was cancelled for the next one
  std::future<Outcome> running_;
};

}  // namespace slotscape
