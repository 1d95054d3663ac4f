#pragma once

#include "app/recording/format.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// The settings of a recording.
struct RecordSettings {
  RecordingFormat format = RecordingFormat::mp4;
  int frame_rate = 30;       ///< frames per second
  bool canvas_only = false;  ///< without the panels
};

/// Asks for the settings of a recording. Remembers the answers.
class RecordDialog {
public:
  /// `keys`: the keys that end a recording.
  explicit RecordDialog(std::string_view keys) : keys_(keys) {}
  void open();
  RecordSettings const& settings() const { return settings_; }
  /// Call every frame. Returns true when the user wants to choose a file and begin.
  bool draw(Look const& look);

private:
  void format_rows(Look const& look);
  void choice_rows(Look const& look);

  std::string_view keys_;
  RecordSettings settings_;
  bool has_ffmpeg_ = false;
  bool opening_ = false;
};

}  // namespace slotscape
