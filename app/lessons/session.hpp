#pragma once

#include "app/lessons/lesson.hpp"
#include "app/lessons/progress.hpp"
#include "gpu/base/progress.hpp"
#include "gpu/base/translation.hpp"

#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace slotscape::lessons {

/// The state of the current page's task.
struct TaskState {
  enum class Stage : std::uint8_t {
    asking,
    working,  ///< the scene carries out the operation that was asked about
    told,     ///< the answer has been judged and the right one shown
  };
  Stage stage = Stage::asking;
  bool right = false;     ///< the last answer was right
  bool revealed = false;  ///< the answer was shown without an attempt, since the page began
  bool hinted = false;
  std::string told;                   ///< reaction to an answer, in Markdown
  std::optional<std::size_t> option;  ///< the chosen option
  std::optional<Slot> chosen;         ///< the slot that the user clicked
  std::vector<Finding> findings;      ///< for a challenge: one per condition
};

/// A user's way through a lesson, page by page. Its owner calls `follow` once a frame, enters the scenario that
/// `take_scenario` then returns, and draws the rest. The session knows the scene only as a `Subject`.
class Session {
public:
  /// Throws Error if the progress's page cannot be opened.
  Session(SceneList scenes, FindFile find, Lesson lesson, Progress progress);

  Lesson const& lesson() const { return lesson_; }
  Page const& page() const { return page_; }
  std::size_t number() const { return progress_.page; }  ///< of the current page, from 0
  std::size_t count() const { return lesson_.pages.size(); }
  Progress const& progress() const { return progress_; }
  int points() const { return points_of(progress_); }
  int points_possible() const;
  bool has_task(std::size_t page) const;
  int points_here() const;  ///< points for the current page
  /// Whether the answer to this question has been shown without an attempt: it no longer brings points.
  bool was_shown() const;
  /// The right answer given to this page's question since the lesson was opened; otherwise empty.
  std::string const& solved_with() const;
  /// Whether a question of the page is open. (Challenges do not count, because the scene may help to solve them.)
  bool asks() const;
  /// Whether a task of any kind is open on this page.
  bool waits() const { return page_.task && state_.stage != TaskState::Stage::told; }
  /// Whether an option can be chosen: at first, and again after a wrong choice.
  bool takes_choice() const;
  bool is_tour() const { return lesson_.pages[number()].is_scenario; }

  bool has_next() const { return number() + 1 < count(); }
  bool has_previous() const { return number() > 0; }
  /// Opens a page as it was left, or with another question if a wrong answer revealed the solution. An answer in
  /// progress is judged first; a repeated call leaves at once, and the answer does not count. Throws Error if the page
  /// cannot be opened; the current page then stays open.
  void go_to(std::size_t number);
  /// The number of page visits so far, counting each variant of a question.
  std::uint64_t visit() const { return visit_; }
  /// Restarts the page, or opens another variant of it.
  void restart();
  void another();

  /// The page's text, with numbers of its scene as of the beginning.
  std::string const& text() const { return text_; }
  /// A note on measurements that are not as expected; empty if they are, or have not been made yet.
  std::string const& doubt() const { return doubt_; }
  TaskState const& task() const { return state_; }
  /// Whether the page's scene has begun and there is nothing left to do.
  bool settled() const { return begun_ && jobs_.empty(); }
  bool begun() const { return begun_; }
  /// The scene's current work and its progress; nothing if the scene does not report any.
  std::optional<ProgressSnapshot> const& awaited() const { return awaited_; }
  /// How long the page has been waiting to begin.
  double seconds_waited() const { return seconds_waited_; }
  Json const& statistics() const { return now_; }  ///< the most recent statistics
  /// Updates the statistics, such as after an answer was played to its end.
  void update_statistics(Subject& scene);
  Names names() const;

  void choose_option(std::size_t option);
  /// `otherwise`: an alternative reading of the typed text, used if it is right.
  void give_number(double number, std::optional<double> otherwise = {});
  void take_hint();
  void press(Button const& button) { add(button.change); }
  /// Shows the right answer, for users who do not answer themselves, such as lecturers.
  void reveal();
  /// Applies the stored solution or gives the right answer, for tests and pictures.
  void solve(Subject& scene);

  /// The scenario to enter before the next `follow`.
  std::optional<Scenario> take_scenario() { return std::exchange(wanted_, std::nullopt); }
  /// Call once a frame, before the scene advances. Throws Error if the scene rejects the page's request.
  void follow(Subject& scene, double seconds);

  /// Reloads the lesson's files if they have changed, or if the language has changed; in that case, answers are kept.
  /// Returns what is wrong with them; the old pages are kept then.
  std::string const& watch(double seconds);

private:
  /// Records the statistics of the page's scene as it begins.
  struct Begin {};
  /// Judges an answer and shows the reaction.
  struct Judge {
    std::function<void(Subject&)> judge;
  };
  using Job = std::variant<Scenario, Change, Begin, Judge>;

  /// `other`: the number of earlier variants of the page's question.
  void open(std::size_t number, int other);
  void add(Change const& change);
  /// given: the answer, if it can be shown in a word.
  void judge(bool right, std::string const& told, std::string const& given = {});
  /// Measures the scene and predicts the operation; nothing if the operation ends without a slot.
  std::optional<double> predicted(Prediction const& prediction, Subject& scene);
  void judge_prediction(Prediction const& prediction, Subject& scene, double given);
  /// `otherwise`: see `give_number`.
  void judge_number(Number const& number, Subject& scene, std::optional<double> given, std::optional<double> otherwise);
  void show_operation(Prediction const& prediction);
  bool measure(Subject& scene);
  void fill_in_texts();
  void watch_challenge(Subject& scene, double seconds);
  /// The lesson as currently in its files.
  Lesson read_again() const;
  void reload();
  void reword();
  std::uint64_t seed_of(int other) const;
  void resize_progress();

  SceneList scenes_;
  FindFile find_;
  Lesson lesson_;
  Progress progress_;
  /// The right answers to the current questions, by page.
  std::vector<std::string> solved_with_;
  Page page_;
  std::uint64_t visit_ = 0;
  TaskState state_;
  std::string text_;
  std::string doubt_;
  Json start_;
  Json now_;
  bool begun_ = false;
  std::optional<ProgressSnapshot> awaited_;
  double seconds_waited_ = 0.0;
  std::deque<Job> jobs_;
  std::optional<Scenario> wanted_;
  double until_measured_ = 0.0;

  double until_watched_ = 0.0;
  std::vector<std::optional<std::filesystem::file_time_type>> written_;  ///< modification times as the files were read
  Catalogue const* said_in_ = catalogue_in_use();                        ///< language of the pages
  std::string broken_;
};

/// "1 point", "2 points".
std::string points_text(int points);
/// The result of a lesson: "Your score: **9 of 12 points**. Pages 2 and 5 are still open."
std::string score_text(Session const& session);

}  // namespace slotscape::lessons
