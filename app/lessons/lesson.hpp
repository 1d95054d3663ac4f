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

/// What a page does to its scene: a list of steps on what is there or, if it is an object, changes to the page's set-up
/// (a JSON merge patch), which is then shown anew.
struct Change {  // NOLINT(bugprone-exception-escape): moving a Json does not throw
  Json json;
  std::string path;  ///< in the lesson's file, for errors
  bool is_anew() const { return json.is_object(); }
};

/// Make the statistics meet these conditions.
struct Challenge {  // NOLINT(bugprone-exception-escape): moving a Json does not throw
  std::vector<Condition> until;
  Change solution;
  std::vector<Change> also;     ///< that solve it, too
  std::vector<Change> not_yet;  ///< that do not solve it, though they come near
};

/// Foretell one operation: by a click on a slot, or by a number.
struct Prediction {  // NOLINT(bugprone-exception-escape): moving a Json does not throw
  enum class Asks : std::uint8_t { slot, accesses, moves };
  Json operation;  ///< in the scene's words
  std::string path;
  Asks asks = Asks::slot;
  std::string answer;  ///< expression that the author expects; empty: the scene alone knows
};

struct Option {
  std::string text;
  std::string tell;  ///< what is said to who chooses it
  std::optional<Change> show;
  bool right = false;
};
struct Choice {
  std::vector<Option> options;
};
/// "A" of the first option.
std::string letter_of(std::size_t option);

/// Compute or estimate a number.
struct Number {
  std::string answer;  ///< expression; its statistics are those after `after`
  double within = 0.0;
  double factor = 1.0;  ///< right up to this factor, too
  std::optional<Change> after;
};

/// Of `Task::of`, in its order, as files have them.
inline constexpr std::array<std::string_view, 4> task_kinds{"challenge", "prediction", "choice", "number"};

struct Task {
  std::string ask;
  std::string hint;
  std::string tell;                 ///< said after an answer, right or wrong
  std::vector<Condition> leads_to;  ///< that the author claims of the scene after the right answer
  std::variant<Challenge, Prediction, Choice, Number> of;
};

struct Button {
  std::string label;
  Change change;
};

/// What measurements are to look like, and what to say of those that do not: a machine may have been busy with other
/// things. The page then offers to measure again.
struct Measured {
  std::vector<Condition> expected;
  std::string otherwise;
};

/// A page with its variables drawn, checked and ready to be shown.
struct Page {  // NOLINT(bugprone-exception-escape): moving a Json does not throw
  std::string title;
  std::string text;              ///< Markdown; may still hold expressions of statistics
  std::string notes;             ///< for a speaker alone
  Json set_up;                   ///< a scenario
  std::filesystem::path folder;  ///< of paths in it
  Scenario scenario;             ///< which that is
  Panels panels;
  std::vector<Condition> claims;  ///< that the author makes about the scene as it begins
  std::optional<Measured> measured;
  std::vector<Button> buttons;
  std::optional<Task> task;
  Variables variables;
  bool varies = false;  ///< another seed may make another page
  std::shared_ptr<JsonSource> source;
  std::string path;  ///< in its file
};

/// Where a page is written. It is read anew for each seed.
struct PageSource {
  std::shared_ptr<Json const> document;
  Json const* page = nullptr;       ///< in the document
  Json const* set_up = nullptr;     ///< of this page or of the last one that has any; null: a table as at the start
  Json const* variables = nullptr;  ///< of the whole lesson; null: none
  Json const* view = nullptr;       ///< the same
  std::shared_ptr<JsonSource> source;
  std::string path;
  std::string lesson = {};   ///< the title of its lesson
  bool is_scenario = false;  ///< a scenario of its own, with a caption in place of a text
};

/// Pages to go through: of a lesson, of a tour of scenarios, or of a playlist of both.
struct Lesson {
  std::string name;  ///< of its file, without folder and ending
  std::string title;
  std::string about;  ///< in one line
  std::vector<PageSource> pages;
  Paths files;    ///< that it was read from
  Paths sources;  ///< those of them that name the others
};

inline constexpr std::size_t max_words = 60;  ///< of a page's text

/// Whether a document is a lesson or a playlist rather than a scenario.
bool is_lesson(Json const& document);

/// Reads a lesson, a playlist or a scenario, and checks every page as the first seed draws it. `find` turns the name of
/// a file, in a playlist or of a set-up, into its path. Throws Error that names the file, and the path of an invalid
/// field ("pages[2].task.until[0].below"), and says what is expected; OutsideFile where it names a file beyond its
/// reach.
using FindFile = std::function<std::filesystem::path(JsonNode const& name)>;
Lesson read_lesson(SceneList scenes, std::filesystem::path const& file, FindFile const& find,
                   Reach reach = Reach::folder);
/// The same of a document that was read already; `file` names it.
Lesson lesson_of_document(SceneList scenes, Json document, std::filesystem::path const& file, FindFile const& find);
/// Scenarios one after the other.
Lesson lesson_of_scenarios(SceneList scenes, std::string title, Paths const& files, FindFile const& find);
/// Several lessons and scenarios one after the other.
Lesson joined(std::vector<Lesson> lessons);

/// The page as this seed draws it. Throws Error as `read_lesson`.
Page open_page(SceneList scenes, PageSource const& source, std::uint64_t seed, FindFile const& find);

/// What a change makes of a page's scenario. Throws Error at an invalid one.
Scenario changed(SceneList scenes, Page const& page, Change const& change);

}  // namespace slotscape::lessons

namespace slotscape {

template <>
std::span<EnumName<lessons::Prediction::Asks> const> enum_names();

}  // namespace slotscape
