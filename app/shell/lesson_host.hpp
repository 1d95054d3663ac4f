#pragma once

#include "app/lessons/library.hpp"
#include "app/lessons/panel.hpp"
#include "app/lessons/session.hpp"
#include "app/scene/commands.hpp"
#include "app/shell/attempts.hpp"
#include "app/shell/scene_host.hpp"
#include "app/shell/settings_file.hpp"
#include "app/widgets/toasts.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// Options for starting a lesson.
struct LessonStart {
  std::optional<std::uint64_t> page = {};  ///< from 0; default: where it was left, or the first one in a lecture
  std::optional<std::uint64_t> seed = {};  ///< seed of the variants; default: the student's
  bool lecture = false;                    ///< starts it as a lecture, for an audience
};

/// Manages the current lesson, tour or playlist, the installed ones, and the user's progress.
class LessonHost {
public:
  /// panels: a lesson's page chooses them; the user's are restored at its end.
  LessonHost(SceneHost& scenes, UserSettings& settings, Panels& panels, Toasts& toasts, Attempts& attempts);

  lessons::Library const& library() const { return library_; }
  /// The installed lessons, read once.
  std::vector<lessons::Listed> const& list();
  lessons::Progress progress_of(std::string const& name) const;
  /// Whether the settings know the variant in which the lesson was begun.
  bool knows_variant_of(lessons::Lesson const& lesson) const { return progress_of(kept_as(lesson)).seed != 0; }
  /// Saves the progress in the current lesson to the settings.
  void keep_progress(UserSettings& settings) const;

  /// Starts a lesson, a tour or a playlist. Throws Error if its page cannot be opened, and then changes nothing.
  void start(lessons::Lesson lesson, LessonStart const& start = {});
  /// Starts the lesson in a file where it was left. Throws Error like `start`.
  void open(std::filesystem::path const& file, Reach reach = Reach::folder);
  void start_tour();
  void start_next();
  /// Shows the error of a lesson that cannot be read, and starts it once `read` succeeds.
  void await(std::function<lessons::Lesson()> read, LessonStart const& start, std::string const& error);
  /// Registers `use`, which is called whenever a lesson has started. replaces: another one was open.
  void when_started(std::function<void(bool replaces)> use) { started_.push_back(std::move(use)); }
  /// Ends the lesson and restores the user's previous scenes.
  void end();
  /// Ends the lesson or, without one, closes the scenario's text.
  void close();
  /// Shows the user's own scenario. It does not belong to the current lesson, which is closed and can be resumed later.
  void enter_own(Scenario const& scenario);

  /// The current lesson, or null.
  lessons::Session* session() { return lesson_ ? &lesson_->session : nullptr; }
  lessons::Session const* session() const { return lesson_ ? &lesson_->session : nullptr; }
  bool lecturing() const { return lesson_ && lesson_->lecture; }
  void set_lecturing(bool on) { lesson_->lecture = on; }
  /// The lesson's name in its list and panel.
  lessons::LessonWords const& words();
  /// What is wrong with the lesson's file; empty if nothing is.
  std::string const& broken() const { return lesson_->broken; }
  /// Queues a user's request to the lesson for the next frame.
  void wish(lessons::Wish wish);
  void go_on();
  void go_back();
  /// Whether a key may run this command now: not if it would answer or spoil an open question. Explains a refusal, or
  /// how to undo the removal of keys.
  bool lets(Command const& command);

  /// To be called every frame, before the scene advances. Returns whether a new page has opened.
  bool follow(double elapsed_seconds);
  /// Removes texts in another language. Call this every frame.
  void follow_language();

  void add_page_commands(std::vector<Command>& commands);
  void add_closing_commands(std::vector<Command>& commands);

private:
  struct ShownLesson {
    lessons::Session session;
    bool lecture = false;
    std::vector<lessons::Wish> wishes = {};
    std::string broken = {};        ///< errors in its file
    std::uint64_t named_visit = 0;  ///< visit of the page that `words` belong to; 0: none
    std::string named_title = {};   ///< the lesson's title at that time and in that language
    lessons::LessonWords words = {};
  };

  /// A lesson that could not be read so far.
  struct BrokenLesson {
    std::function<lessons::Lesson()> read;
    LessonStart start;
    std::string error;
    double until_retried = 0.0;
  };

  /// The key for a lesson's progress: the name of an installed lesson, or the path of any other.
  std::string kept_as(lessons::Lesson const& lesson) const;
  void retry(double elapsed_seconds);
  void show_page(Scenario const& scenario);
  void draw_menu();

  SceneHost& scenes_;
  UserSettings& settings_;
  Panels& panels_;
  Toasts& toasts_;
  Attempts& attempts_;
  lessons::Library library_;
  std::optional<std::vector<lessons::Listed>> listed_;  ///< the installed lessons; empty until they are requested
  std::optional<ShownLesson> lesson_;
  std::optional<BrokenLesson> broken_lesson_;
  std::vector<std::function<void(bool)>> started_;
  Catalogue const* said_in_;  ///< the catalogue of the last frame
};

}  // namespace slotscape
