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

/// A lesson for an audience: its pages fill the screen, the audience votes on their questions by show of hands, and the
/// lecturer has notes and a window of their own.
class Lecture {
public:
  Lecture(LessonHost& lessons, LessonView const& view, SceneHost const& scenes, Screen& screen, FileQuestions& files,
          Attempts& attempts);

  bool on() const { return lessons_.lecturing(); }
  /// A page has come: the terminal gets its notes.
  void print_notes();
  /// The speaker's notes of the page, in place of a frame.
  gl::Image picture_of_notes();

  /// The vote on the question of the lesson's page; null: none was begun.
  lessons::Vote* vote();
  /// Whether there are fields for it.
  bool counts_votes();
  /// Whether the lecturer's own question has taken the place of the page.
  bool asks_own() const;
  /// A character that no field got. Returns whether it was for a vote.
  bool type(char character);

  /// What is left below the page's text.
  Rectangle free_place();
  void draw(Look const& look);
  /// The presenter's window, once the frame is there.
  void draw_presenter(double elapsed_seconds);

  void add_commands(std::vector<Command>& commands);
  /// Before all others, in this order: while votes are counted, where its page asks something, and in a lecture.
  std::vector<std::span<Command const>> commands_now();

private:
  /// What it keeps of the lesson that is on.
  struct State {
    bool black = false;                     ///< nothing is shown, for a while
    std::uint64_t counted_visit = 0;        ///< of the page whose votes are being counted; 0: none are
    std::uint64_t own_visit = 0;            ///< of the page on which the lecturer's own question is asked; 0: none
    std::optional<std::size_t> noted = {};  ///< the page whose notes were printed
    std::chrono::steady_clock::time_point start = {};
  };

  void begin(bool replaces);
  void set(bool on);
  /// The next page, or what is right on this one.
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
  std::map<std::string, lessons::Votes> votes_;      ///< by the name of their lesson, since the start
  std::map<std::string, lessons::Votes> own_votes_;  ///< the same, on the lecturer's own questions
  lessons::OwnQuestion own_question_;
  lessons::VoteFields vote_fields_;
  std::unique_ptr<PresenterWindow> presenter_;  ///< null: it is not open
  lessons::PresenterFacts presented_;           ///< in it
  std::uint64_t presented_visit_ = 0;           ///< of the page that they are of; 0: none
};

}  // namespace slotscape
