#pragma once

#include "app/gui/gui.hpp"

#include <filesystem>
#include <string_view>

namespace slotscape {

/// Writes a line for each frame of the window: the input received since the start, and whether anything is moving. For
/// bug reports, and for tests, which wait for a line instead of a fixed time.
class FrameLog {
public:
  /// Writes nothing if the path is empty. A pipe must already have a reader; if it is slow, lines are lost. Throws
  /// Error if the file cannot be opened.
  explicit FrameLog(std::filesystem::path const& file);
  ~FrameLog();
  FrameLog(FrameLog const&) = delete;
  FrameLog& operator=(FrameLog const&) = delete;

  /// "frame=12 keys=3 characters=0 clicks=1 releases=1 wheel=8 moving=0 typing=0 popups=0 cpu_ms=7 scene=slots".
  /// cpu_ms: CPU time of this thread since the previous frame, in milliseconds, which is independent of other programs.
  void write(InputCounts const& counts, bool moving, std::string_view scene);

private:
  int file_ = -1;
  std::uint64_t frames_ = 0;
  double cpu_seconds_;  ///< CPU seconds of this thread at the end of the previous frame
};

}  // namespace slotscape
