#pragma once

#include "app/scene/commands.hpp"
#include "app/shell/file_questions.hpp"
#include "app/shell/scene_host.hpp"

#include <filesystem>
#include <vector>

namespace slotscape {

/// Frame times, and the scene's statistics.
class Measurements {
public:
  Measurements(SceneHost const& scenes, FileQuestions& files) : scenes_(scenes), files_(files) {}

  /// Records the times of a frame. `rests`: nothing moves, so the picture does not change.
  void note(FrameFacts const& times, bool rests);
  void forget_times() { times_ = {}; }
  /// Medians over the latest frames.
  FrameFacts const& latest() const { return latest_; }

  /// The current content of the scene's statistics file.
  SceneStatistics statistics() const;
  /// Writes the statistics as JSON and as CSV files; an empty path skips a format.
  void write(std::filesystem::path const& json, std::filesystem::path const& csv_folder) const;

  void add_commands(std::vector<Command>& commands);

private:
  SceneHost const& scenes_;
  FileQuestions& files_;
  FrameTimes times_;
  FrameFacts latest_;
};

}  // namespace slotscape
