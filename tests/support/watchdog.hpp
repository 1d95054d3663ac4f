#pragma once

#include "tests/app/support/program.hpp"
#include "tests/support/one_thread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

namespace slotscape::test {

/// Drives a scene of one table into the worst states of its family, and notes how long frames take.
///
/// Frames are measured on one thread, which makes none shorter: one core does what several would share. The work of
/// tables has another, for which a frame waits as long as in the window.
class Watchdog {
public:
  static constexpr double patience = 0.1;                   ///< seconds
  static constexpr double longest_frame = 0.25 - patience;  ///< seconds of work

  /// The longest frame in each state that was watched, in seconds.
  using LongestFrames = std::map<std::string, double>;

  /// seconds: of CPU time that each state is watched for.
  Watchdog(std::string const& family, std::uint64_t slots, double seconds)
      : settings_{.family = family, .slots = slots, .deletion = Deletion::empty_value},
        seconds_(seconds),
        app_(offscreen_app({400, 300}, slots_scenario(set_up_of(settings_))))
  {
    paint();
    app_->scene_host().set_max_wait(patience);
  }

  LongestFrames const& longest_frames() const { return longest_; }

  /// Every state that a family can be brought into.
  void watch_all()
  {
    watch_tombstones();
    watch_misses();
    watch_lookups();
    watch_purge();
    watch_one_home();
    watch_full();
  }

  /// Holds a load at full speed until tombstones fill the table, if the family has any, and goes on.
  void watch_tombstones()
  {
    drive() = {.running = true, .full_speed = true, .hold_load = true, .target_load = load()};
    watch("holding a load");
    fill_with_tombstones();
    watch("holding a load among tombstones");
  }

private:
  /// From finding stored keys alone, which is fast, to absent keys alone, which may be slow.
  void watch_misses()
  {
    drive() = {.running = true, .full_speed = true, .insert = 0.0, .find = 1.0, .erase = 0.0};
    drive().find_keys = KeyChoice::hits;
    watch("finding stored keys");
    drive().find_keys = KeyChoice::misses;
    watch("finding absent keys");
    drive().running = false;
    state().act(BatchRequest::finds(1u << 20, KeyChoice::misses));
    watch("a batch for absent keys");
    state().ask(CancelWork{});
  }

  /// What the user selects and steps through.
  void watch_lookups()
  {
    for (Key const absent : {Key{3'000'000'001}, Key{3'000'000'002}}) {
      state().ask(LookUp{absent});
      state().settings.view.color_by = ColorBy::cluster_length;
      watch("a selected key");
      state().ask(EnterSteps{StepRequest{{Operation::insert, absent, 1}}});
      watch("steps");
      state().ask(LeaveSteps{});
    }
  }

  void watch_purge()
  {
    state().act(Rehash{settings_.slots});
    watch("a purge");
  }

  void watch_one_home()
  {
    state().act(Clear{});
    SetKeys keys;
    keys.keys.distribution = KeyDistribution::one_home;
    state().act(keys);
    state().act(FillTo{load()});
    watch("filling with keys of one home");
    state().ask(CancelWork{});
    drive() = {.running = true, .full_speed = true, .hold_load = true, .target_load = load()};
    watch("holding a load of keys of one home");
    drive().running = false;
    state().act(Rehash{2 * settings_.slots});
    watch("a rehash of keys of one home");
    state().ask(CancelWork{});
  }

  void watch_full()
  {
    state().act(Clear{});
    state().act(SetKeys{});
    state().act(FillTo{1.0});
    watch("filling to the last slot");
    drive() = {.running = true, .full_speed = true, .hold_load = true, .target_load = 1.0, .purge = true};
    watch("holding the table full");
    drive().running = false;
  }

  /// Erases and inserts, all at once, until no slot is empty.
  void fill_with_tombstones()
  {
    Simulation& simulation = scene().simulation();
    if (!family_info(settings_.family).deletes_two_ways) { return; }
    std::uint64_t const part = std::max<std::uint64_t>(settings_.slots / 64, 1);
    while (simulation.engine().counts().empty() > 0) {
      std::uint64_t const empty = simulation.engine().counts().empty();
      simulation.submit(BatchRequest::erases(std::min(part, empty)));
      simulation.submit(BatchRequest::inserts(std::min(part, empty)));
      simulation.finish();
    }
  }

  /// Draws frames for some time.
  void watch(std::string const& what)
  {
    double const end = OneThread::seconds_of_all() + seconds_;
    double longest = 0.0;
    while (OneThread::seconds_of_all() < end) {
      double const start = OneThread::seconds();
      app_->frame(1.0 / 60.0);
      longest = std::max(longest, OneThread::seconds() - start);
    }
    app_->toasts().dismiss_all();
    double& longest_of_state = longest_[what];
    longest_of_state = std::max(longest_of_state, longest);
  }

  static TableSetup set_up_of(TableSettings const& table)
  {
    TableSetup set_up;
    set_up.settings.table = table;
    set_up.settings.drive.full_speed = true;
    return set_up;
  }

  /// A load that the table can hold.
  double load() const { return std::min(0.667, family_info(settings_.family).guarantees(settings_).safe_load); }
  SlotsScene& scene() { return scene_of<SlotsScene>(*app_); }
  TableState& state() { return scene().state(); }
  DriveSettings& drive() { return state().settings.drive; }

  OneThread one_thread_;
  TableSettings settings_;
  double seconds_;
  std::unique_ptr<App> app_;
  LongestFrames longest_;
};

/// Asserts that no frame takes long: `watch()` makes a Watchdog, drives it, and returns its `longest_frames()`. A state
/// with a long frame gets a second chance: what other programs on a busy machine did to a frame is not done twice.
template <class Watch>
void expect_no_long_frame(std::string const& family, Watch const& watch)
{
  auto const is_long = [](auto const& frame) { return frame.second >= Watchdog::longest_frame; };
  Watchdog::LongestFrames longest = watch();
  if (std::ranges::any_of(longest, is_long)) {
    for (auto const& [state, seconds] : watch()) { longest[state] = std::min(longest[state], seconds); }
  }
  for (auto const& [state, seconds] : longest) {
    EXPECT_LT(seconds, Watchdog::longest_frame) << family << ", " << state;
    ::testing::Test::RecordProperty("longest frame, ms: " + state, std::to_string(1e3 * seconds));
  }
}

}  // namespace slotscape::test
