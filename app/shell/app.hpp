#pragma once

#include "app/cli/command_line.hpp"
#include "app/shell/attempts.hpp"
#include "app/shell/documents.hpp"
#include "app/shell/file_questions.hpp"
#include "app/shell/gallery_page.hpp"
#include "app/shell/help_lists.hpp"
#include "app/shell/lecture.hpp"
#include "app/shell/lesson_host.hpp"
#include "app/shell/lesson_view.hpp"
#include "app/shell/mark_layer.hpp"
#include "app/shell/measurements.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/page_maker.hpp"
#include "app/shell/picture_saver.hpp"
#include "app/shell/scene_host.hpp"
#include "app/shell/screen.hpp"
#include "app/shell/settings_file.hpp"
#include "app/shell/sharing.hpp"
#include "app/shell/shown_panels.hpp"
#include "app/shell/user_input.hpp"

#include <filesystem>
#include <memory>
#include <optional>

namespace slotscape {

/// Owns the parts of the program, and coordinates their work in each frame and the order of their commands. The parts
/// only know those that their constructors take. The OpenGL context is destroyed last.
class App {
public:
  /// Starts with the scenario, or with the remembered scene. Throws Error if the backend or the presenter is
  /// unavailable, or if the scenario's scene cannot be created.
  App(std::unique_ptr<gl::Context> context, Options const& options, UserSettings const& settings,
      std::optional<Scenario> const& first = std::nullopt);
  ~App();

  /// Draws one frame. Shows errors to the user, or throws them after `let_errors_out()`.
  void frame(double elapsed_seconds);
  bool quiet() const;
  bool moving() const;
  void let_errors_out() { attempts_.let_errors_out(); }
  /// Stops drawing messages, which would cover a picture that nobody sees before it is finished.
  void hide_notices() { notices_.hide(); }
  /// Shows the scene as part of another page: without menus, and without panels until the user wants them.
  void embed();

  Scene& current_scene() { return scenes_.scene(); }
  SceneEntry const& current_entry() const { return scenes_.entry(); }
  void show(SceneEntry const& entry) { scenes_.show(entry); }
  /// See `Documents`.
  void open(std::filesystem::path const& file, Reach reach = Reach::folder) { documents_.open(file, reach); }
  void open_dropped(Paths const& files);
  /// Offers to reopen the last session, if one was saved.
  void offer_last_session(std::filesystem::path const& file, bool says_so = true);
  UserSettings user_settings() const;

  Toasts& toasts() { return notices_.toasts(); }
  Screen& screen() { return screen_; }
  SceneHost& scene_host() { return scenes_; }
  LessonHost& lessons() { return lessons_; }
  LessonView& lesson_view() { return lesson_view_; }
  Lecture& lecture() { return lecture_; }
  MarkLayer const& mark_layer() const { return marks_; }
  FileQuestions& files() { return files_; }
  Documents& documents() { return documents_; }
  GalleryPage& gallery() { return gallery_; }
  PictureSaver& pictures() { return pictures_; }
  Sharing& sharing() { return sharing_; }
  Measurements& measurements() { return measurements_; }
  HelpLists& help() { return help_; }

private:
  void make_commands();
  void take_input();
  Frame begin_layout(double elapsed_seconds, Panels& bare);
  FrameFacts advance(Frame const& frame);
  /// Draws the menus and panels. Returns the position at which the space for menus ends.
  float draw_gui(Frame const& frame);
  void draw_lecture(Frame const& frame, MenuContext const& menus);
  void draw_dialogs(Look const& look);
  void show_wanted_scene();
  void draw_scene();
  void cancel();
  /// Prepares for another scene to replace the current one.
  void leave_scene();

  UserSettings settings_;
  Notices notices_;
  Attempts attempts_;
  Screen screen_;
  ShownPanels panels_;
  Charts charts_;
  FileQuestions files_;
  SceneHost scenes_;
  LessonHost lessons_;
  LessonView lesson_view_;
  Lecture lecture_;
  MarkLayer marks_;
  Documents documents_;
  GalleryPage gallery_;
  PageMaker pages_;
  PictureSaver pictures_;
  Measurements measurements_;
  Sharing sharing_;
  HelpLists help_;
  UserInput input_;
};

}  // namespace slotscape
