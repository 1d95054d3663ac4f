#pragma once

#include "app/scene/scene.hpp"
#include "app/scene/work_bar.hpp"
#include "gpu/base/work.hpp"

#include <optional>
#include <string>
#include <utility>

namespace slotscape {

/// A scene that computes something beside the frames, and shows it. `query` says what the settings ask for; `compute`
/// answers that on another thread; `show` takes the answer over. Until then, frames show what was there before. After
/// an error or Esc, `go_back` has the settings ask for that again. `Query` has an operator==.
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

  /// compute: what it needs belongs to it, not to the scene. Throws Error if there is no answer, and Cancelled.
  explicit WorkScene(typename Computing::Compute compute) : work_(std::move(compute)) {}

  virtual Query query() const = 0;
  virtual void show(Query const& query, Result result) = 0;
  /// `query`: the last one that was answered; nothing: what surely can be computed.
  virtual void go_back(std::optional<Query> const& query) = 0;
  /// What is done for a query, for the bar: "Convolving a.ply".
  virtual std::string doing(Query const& query) const = 0;
  /// What could not be done, if it fails: "convolve a.ply".
  virtual std::string action(Query const& query) const = 0;

  /// Whether the work for another query may end first, and is shown then.
  virtual bool may_finish() const { return false; }
  /// The work for a query has begun.
  virtual void begun() {}
  /// For `finish_steps`: whether nothing is left to do, which may wait a moment unless it is watched.
  virtual bool done(bool /*watched*/) { return is_answered(); }
  virtual ProgressSnapshot steps() const { return progress().value_or(ProgressSnapshot{}); }
  virtual void cancel_work() { work_.cancel(); }
  /// Tells the user.
  virtual void say(std::string notice) { notice_ = std::move(notice); }

  Computing const& work() const { return work_; }
  bool is_answered() const { return work_.is_answered(query()); }
  double working_seconds() const { return working_seconds_; }  ///< of frames, for the present query
  /// Of work that takes longer than a frame.
  std::optional<ProgressSnapshot> progress() const
  {
    if (!work_.busy()) { return std::nullopt; }
    ProgressSnapshot now = work_.progress().snapshot();
    now.what = doing(query());
    return now;
  }
  /// False while `finish_steps` draws no frames.
  bool is_watched() const { return draws_frames_; }
  /// Draws the bar of such work over the canvas.
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
