#pragma once

#include "app/base/enum_names.hpp"
#include "app/lessons/condition.hpp"
#include "app/scene/scenario.hpp"

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace slotscape::lessons {

/// What a page does to its scene: a list of steps for the current scene or, if it is an object, changes to the page's
/// set-up (a JSON merge patch), which is then shown anew.
struct Change {  // NOLINT(bugprone-exception-escape): moving a Json does not throw
  Json json;
  std::string path;  ///< position in the lesson's file, for error messages
  bool is_anew() const { return json.is_object(); }
};

/// A task: make the statistics meet these conditions.
struct Challenge {  // NOLINT(bugprone-exception-escape): moving a Json does not throw
  std::vector<Condition> until;
  Change solution;
  std::vector<Change> also;     ///< other solutions
  std::vector<Change> not_yet;  ///< near misses, which do not solve it
};

/// A task: predict an operation, by clicking a slot or by entering a number.
struct Prediction {  // NOLINT(bugprone-exception-escape): moving a Json does not throw
  enum class Asks : std::uint8_t { slot, accesses, moves };
  Json operation;  ///< in the scene's format
  std::string path;
  Asks asks = Asks::slot;
  std::string answer;  ///< expression expected by the author; empty: only the scene knows
};

struct Option {
  std::string text;
  std::string tell;  ///< the reaction if the option is chosen
  std::optional<Change> show;
  bool right = false;
};
struct Choice {
  std::vector<Option> options;
};
/// "A" for the first option.
std::string letter_of(std::size_t option);

/// A task: compute or estimate a number.
struct Number {
  std::string answer;  ///< expression; evaluated with the statistics after `after`
  double within = 0.0;
  double factor = 1.0;  ///< answers off by up to this factor are right, too
  std::optional<Change> after;
};

/// The kinds of `Task::of`, in its order, as named in files.
inline constexpr std::array<std::string_view, 4> task_kinds{"challenge", "prediction", "choice", "number"};

struct Task {
  std::string ask;
  std::string hint;
  std::string tell;                 ///< shown after an answer, right or wrong
  std::vector<Condition> leads_to;  ///< the author's claims about the scene after the right answer
  std::variant<Challenge, Prediction, Choice, Number> of;
};

struct Button {
  std::string label;
  Change change;
};

/// The expected results of measurements, and a text for unexpected ones: the machine may have been busy. The page then
/// offers to measure again.
struct Measured {
  std::vector<Condition> expected;
  std::string otherwise;
};

/// A page whose variables have been drawn, checked and ready to be shown.
struct Page {  // NOLINT(bugprone-exception-escape): moving a Json does not throw
  std::string title;
  std::string text;              ///< Markdown; may still contain expressions of statistics
  std::string notes;             ///< for the speaker only
  Json set_up;                   ///< a scenario
  std::filesystem::path folder;  ///< the folder that paths in the set-up are relative to
  Scenario scenario;             ///< the parsed set-up
  Panels panels;
  std::vector<Condition> claims;  ///< the author's claims about the scene as it begins
  std::optional<Measured> measured;
  std::vector<Button> buttons;
  std::optional<Task> task;
  Variables variables;
  bool varies = false;  ///< another seed may give another page
  std::shared_ptr<JsonSource> source;
  std::string path;  ///< position of the page in its file
};

/// The source of a page, which is read anew for each seed.
struct PageSource {
  std::shared_ptr<Json const> document;
  Json const* page = nullptr;       ///< the page in its document
  Json const* set_up = nullptr;     ///< of this page, or the last earlier one; null: the initial table
  Json const* variables = nullptr;  ///< variables of the whole lesson; null: none
  Json const* view = nullptr;       ///< view shared by the whole lesson; null: none
  std::shared_ptr<JsonSource> source;
  std::string path;
  std::string lesson = {};   ///< title of the page's lesson
  bool is_scenario = false;  ///< a separate scenario, with a caption instead of a text
};

/// The pages of a lesson, of a tour of scenarios, or of a playlist of both.
struct Lesson {
  std::string name;  ///< name of the file, without folder and ending
  std::string title;
  std::string about;  ///< a one-line description
  std::vector<PageSource> pages;
  Paths files;    ///< the files it was read from
  Paths sources;  ///< the files that were opened: a playlist, but not the lessons that it names
};

inline constexpr std::size_t max_words = 60;  ///< limit for the text of a page

/// Whether a document is a lesson or a playlist rather than a scenario.
bool is_lesson(Json const& document);

/// Reads a lesson, a playlist or a scenario, and checks every page as drawn by the first seed. `find` turns the name of
/// a file, in a playlist or of a set-up, into its path. Throws Error that names the file and the path of an invalid
/// field ("pages[2].task.until[0].below"), and says what is expected; throws OutsideFile if it names a file beyond its
/// reach.
using FindFile = std::function<std::filesystem::path(JsonNode const& name)>;
Lesson read_lesson(SceneList scenes, std::filesystem::path const& file, FindFile const& find,
                   Reach reach = Reach::folder);
/// Reads a lesson from a parsed document; `file` names it.
Lesson lesson_of_document(SceneList scenes, Json document, std::filesystem::path const& file, FindFile const& find);
/// A lesson of several scenarios in sequence.
Lesson lesson_of_scenarios(SceneList scenes, std::string title, Paths const& files, FindFile const& find);
/// Several lessons and scenarios in sequence.
Lesson joined(std::vector<Lesson> lessons);

/// The page as drawn by this seed. Throws Error as `read_lesson` does.
Page open_page(SceneList scenes, PageSource const& source, std::uint64_t seed, FindFile const& find);

/// Applies a change to a page's scenario. Throws Error if the change is invalid.
Scenario changed(SceneList scenes, Page const& page, Change const& change);

}  // namespace slotscape::lessons

namespace slotscape {

template <>
std::span<EnumName<lessons::Prediction::Asks> const> enum_names();

}  // namespace slotscape
