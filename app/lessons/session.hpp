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

/// How it stands with the task of the page that is shown.
struct TaskState {
  enum class Stage : std::uint8_t {
    asking,
    working,  ///< the scene does what the answer is about
    told,     ///< the answer was met with what is right
  };
  Stage stage = Stage::asking;
  bool right = false;     ///< the last answer was
  bool revealed = false;  ///< the answer was shown unasked, since the page began
  bool hinted = false;
  std::string told;                   ///< Markdown, after an answer
  std::optional<std::size_t> option;  ///< the chosen one
  std::optional<Slot> chosen;         ///< the slot that the user clicked
  std::vector<Finding> findings;      ///< of a challenge: one for each condition
};

/// Someone goes through a lesson, page by page. Whoever owns it calls `follow` once a frame, enters the scenario that
/// `take_scenario` then gives, and draws the rest. It knows the scene only as a `Subject`.
class Session {
public:
  /// Throws Error if the page of the progress cannot be opened.
  Session(SceneList scenes, FindFile find, Lesson lesson, Progress progress);

  Lesson const& lesson() const { return lesson_; }
  Page const& page() const { return page_; }
  std::size_t number() const { return progress_.page; }  ///< of the page, from 0
  std::size_t count() const { return lesson_.pages.size(); }
  Progress const& progress() const { return progress_; }
  int points() const { return points_of(progress_); }
  int points_possible() const;
  bool has_task(std::size_t page) const;
  int points_here() const;  ///< of this page
  /// Whether the answer to this question was shown unasked, now or before: it brings no points any more.
  bool was_shown() const;
  /// The right answer that was given to this page's question since the lesson was opened; else empty.
  std::string const& solved_with() const;
  /// Whether a question of the page is open. (A challenge is none: what helps with it may be shown.)
  bool asks() const;
  /// Whether a task of any kind is open.
  bool waits() const { return page_.task && state_.stage != TaskState::Stage::told; }
  /// Whether an option can be chosen: at first, and again after a wrong one.
  bool takes_choice() const;
  bool is_tour() const { return lesson_.pages[number()].is_scenario; }

  bool has_next() const { return number() + 1 < count(); }
  bool has_previous() const { return number() > 0; }
  /// The page as it was left, or with another question where a wrong answer showed the solution. An answer that is
  /// given is judged first; who asks again leaves at once, and the answer counts as none. Throws Error if the page
  /// cannot be opened; then the present one stays.
  void go_to(std::size_t number);
  /// How often a page has begun: another number, another question.
  std::uint64_t visit() const { return visit_; }
  /// The page from its beginning, or another variant of it.
  void restart();
  void another();

  /// The page's text, with the numbers of its scene as it began.
  std::string const& text() const { return text_; }
  /// What to say of measurements that did not come out as they should; empty if they did, or are not made yet.
  std::string const& doubt() const { return doubt_; }
  TaskState const& task() const { return state_; }
  /// Whether the page's scene has begun, and nothing is left to do.
  bool settled() const { return begun_ && jobs_.empty(); }
  bool begun() const { return begun_; }
  /// What the scene does meanwhile, of which the share is done; nothing where it says nothing.
  std::optional<ProgressSnapshot> const& awaited() const { return awaited_; }
  /// How long the page has waited to begin.
  double seconds_waited() const { return seconds_waited_; }
  Json const& statistics() const { return now_; }  ///< the latest
  /// Takes those of now, as after an answer was played to its end.
  void update_statistics(Subject& scene);
  Names names() const;

  void choose_option(std::size_t option);
  /// `otherwise`: what the typed text may have meant as well; it counts where it is right.
  void give_number(double number, std::optional<double> otherwise = {});
  void take_hint();
  void press(Button const& button) { add(button.change); }
  /// Shows what is right: for who solves nothing, as a lecturer.
  void reveal();
  /// Does the stored solution, or gives the right answer: for tests and pictures.
  void solve(Subject& scene);

  /// The scenario to enter before the next `follow`.
  std::optional<Scenario> take_scenario() { return std::exchange(wanted_, std::nullopt); }
  /// Once a frame, before the scene advances. Throws Error if the scene refuses what the page wants.
  void follow(Subject& scene, double seconds);

  /// Reads the lesson's files again if they have changed, or if another language is in use: then its answers stay.
  /// Returns what is wrong with them; then the old pages stay.
  std::string const& watch(double seconds);

private:
  /// Takes the statistics of the page's scene as it begins.
  struct Begin {};
  /// Tells what became of an answer, which `right` decides.
  struct Judge {
    std::function<void(Subject&)> judge;
  };
  using Job = std::variant<Scenario, Change, Begin, Judge>;

  /// `other`: how many questions like the page's first came before.
  void open(std::size_t number, int other);
  void add(Change const& change);
  /// given: the answer, if it was given in a word.
  void judge(bool right, std::string const& told, std::string const& given = {});
  /// What the operation will do, having measured the scene; nothing if it ends without a slot.
  std::optional<double> predicted(Prediction const& prediction, Subject& scene);
  void judge_prediction(Prediction const& prediction, Subject& scene, double given);
  /// `otherwise`: see `give_number`.
  void judge_number(Number const& number, Subject& scene, std::optional<double> given, std::optional<double> otherwise);
  void show_operation(Prediction const& prediction);
  bool measure(Subject& scene);
  void fill_in_texts();
  void watch_challenge(Subject& scene, double seconds);
  /// The lesson as its files have it now.
  Lesson read_again() const;
  void reload();
  void reword();
  std::uint64_t seed_of(int other) const;
  void resize_progress();

  SceneList scenes_;
  FindFile find_;
  Lesson lesson_;
  Progress progress_;
  /// By page: the answer to the question that is shown there.
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
  std::vector<std::optional<std::filesystem::file_time_type>> written_;  ///< when each file was, as it was read
  Catalogue const* said_in_ = catalogue_in_use();                        ///< the language of the pages
  std::string broken_;
};

/// "1 point", "2 points".
std::string points_text(int points);
/// How a lesson went: "Your score: **9 of 12 points**. Pages 2 and 5 are still open."
std::string score_text(Session const& session);

}  // namespace slotscape::lessons
