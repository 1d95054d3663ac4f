#pragma once

#include "app/lessons/lesson.hpp"
#include "app/lessons/word_list.hpp"

namespace slotscape::lessons {

/// A lesson that comes with the program, as lists show it.
struct Listed {
  std::uint64_t number = 0;  ///< that its name begins with; 0 without any
  std::string name;
  std::string title;
  std::string about;
  int max_points = 0;  ///< of all its tasks
  std::filesystem::path file;
};

/// "6. Robin Hood", or the title alone.
std::string numbered_title(Listed const& lesson);

/// How lists and panels name what is shown.
struct LessonWords {
  std::string title;  ///< of the page's lesson, with its number: "Lesson 6: Robin Hood"
  std::string next;   ///< that of the lesson that follows the last page; empty: none does
};
LessonWords words_of(std::vector<Listed> const& all, Lesson const& lesson, std::size_t page);
/// The one that follows in the list; null after the last, and after what is not in the list.
Listed const* lesson_after(std::vector<Listed> const& all, Lesson const& lesson);

/// What comes with the program, in folders such as `scenario_folders` lists.
class Library {
public:
  explicit Library(std::vector<std::filesystem::path> folders) : folders_(std::move(folders)) {}

  /// The lessons of the first folder that has any, by number. A broken one has only its name.
  std::vector<Listed> lessons() const;
  /// What the program's words mean: the file `words.md`. Throws Error if it is not installed.
  std::vector<Explanation> words() const;
  /// The scenarios of the tour, in order.
  Paths tour() const;

  /// The file of a lesson, a playlist or a scenario: a path, from `folder` on or from the present one; or one of those
  /// that come with the program, where the ending, and all of a lesson's name after its number, may be left out.
  /// Returns the name itself if there is no such file.
  std::filesystem::path find(std::string const& name, std::filesystem::path const& folder = {}) const;
  /// For what documents name: throws OutsideFile unless it is within their reach or comes with the program.
  FindFile finder() const;

private:
  std::vector<std::filesystem::path> folders_;
};

}  // namespace slotscape::lessons
