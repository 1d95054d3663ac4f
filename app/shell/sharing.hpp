#pragma once

#include "app/export/picture_copier.hpp"
#include "app/scene/commands.hpp"
#include "app/shell/file_questions.hpp"
#include "app/shell/lesson_host.hpp"
#include "app/shell/scene_host.hpp"
#include "app/shell/window_recorder.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace slotscape {

/// Recordings of the window, and the clipboard: the set-up, a link to it, the numbers, the picture.
class Sharing {
public:
  /// statistics: the scene's current ones.
  Sharing(SceneHost const& scenes, LessonHost& lessons, FileQuestions& files, Screen const& screen, Toasts& toasts,
          Attempts& attempts, std::function<SceneStatistics()> statistics);

  /// To be called every frame, in this order. `menus_end`: the right end of the recording strip, from the left of the
  /// window.
  void draw_dialog(Look const& look);
  void draw_strip(Look const& look, float menus_end) { recorder_.draw_strip(look, menus_end); }
  /// Call this once the frame is drawn, except for the strip.
  void take_frame();
  /// Ends a running recording and waits for it. Returns a message; empty if there was none.
  std::string finish_recording() { return recorder_.finish(); }

  void add_link(std::vector<Command>& commands);
  void add_recording(std::vector<Command>& commands);
  void add_clipboard(std::vector<Command>& commands);

private:
  void record_or_stop();
  void ask_where_to_record();
  void copy_set_up();
  void copy_link();
  void copy_numbers();
  void paste();
  void paste(std::string const& text, Reach reach);
  std::filesystem::path folder_of_pasted() const;
  void want_picture_copied();
  void copy_wanted_picture();

  SceneHost const& scenes_;
  LessonHost& lessons_;
  FileQuestions& files_;
  Screen const& screen_;
  Toasts& toasts_;
  Attempts& attempts_;
  std::function<SceneStatistics()> statistics_;
  WindowRecorder recorder_;
  std::unique_ptr<PictureCopier> copier_;
  bool wants_picture_copied_ = false;
};

}  // namespace slotscape
