#pragma once

#include "app/scene/scene.hpp"
#include "app/scene/work_bar.hpp"
#include "gpu/base/work.hpp"

#include <optional>
#include <string>
#include <utility>

namespace slotscape {

/// A scene that computes its content in the background. `query` returns the result that the settings ask for; `compute`
/// computes it on another thread; `show` takes over the result. Until then, frames show the previous result. After an
/// error or Esc, `go_back` restores the settings of the previous result. `Query` must have an operator==.
template <class Query, class Result>
class WorkScene : public Scene {
public:
  void advance(double elapsed_seconds) override
  {
    if (work_.follow(query(), may_finish())) { note_begin(); }
    if (work_.busy()) {
      working_seconds_ += elapsed_seconds;
      work_.wait(max_wait());
    }
    if (auto outcome = work_.take()) {
      take(*std::move(outcome));
    } else if (work_.resume()) {
      note_begin();
    }
  }
  void finish_steps(std::function<void()> const& frame) override
  {
    auto const cancel_all = [&] { cancel_work(); };
    draws_frames_ = frame != nullptr;
    finish({[&] { return done(draws_frames_); }, [&] { return steps(); }, cancel_all}, frame);
    draws_frames_ = true;
  }
  void cancel() override { cancel_work(); }
  bool cancellable() const override { return work_.busy(); }
  bool quiet() const override { return is_answered(); }
  std::string notice() const override { return notice_; }

protected:
  using Computing = Work<Query, Result>;

  /// compute: must own everything that it uses, rather than refer to the scene. Throws Error if there is no result, and
  /// Cancelled.
  explicit WorkScene(typename Computing::Compute compute) : work_(std::move(compute)) {}

  virtual Query query() const = 0;
  virtual void show(Query const& query, Result result) = 0;
  /// `query`: the last one that succeeded; nothing: go back to settings that are sure to succeed.
  virtual void go_back(std::optional<Query> const& query) = 0;
  /// A description of the work for the progress bar: "Convolving a.ply".
  virtual std::string doing(Query const& query) const = 0;
  /// The action that failed, for the error message: "convolve a.ply".
  virtual std::string action(Query const& query) const = 0;

  /// Whether work for an earlier query may finish first, so that its result is shown.
  virtual bool may_finish() const { return false; }
  /// Called when the work for a query has begun.
  virtual void begun() {}
  /// For `finish_steps`: whether no work is left. Work may be delayed a little unless it is watched.
  virtual bool done(bool /*watched*/) { return is_answered(); }
  virtual ProgressSnapshot steps() const { return progress().value_or(ProgressSnapshot{}); }
  virtual void cancel_work() { work_.cancel(); }
  /// Shows a message to the user.
  virtual void say(std::string notice) { notice_ = std::move(notice); }

  Computing const& work() const { return work_; }
  bool is_answered() const { return work_.is_answered(query()); }
  double working_seconds() const { return working_seconds_; }  ///< of frame time spent on the current query
  /// The progress of work that takes longer than a frame.
  std::optional<ProgressSnapshot> progress() const
  {
    if (!work_.busy()) { return std::nullopt; }
    ProgressSnapshot now = work_.progress().snapshot();
    now.what = doing(query());
    return now;
  }
  /// False while `finish_steps` draws no frames.
  bool is_watched() const { return draws_frames_; }
  /// Draws the progress bar of such work over the canvas.
  void draw_work(Look const& look, Rectangle const& place)
  {
    auto const now = progress();
    if (now && draw_progress(look, *now, place)) { cancel_work(); }
  }

private:
  void note_begin()
  {
    working_seconds_ = 0.0;
    begun();
  }
  void take(typename Computing::Outcome outcome)
  {
    if (!outcome.error) { return show(outcome.query, *std::move(outcome.result)); }
    go_back(outcome.fallback);
    say(notice_of_failure(outcome.error, action(outcome.query), draws_frames_ && outcome.fallback.has_value()));
  }

  Computing work_;
  double working_seconds_ = 0.0;
  bool draws_frames_ = true;
  std::string notice_;
};

}  // namespace slotscape
