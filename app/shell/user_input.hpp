#pragma once

#include "app/scene/commands.hpp"
#include "app/shell/attempts.hpp"
#include "app/shell/gallery_page.hpp"
#include "app/shell/help_lists.hpp"
#include "app/shell/lecture.hpp"
#include "app/shell/lesson_view.hpp"
#include "app/shell/mark_layer.hpp"
#include "app/shell/scene_host.hpp"

#include <functional>
#include <span>
#include <vector>

namespace slotscape {

/// Assigns keys and characters that no field took: to a command of the pen, the lecture, the scene or the program; to
/// an answer; to a number of votes; or to the gallery.
class UserInput {
public:
  UserInput(SceneHost const& scenes, LessonHost& lessons, LessonView& lesson_view, Lecture& lecture,
            MarkLayer const& marks, GalleryPage& gallery, HelpLists& help, Toasts& toasts, Attempts& attempts);

  /// The program's commands, in the order of its menus.
  std::vector<Command>& commands() { return commands_; }

  /// Handles the keys of a frame, and ImGui's characters. To be called before the frame's layout.
  void take(std::vector<ImGuiKeyChord> keys);

private:
  using Find = std::function<Command const*(std::span<Command const>)>;
  /// The command from the first list that has one.
  Command const* find_command(Find const& find);
  void perform(Find const& find);
  void press(ImGuiKeyChord key);
  void type(ImWchar character);

  SceneHost const& scenes_;
  LessonHost& lessons_;
  LessonView& lesson_view_;
  Lecture& lecture_;
  MarkLayer const& marks_;
  GalleryPage& gallery_;
  HelpLists& help_;
  Toasts& toasts_;
  Attempts& attempts_;
  std::vector<Command> commands_;
  bool in_popup_ = false;    ///< a popup is open, as of this frame; likewise below
  bool in_gallery_ = false;  ///< closed by any command
  bool in_field_ = false;    ///< text is being typed
};

}  // namespace slotscape
