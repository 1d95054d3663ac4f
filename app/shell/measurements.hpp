#pragma once

#include "app/scene/commands.hpp"
#include "app/shell/file_questions.hpp"
#include "app/shell/scene_host.hpp"

#include <filesystem>
#include <vector>

namespace slotscape {

/// The times of frames, and the scene's statistics with them.
class Measurements {
public:
  Measurements(SceneHost const& scenes, FileQuestions& files) : scenes_(scenes), files_(files) {}

  /// `rests`: nothing moves, and the picture stays the same.
  void note(FrameFacts const& times, bool rests);
  void forget_times() { times_ = {}; }
  /// Medians of the latest frames.
  FrameFacts const& latest() const { return latest_; }

  /// What the scene's statistics file would say now.
  SceneStatistics statistics() const;
  /// Writes the statistics as JSON and as CSV files; an empty path skips one.
  void write(std::filesystem::path const& json, std::filesystem::path const& csv_folder) const;

  void add_commands(std::vector<Command>& commands);

private:
  SceneHost const& scenes_;
  FileQuestions& files_;
  FrameTimes times_;
  FrameFacts latest_;
};

}  // namespace slotscape
