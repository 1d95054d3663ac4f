#pragma once

#include "app/base/field_error.hpp"
#include "app/cli/command_line.hpp"
#include "app/dialogs/file_dialog.hpp"
#include "app/dialogs/gallery.hpp"
#include "app/dialogs/page_dialog.hpp"
#include "app/dialogs/slide_dialog.hpp"
#include "app/dialogs/trust_dialog.hpp"
#include "app/export/picture_copier.hpp"
#include "app/gl/context.hpp"
#include "app/gl/image.hpp"
#include "app/gui/gui.hpp"
#include "app/lessons/library.hpp"
#include "app/lessons/own_question.hpp"
#include "app/lessons/panel.hpp"
#include "app/lessons/presenter.hpp"
#include "app/lessons/session.hpp"
#include "app/lessons/vote_fields.hpp"
#include "app/scene/scenario.hpp"
#include "app/shell/lesson_export.hpp"
#include "app/shell/presenter_window.hpp"
#include "app/shell/settings_file.hpp"
#include "app/shell/window_recorder.hpp"
#include "app/table_map/mark_tools.hpp"
#include "app/widgets/toasts.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

inline constexpr double dialog_fades_seconds = 0.25;  ///< the window stays dimmed this long after a dialog closes

/// Which part of a frame a picture shows.
enum class PicturePart : std::uint8_t {
  everything,
  chart,  ///< that fills the canvas
};

/// How a lesson is begun.
struct LessonStart {
  std::optional<std::uint64_t> page = {};  ///< from 0; else the first one in a lecture, and where it was left
  std::optional<std::uint64_t> seed = {};  ///< of its variants; else the student's
  bool lecture = false;                    ///< for an audience
};

/// Everything that lives as long as the program. The scene is destroyed first, the OpenGL context last.
class App {
public:
  /// Starts with the scenario, or with the remembered scene. Throws Error if the backend or the presenter is
  /// unavailable, or if the scenario's scene cannot be created.
  App(std::unique_ptr<gl::Context> context, Options const& options, UserSettings const& settings,
      std::optional<Scenario> const& first = std::nullopt);
  ~App();

  Scene& current_scene() { return *scene_; }
  SceneEntry const& current_entry() const { return *entry_; }
  /// Switches to a scene: in the state in which it was left or saved, or derived from the others (`SceneEntry::enter`).
  void show(SceneEntry const& entry);
  gl::Context& context() { return *context_; }
  Toasts& toasts() { return toasts_; }
  lessons::PanelState const& lesson_panel() const { return lesson_panel_; }

  /// Draws one frame. Errors are shown to the user, or thrown after `let_errors_out()`.
  void frame(double elapsed_seconds);
  void let_errors_out() { errors_go_out_ = true; }
  /// From now on, messages are not drawn: they would cover a picture that nobody sees before its end.
  void hide_notices() { shows_notices_ = false; }
  /// From now on, pages of lessons are for paper: from their top, without messages and advice on the map.
  void draw_sheets()
  {
    draws_sheets_ = true;
    hide_notices();
  }
  /// From now on, no frame waits longer than this for the work of a scene (`Scene::have_patience`).
  void set_max_wait(double seconds);
  bool closing() const { return closing_; }
  /// From now on, whoever uses the interface opens and writes no files with it, because it may not be the user of this
  /// machine; those that come with the program are left.
  void close_files() { files_closed_ = true; }
  bool quiet() const;
  bool moving() const { return !scene_->quiet() || !scene_->ready() || !chosen_.empty(); }
  InputCounts const& input() const { return gui_->input(); }
  void forget_frame_times() { frame_times_ = {}; }

  /// The last frame; `save_picture_of_next_frame` writes the next one, or a part of it.
  gl::Image picture() const;
  /// A part of it.
  gl::Image picture_of(Rectangle const& place) const;
  /// The speaker's notes of a lesson's page, in place of a frame.
  gl::Image picture_of_notes();
  /// What is on the canvas, for slides. Throws Error if it cannot be drawn or written.
  void save_slide(std::filesystem::path const& file, SlideSettings const& settings);
  void save_picture_of_next_frame(std::filesystem::path const& file, PicturePart part, double wait_seconds = 0.0);

  /// Opens a dropped or chosen file: a scenario here, any other file in the current scene, or else in a scene that
  /// opens this kind. On failure, shows why and changes nothing.
  void open(std::filesystem::path const& file, Reach reach = Reach::folder);
  /// What the scene's statistics file would say now.
  SceneStatistics statistics() const;
  /// Shows the scene without menus, and without panels until the user wants them: a part of another page.
  void embed();

  /// Opens what is of use among files that were dropped together, and names the others.
  void open_dropped(Paths const& files);

  /// Goes through a lesson, a tour or a playlist. Throws Error if its page cannot be opened; nothing changes then.
  void start_lesson(lessons::Lesson lesson, LessonStart const& start = {});
  /// Shows what is wrong with a lesson, and starts it once `read` can read it.
  void await_lesson(std::function<lessons::Lesson()> read, LessonStart const& start, std::string const& error);
  /// Brings back what was there before the lesson.
  void end_lesson();
  /// Whether the settings say in which variant it was begun.
  bool knows_variant_of(lessons::Lesson const& lesson) const { return progress_of(kept_as(lesson)).seed != 0; }
  /// The lesson that is on; null if none is.
  lessons::Session* lesson() { return lesson_ ? &lesson_->session : nullptr; }

  /// The vote on the question of the lesson's page; null: none was begun.
  lessons::Vote* vote();
  /// Whether there are fields for it.
  /// Whether the lecturer's own question has taken the place of the page.
  bool asks_own() const;
  bool counts_votes();
  /// What was drawn over the scene by hand.
  Marks const& marks() const { return marks_; }

  /// Writes a scenario that brings back the scene as it is, and tells the user which files that are.
  void save_set_up(std::filesystem::path const& file);
  /// Writes the statistics as JSON and as CSV files; an empty path skips one.
  void write_statistics(std::filesystem::path const& json, std::filesystem::path const& csv_folder);
  UserSettings user_settings() const;
  /// Ends a recording that is on, and waits for it; returns what to say of it, empty if there was none.
  std::string finish_recording();

  /// Writes the scene as it is, if the user has done something that can be undone or has opened a file, and it is quick
  /// to write.
  void keep_for_next_start(std::filesystem::path const& file);
  /// Offers to open what was kept, if there is something.
  void offer_last_session(std::filesystem::path const& file);
  /// A scenario was opened from a file: what is shown at the end is kept for the next start.
  void note_opened() { opened_ = true; }
  /// Shows lessons, tours, scenes and files to begin with.
  void open_gallery();
  bool shows_gallery() const { return gallery_.open(); }
  /// What the program's words mean. Throws Error if the list is not installed.
  void show_words() { word_list_.show(library_.words()); }
  /// A file that was opened or saved, for the list of those used lately.
  void note_recent(std::filesystem::path const& file);

private:
  struct WantedPicture {
    std::filesystem::path file;
    PicturePart part;
    double wait_seconds;  ///< until a closed dialog has faded
  };

  /// A scene that was shown before.
  struct LeftScene {
    SceneEntry const* entry;
    SceneSetup set_up;
    SceneSetup for_others;
    ScenarioWords words = {};
    bool shows_words = true;
    std::unique_ptr<Scene> scene = {};  ///< with its undo history; null: it could not wait
  };

  /// A lesson that is on, and what to go back to.
  struct ShownLesson {
    lessons::Session session;
    Scenario before;
    bool worth_keeping;  ///< the user had done something before
    bool lecture;
    bool has_begun = false;                    ///< a page's scene has taken the place of the one before
    std::unique_ptr<Scene> scene_before = {};  ///< with its undo history; null: it could not wait
    std::vector<LeftScene> left_before = {};   ///< `left_` without the lesson, whose page has scenes of its own
    bool black = false;                        ///< nothing is shown, for a while
    std::uint64_t counted_visit = 0;           ///< of the page whose votes are being counted; 0: none are
    std::uint64_t own_visit = 0;               ///< of the page on which the lecturer's own question is asked; 0: none
    std::vector<lessons::Wish> wishes = {};
    std::string broken = {};                ///< what is wrong with its file
    std::optional<std::size_t> noted = {};  ///< the page whose notes were printed
    std::uint64_t named_visit = 0;          ///< of the page that `words` are of; 0: none
    std::string named_title = {};           ///< of the lesson then, in the language of then
    lessons::LessonWords words = {};
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  };

  /// A lesson that could not be read yet.
  struct BrokenLesson {
    std::function<lessons::Lesson()> read;
    LessonStart start;
    std::string error;
    double until_retried = 0.0;
  };

  void enter_first(Scenario const& scenario);
  Progress first_opening();
  bool draw_opening(ProgressSnapshot const& progress);
  void clear_framebuffer();
  /// Restores a scene. If that fails, shows its defaults and a message.
  void enter_remembered(SceneEntry const& entry, SceneSetup set_up, Arrival arrival);
  void enter(Scenario const& scenario);
  /// What the user brings: no page of a lesson, which is closed for it, and goes on later.
  void enter_own(Scenario const& scenario);
  /// What a page of the lesson shows, in place of all scenes of the page before.
  void enter_page(Scenario const& scenario);
  /// Keeps the user's scene and those that they have left until the lesson ends, if its first scene comes.
  void put_away_before_lesson();
  /// Before another scene, `next`, takes the place of the present one.
  void leave_scene(SceneEntry const& next);
  void use_scene(SceneEntry const& entry, std::unique_ptr<Scene> scene, ScenarioWords const& words = {});
  /// Null if the scene was not shown before.
  LeftScene const* left_as(SceneEntry const& entry) const;
  /// Shows a scene as it was left, with its undo history if it has waited.
  void go_back_to(SceneEntry const& entry);
  /// The present scene has waited.
  void come_back();
  OtherSetups other_setups(SceneEntry const& entry) const;
  /// Has errors shown. `refuses`: the work is what the user has asked for, and its error goes with what they do next.
  void attempt(std::function<void()> const& work, bool refuses = false);
  /// The device has failed: goes on on the CPU, as far as it is known without the device what there was.
  void go_on_without_device();
  void remake_scene();

  void make_commands();
  void add_file_commands();
  bool worth_keeping() const;
  void go_on_where_they_were();
  void add_keyboard_commands();
  void add_undo_commands();
  void undo_or_redo(void (Scene::*change)());
  void add_scene_commands();
  void add_lesson_commands();
  std::vector<Command> lecture_commands();
  std::vector<Command> vote_commands();
  void add_gallery_commands();
  void draw_recent_menu();
  void draw_gallery();
  GalleryCard card_of(lessons::Listed const& lesson);
  GalleryShelf recent_files();
  void cancel();
  /// The list of words or of keys, whichever lies above; returns whether one was open.
  bool close_help();
  void toggle_panels();
  void ask_for_file_to_open();
  void ask_for_scene(FileQuestion question);
  void ask_where_to_save(std::string title, std::string proposed, std::vector<FileKind> files,
                         std::function<void(std::filesystem::path const&)> save);
  void ask_where_to_save_picture();
  void ask_where_to_save_slide();
  void save_wanted_slide();
  /// Saves, and tells the user.
  std::function<void(std::filesystem::path const&)> saved(std::function<void(std::filesystem::path const&)> save);
  void ask_for_files(FileQuestion question);
  /// Throws Error if files are closed.
  void require_files() const;
  void ask_to_trust(std::string document, OutsideFile const& outside, std::function<void()> go_on);

  void add_recording_command();
  void record_or_stop();
  void ask_where_to_record();
  void add_clipboard_commands();
  void copy_set_up();
  void copy_link();
  void paste_set_up();
  void paste_set_up(std::string const& text, Reach reach);
  std::filesystem::path folder_of_pasted() const;
  void copy_numbers();
  void want_picture_copied();
  void copy_wanted_picture();

  bool lecturing() const { return lesson_ && lesson_->lecture; }
  lessons::Progress progress_of(std::string const& name) const;
  /// Under what progress is kept: the name of a lesson of the program's, the path of any other.
  std::string kept_as(lessons::Lesson const& lesson) const;
  void bring_back_scene(Scenario const& before, std::unique_ptr<Scene> waited);
  void draw_lesson_menu();
  /// Asks what a page that is made of the present table says. Throws Error that says why it cannot be one.
  void ask_for_page();
  void ask_where_to_save_page();
  void export_lesson_or_stop();
  void follow_export();
  void write_new_lesson(std::filesystem::path const& file, Json const& page);
  void append_page_to(std::filesystem::path const& file, Json const& page);
  /// Writes it only if it can be read, and shows its last page.
  void write_lesson(std::filesystem::path const& file, Json const& lesson);
  /// The lesson at its last page, which was just made.
  void show_new_page(std::filesystem::path const& file);
  void start_tour();
  void retry_lesson(double elapsed_seconds);
  /// The lessons that come with the program, read once.
  std::vector<lessons::Listed> const& lesson_list();
  lessons::LessonWords const& lesson_words();
  void start_next_lesson();
  void wish_in_lesson(lessons::Wish wish);
  /// Whether a key may do this now: not where it would answer or spoil an open question. Says why not, or how to undo
  /// that keys go.
  bool lesson_lets(Command const& command);
  /// Whether a lesson's question takes what is typed.
  bool answers() const { return lesson_ && !lesson_->lecture && words_in_strip().empty(); }
  bool answer(char character);
  bool answer_with_enter();
  /// The next page, or what is right on this one.
  void go_on();
  void go_back();
  void set_lecture(bool on);
  void count_votes_or_stop();
  bool stops_own_question();
  void ask_own_question_or_stop();
  void draw_own_question(Look const& look);
  void show_votes();
  void ask_where_to_save_votes();
  Rectangle free_in_lecture();
  void draw_lecture_page(Look const& look);
  std::vector<Command> mark_commands();
  MarkCanvas mark_canvas() const;
  void draw_marks(Look const& look);
  void open_or_close_presenter();
  void draw_presenter(double elapsed_seconds);
  void note_next_page();
  void note_question();
  void press_in_presenter(lessons::PresenterPress press);
  void follow_lesson(double elapsed_seconds);
  void set_look();
  /// Takes its place from the window.
  ScenarioWords words_in_strip() const;
  bool has_lesson_below() const;
  Rectangle place_lesson(Rectangle& window) const;
  void draw_lesson(Look const& look);
  void close_lesson();
  void print_notes();

  void note_window_size();
  void take_input();
  void draw_gui(Frame const& frame);
  void draw_notices(Frame const& frame);
  void tell_findings();
  /// Forgets what was said in another language.
  void follow_language();
  /// Those of the scene, with its findings.
  void draw_file_dialog(Look const& look);
  void show_wanted_scene();
  void save_wanted_chart();
  void draw_scene();
  void save_wanted_picture(PicturePart part, Rectangle const& place);
  /// Files of one kind.
  void open_together(Paths const& files, Reach reach = Reach::folder);
  void open_document(std::filesystem::path const& file, Reach reach);
  /// Returns whether the files are open now.
  bool open_with_scene(Paths const& files);
  void note_times(FrameFacts const& times);
  Rectangle window_below_menu() const;

  std::unique_ptr<gl::Context> context_;
  std::unique_ptr<Presenters> presenters_;
  std::unique_ptr<Gui> gui_;
  std::unique_ptr<PresenterWindow> presenter_;  ///< null: it is not open
  lessons::PresenterFacts presented_;           ///< in it
  std::uint64_t presented_visit_ = 0;           ///< of the page that they are of; 0: none
  DeviceFacts device_;
  UserSettings settings_;                ///< those of the current scene date from when it was entered
  Background theme_ = Background::dark;  ///< that of the settings, unless an option tells another one
  SceneEntry const* entry_ = nullptr;
  std::unique_ptr<Scene> scene_;
  std::vector<LeftScene> left_;  ///< the latest first
  std::vector<Command> commands_;
  std::vector<Command> lecture_commands_;      ///< before all others, in a lecture
  std::vector<Command> question_commands_;     ///< before these, where its page asks something
  std::vector<Command> vote_commands_;         ///< before these, while votes are counted
  std::vector<Command> mark_commands_;         ///< before all, while the pen is out
  std::vector<std::function<void()>> chosen_;  ///< menu entries, run in the next frame
  Panels panels_;
  bool embedded_ = false;        ///< in another page
  Panels panels_before_hiding_;  ///< what Tab brings back
  lessons::Library library_;
  std::optional<std::vector<lessons::Listed>> listed_;  ///< once they were asked for
  std::unique_ptr<ShownLesson> lesson_;
  std::optional<BrokenLesson> broken_lesson_;
  lessons::PanelState lesson_panel_;
  Marks marks_;
  MarkTools mark_tools_;
  std::uint64_t marked_visit_ = 0;                   ///< of the page that they are on; 0: of none
  std::map<std::string, lessons::Votes> votes_;      ///< by the name of their lesson, since the start
  std::map<std::string, lessons::Votes> own_votes_;  ///< the same, on the lecturer's own questions
  lessons::OwnQuestion own_question_;
  lessons::VoteFields vote_fields_;
  Rectangle lesson_place_;
  ScenarioWords words_;      ///< of the scenario that is shown
  bool opened_ = false;      ///< a scenario, from a file, since the start
  bool shows_words_ = true;  ///< until the user closes them
  Rectangle messages_;       ///< where errors are shown, below the scene
  Charts charts_;
  Toasts toasts_;
  bool edits_ = false;  ///< the user has changed something in a control since the scene last advanced
  FileDialog files_{toasts_};
  WindowRecorder recorder_{toasts_};
  float menus_end_ = 0.0f;  ///< from the left of the window: where the strip of a recording ends
  std::unique_ptr<PictureCopier> copier_;
  bool wants_picture_copied_ = false;
  FrameTimes frame_times_;
  FrameFacts latest_times_;
  std::optional<WantedPicture> wanted_picture_;
  SlideDialog slides_;
  PageDialog page_dialog_;
  LessonExport lesson_export_;
  TrustDialog trust_;
  Gallery gallery_;
  lessons::WordList word_list_;
  std::filesystem::path last_session_;  ///< what was kept for this start; empty: nothing
  std::filesystem::path wanted_slide_;  ///< to write after this frame
  std::string last_notice_;
  Catalogue const* said_in_ = nullptr;  ///< in the last frame: the catalogue in use
  Findings told_findings_;              ///< since a file was opened
  Findings shown_findings_;             ///< as notices, as long as they hold
  bool key_list_ = false;
  bool has_pictures_ = false;
  bool closing_ = false;
  bool files_closed_ = false;
  bool errors_go_out_ = false;
  bool shows_notices_ = true;
  bool draws_sheets_ = false;
  std::string lost_device_;                 ///< why the device has failed, until the end of the frame
  std::optional<double> max_wait_seconds_;  ///< none: frames wait for the work of the scene
  gl::Size window_size_{};                  ///< the latest one, which the display can no longer tell once it is lost
};

}  // namespace slotscape
