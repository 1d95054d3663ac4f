#pragma once

#include "gpu/base/random.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/soak/record.hpp"

#include <chrono>
#include <ctime>
#include <filesystem>
#include <functional>
#include <span>

namespace slotscape::soak {

/// Random numbers of one cycle.
class Dice {
public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t below(std::uint64_t bound) { return random_below(seed_, number_++, bound); }
  double unit() { return random_unit(seed_, number_++); }
  bool coin() { return below(2) == 0; }
  template <class List>
  auto const& one_of(List const& list)
  {
    return list[below(std::size(list))];
  }

private:
  std::uint64_t seed_;
  std::uint64_t number_ = 0;
};

struct Plan {
  BackendChoice backend = BackendChoice::cpu;
  std::filesystem::path state;
  double seconds = 540.0;
  double cycle_seconds = 30.0;
  bool draws = false;        ///< frames become pixels
  long told_frame_ms = 400;  ///< of processor time
  gl::Size size{1280, 720};
};

/// The program as in its window, but offscreen: each frame is measured, and what the program says is noted.
class Program {
public:
  /// Goes on with the settings and the session that the run before has left.
  Program(Plan const& plan, Record& record);

  App& app() { return *app_; }
  Record& record() { return record_; }
  template <class SceneOf>
  SceneOf* scene()
  {
    return dynamic_cast<SceneOf*>(&app_->current_scene());
  }
  void count(std::string const& what, std::uint64_t times = 1) { record_.counts[what] += times; }

  /// One frame.
  void frame() { act("", nullptr); }
  /// What a user does, and the frame in which that happens: both count as one. `what` is told of this frame and those
  /// after it.
  void act(std::string what, std::function<void()> const& change);
  /// Frames until it is so, or for as long at most.
  void draw_until(double seconds, std::function<bool()> const& done);
  void draw_for(double seconds) { draw_until(seconds, nullptr); }
  void open(Scenario const& scenario);
  /// Called after each frame.
  std::function<void()> after_frame;

  /// The run is over: its time, or a signal.
  bool over() const;
  double seconds() const;  ///< since the start of this run
  std::filesystem::path const& folder() const { return folder_.path(); }
  Paths const& lessons() const { return lessons_; }
  Paths const& tour() const { return tour_; }
  lessons::FindFile finder() const { return lessons::Library({folder_.path()}).finder(); }

  /// As at the end of the program.
  void keep_session();
  /// At the end of a cycle.
  void take_sample(std::size_t cycle);
  /// What a run that is killed leaves.
  void save();

private:
  void write_lessons();
  void go_on_with_session();
  void set_frame_timer(bool on);
  void count_operations(double elapsed_seconds);
  void note_messages();
  void tell_sometimes();

  Plan plan_;
  Record& record_;
  test::TemporaryFolder folder_;
  Paths lessons_;
  Paths tour_;
  std::unique_ptr<App> app_;
  std::string what_ = "start";
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_frame_;
  timer_t frame_timer_;
  double before_ = 0.0;  ///< seconds of the runs before
  double next_line_ = 0.0;
  double operations_ = 0.0;  ///< not counted yet
  LongFrame longest_of_line_;
};

}  // namespace slotscape::soak
