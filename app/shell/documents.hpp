#pragma once

#include "app/scene/commands.hpp"
#include "app/shell/file_questions.hpp"
#include "app/shell/lesson_host.hpp"
#include "app/shell/scene_host.hpp"

#include <filesystem>
#include <vector>

namespace slotscape {

/// Opens files (scenarios, lessons or files for scenes) and saves the set-up as a scenario. Keeps track of recent files
/// and of the last session.
class Documents {
public:
  Documents(SceneHost& scenes, LessonHost& lessons, FileQuestions& questions, UserSettings& settings, Toasts& toasts,
            Attempts& attempts, Screen const& screen);

  /// Opens a dropped or chosen file: scenarios directly, other files in the current scene, or in another scene that
  /// opens this kind. On failure, shows the reason and changes nothing.
  void open(std::filesystem::path const& file, Reach reach = Reach::folder) { open_together({file}, reach); }
  /// Opens the useful ones among files dropped together, and names the others.
  void open_dropped(Paths const& files);
  void ask_for_file_to_open();
  /// Asks for a file for the scene, and adds it to the recent files.
  void ask_for_scene(FileQuestion question);

  /// Writes a scenario that restores the current scene, and tells the user which files it consists of.
  void save_set_up(std::filesystem::path const& file);
  /// Adds an opened or saved file to the recent files.
  void note_recent(std::filesystem::path const& file);

  /// Offers to reopen the last session, if one was saved. `says_so`: also shows a notice.
  void offer_last_session(std::filesystem::path const& file, std::vector<Command>& commands, bool says_so);
  /// The session saved for this start; empty if there is none.
  std::filesystem::path const& last_session() const { return last_session_; }

  void add_open(std::vector<Command>& commands);
  void add_save(std::vector<Command>& commands);

private:
  /// Opens files of the same kind.
  void open_together(Paths const& files, Reach reach = Reach::folder);
  void open_document(std::filesystem::path const& file, Reach reach);
  /// Returns whether the files have been opened.
  bool open_with_scene(Paths const& files);
  void go_on_where_they_were();

  SceneHost& scenes_;
  LessonHost& lessons_;
  FileQuestions& questions_;
  UserSettings& settings_;
  Toasts& toasts_;
  Attempts& attempts_;
  Screen const& screen_;
  std::filesystem::path last_session_;
};

}  // namespace slotscape
