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

/// How a lesson is begun.
struct LessonStart {
  std::optional<std::uint64_t> page = {};  ///< from 0; else the first one in a lecture, and where it was left
  std::optional<std::uint64_t> seed = {};  ///< of its variants; else the student's
  bool lecture = false;                    ///< for an audience
};

/// The lesson, tour or playlist that the user goes through, those that come with the program, and the progress in all.
class LessonHost {
public:
  /// panels: a page of a lesson says which are shown; the user's come back at its end.
  LessonHost(SceneHost& scenes, UserSettings& settings, Panels& panels, Toasts& toasts, Attempts& attempts);

  lessons::Library const& library() const { return library_; }
  /// The lessons that come with the program, read once.
  std::vector<lessons::Listed> const& list();
  lessons::Progress progress_of(std::string const& name) const;
  /// Whether the settings say in which variant it was begun.
  bool knows_variant_of(lessons::Lesson const& lesson) const { return progress_of(kept_as(lesson)).seed != 0; }
  /// Puts the progress in the lesson that is on into the settings.
  void keep_progress(UserSettings& settings) const;

  /// Goes through a lesson, a tour or a playlist. Throws Error if its page cannot be opened; nothing changes then.
  void start(lessons::Lesson lesson, LessonStart const& start = {});
  /// The same for the lesson in a file, which it goes on with where it was left.
  void open(std::filesystem::path const& file, Reach reach = Reach::folder);
  void start_tour();
  void start_next();
  /// Shows what is wrong with a lesson, and starts it once `read` can read it.
  void await(std::function<lessons::Lesson()> read, LessonStart const& start, std::string const& error);
  /// `use` is called whenever a lesson has started: whether another one was on.
  void when_started(std::function<void(bool replaces)> use) { started_.push_back(std::move(use)); }
  /// Brings back what was there before the lesson.
  void end();
  /// The same, or, without a lesson, the words of the scenario are closed.
  void close();
  /// What the user brings: no page of a lesson, which is closed for it, and goes on later.
  void enter_own(Scenario const& scenario);

  /// The lesson that is on; null if none is.
  lessons::Session* session() { return lesson_ ? &lesson_->session : nullptr; }
  lessons::Session const* session() const { return lesson_ ? &lesson_->session : nullptr; }
  bool lecturing() const { return lesson_ && lesson_->lecture; }
  void set_lecturing(bool on) { lesson_->lecture = on; }
  /// How the lesson's list and panel name it.
  lessons::LessonWords const& words();
  /// What is wrong with its file, or empty.
  std::string const& broken() const { return lesson_->broken; }
  /// What the user has asked of the lesson, before the next frame.
  void wish(lessons::Wish wish);
  void go_on();
  void go_back();
  /// Whether a key may do this now: not where it would answer or spoil an open question. Says why not, or how to undo
  /// that keys go.
  bool lets(Command const& command);

  /// Call every frame, before the scene advances. Returns whether another page has come.
  bool follow(double elapsed_seconds);
  /// Call every frame: forgets what was said in another language.
  void follow_language();

  void add_page_commands(std::vector<Command>& commands);
  void add_closing_commands(std::vector<Command>& commands);

private:
  struct ShownLesson {
    lessons::Session session;
    bool lecture = false;
    std::vector<lessons::Wish> wishes = {};
    std::string broken = {};        ///< what is wrong with its file
    std::uint64_t named_visit = 0;  ///< of the page that `words` are of; 0: none
    std::string named_title = {};   ///< of the lesson then, in the language of then
    lessons::LessonWords words = {};
  };

  /// A lesson that could not be read yet.
  struct BrokenLesson {
    std::function<lessons::Lesson()> read;
    LessonStart start;
    std::string error;
    double until_retried = 0.0;
  };

  /// Under what progress is kept: the name of a lesson of the program's, the path of any other.
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
  std::optional<std::vector<lessons::Listed>> listed_;  ///< once they were asked for
  std::optional<ShownLesson> lesson_;
  std::optional<BrokenLesson> broken_lesson_;
  std::vector<std::function<void(bool)>> started_;
  Catalogue const* said_in_;  ///< in the last frame: the catalogue in use
};

}  // namespace slotscape
