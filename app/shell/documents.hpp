#pragma once

#include "app/scene/commands.hpp"
#include "app/shell/file_questions.hpp"
#include "app/shell/lesson_host.hpp"
#include "app/shell/scene_host.hpp"

#include <filesystem>
#include <vector>

namespace slotscape {

/// Opens files, which may be scenarios, lessons or what scenes open, and saves the set-up as a scenario. Knows those
/// used lately, and what was shown at the end of the last session.
class Documents {
public:
  Documents(SceneHost& scenes, LessonHost& lessons, FileQuestions& questions, UserSettings& settings, Toasts& toasts,
            Attempts& attempts, Screen const& screen);

  /// Opens a dropped or chosen file: a scenario here, any other file in the current scene, or else in a scene that
  /// opens this kind. On failure, shows why and changes nothing.
  void open(std::filesystem::path const& file, Reach reach = Reach::folder) { open_together({file}, reach); }
  /// Opens what is of use among files that were dropped together, and names the others.
  void open_dropped(Paths const& files);
  void ask_for_file_to_open();
  /// What a scene opens is among the files used lately, too.
  void ask_for_scene(FileQuestion question);

  /// Writes a scenario that brings back the scene as it is, and tells the user which files that are.
  void save_set_up(std::filesystem::path const& file);
  /// A file that was opened or saved, for the list of those used lately.
  void note_recent(std::filesystem::path const& file);

  /// Offers to open what was kept of the last session, if there is something.
  void offer_last_session(std::filesystem::path const& file, std::vector<Command>& commands);
  /// What was kept for this start; empty: nothing.
  std::filesystem::path const& last_session() const { return last_session_; }

  void add_open(std::vector<Command>& commands);
  void add_save(std::vector<Command>& commands);

private:
  /// Files of one kind.
  void open_together(Paths const& files, Reach reach = Reach::folder);
  void open_document(std::filesystem::path const& file, Reach reach);
  /// Returns whether the files are open now.
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
