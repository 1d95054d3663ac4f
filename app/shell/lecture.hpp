#pragma once

#include "app/lessons/own_question.hpp"
#include "app/lessons/presenter.hpp"
#include "app/lessons/vote_fields.hpp"
#include "app/shell/file_questions.hpp"
#include "app/shell/lesson_view.hpp"
#include "app/shell/presenter_window.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

/// A lesson for an audience. Its pages fill the screen, the audience votes on questions by show of hands, and the
/// lecturer has notes and a separate window.
class Lecture {
public:
  Lecture(LessonHost& lessons, LessonView const& view, SceneHost const& scenes, Screen& screen, FileQuestions& files,
          Attempts& attempts);

  bool on() const { return lessons_.lecturing(); }
  /// Prints the notes of a new page to the terminal.
  void print_notes();
  /// The page's speaker notes, drawn instead of a frame.
  gl::Image picture_of_notes();

  /// The vote on the question of the lesson's page; null if none has begun.
  lessons::Vote* vote();
  /// Whether the fields for counting votes are shown.
  bool counts_votes();
  /// Whether the lecturer's own question is shown instead of the page.
  bool asks_own() const;
  /// Handles a character that no field took. Returns whether it was for a vote.
  bool type(char character);

  /// The area that the page's text leaves free.
  Rectangle free_place();
  void draw(Look const& look);
  /// Draws the presenter's window; to be called after the frame is drawn.
  void draw_presenter(double elapsed_seconds);

  void add_commands(std::vector<Command>& commands);
  /// Commands that take precedence over all others, in this order: for counting votes, for the page's question, and for
  /// the lecture.
  std::vector<std::span<Command const>> commands_now();

private:
  /// State of the current lesson.
  struct State {
    bool black = false;                     ///< the screen is blanked for a while
    std::uint64_t counted_visit = 0;        ///< visit of the page whose votes are being counted; 0: none
    std::uint64_t own_visit = 0;            ///< visit of the page with the lecturer's own question; 0: none
    std::optional<std::size_t> noted = {};  ///< the last page whose notes have been printed
    std::chrono::steady_clock::time_point start = {};
  };

  void begin(bool replaces);
  void set(bool on);
  /// Goes to the next page, or reveals the answer on this one.
  void go_on();
  void go_back();
  void count_votes_or_stop();
  void show_votes();
  void ask_where_to_save_votes();
  bool stops_own_question();
  void ask_own_question_or_stop();
  void draw_own_question(Look const& look);
  void draw_page(Look const& look);
  void open_or_close_presenter();
  void note_next_page();
  void note_question();
  void press(lessons::PresenterPress press);
  lessons::Session const& session() const { return *lessons_.session(); }

  LessonHost& lessons_;
  LessonView const& view_;
  SceneHost const& scenes_;
  Screen& screen_;
  FileQuestions& files_;
  Attempts& attempts_;
  State state_;
  std::vector<Command> page_commands_;
  std::vector<Command> question_commands_;
  std::vector<Command> vote_commands_;
  std::map<std::string, lessons::Votes> votes_;      ///< since the start, by lesson name
  std::map<std::string, lessons::Votes> own_votes_;  ///< likewise, for the lecturer's own questions
  lessons::OwnQuestion own_question_;
  lessons::VoteFields vote_fields_;
  std::unique_ptr<PresenterWindow> presenter_;  ///< null if closed
  lessons::PresenterFacts presented_;           ///< the facts that the presenter's window shows
  std::uint64_t presented_visit_ = 0;           ///< visit of the presented page; 0: none
};

}  // namespace slotscape
