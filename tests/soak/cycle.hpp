#pragma once

#include "tests/soak/program.hpp"

#include <string>

namespace slotscape::soak {

/// What somebody may do with the program, all of it once: each cycle otherwise, and with the same end.
class Cycle {
public:
  /// number: decides what is done.
  Cycle(Program& program, std::uint64_t number, double seconds);

  /// Returns whether it came to its end.
  bool run();

private:
  void drive_tables(SceneEntry const& scene, double seconds);
  void record_tables(double seconds);
  void change_table(TableScene& scene);
  void use_scene(SceneEntry const& scene, double seconds);
  void go_through_lesson(double seconds);
  void go_through_tour(double seconds);
  void answer_pages(double seconds);
  void tune_beside(double seconds);
  void switch_scenes(double seconds);
  void save_everything();
  void come_to_rest();

  TableSettings any_table();
  Scenario any_tables(SceneEntry const& scene);
  KeySettings any_keys();
  DriveSettings any_drive();

  Program& program_;
  Dice dice_;
  double seconds_;
};

}  // namespace slotscape::soak
