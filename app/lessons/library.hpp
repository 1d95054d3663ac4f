#pragma once

#include "app/lessons/lesson.hpp"
#include "app/lessons/word_list.hpp"

namespace slotscape::lessons {

/// A bundled lesson, as shown in lists.
struct Listed {
  std::uint64_t number = 0;  ///< the number at the start of its name; 0 if there is none
  std::string name;
  std::string title;
  std::string about;
  int max_points = 0;  ///< points for all tasks together
  std::filesystem::path file;
};

/// "6. Robin Hood", or the title alone.
std::string numbered_title(Listed const& lesson);

/// The titles of lessons in lists and panels.
struct LessonWords {
  std::string title;  ///< of the page's lesson, with its number: "Lesson 6: Robin Hood"
  std::string next;   ///< title of the lesson after the last page; empty: none
};
LessonWords words_of(std::vector<Listed> const& all, Lesson const& lesson, std::size_t page);
/// The next lesson in the list; null after the last one, and for lessons that are not in the list.
Listed const* lesson_after(std::vector<Listed> const& all, Lesson const& lesson);

/// The bundled files, in folders such as those of `scenario_folders`.
class Library {
public:
  explicit Library(std::vector<std::filesystem::path> folders) : folders_(std::move(folders)) {}

  /// The lessons of the first folder that has any, sorted by number. A broken lesson has only a name.
  std::vector<Listed> lessons() const;
  /// The glossary: the file `words.md`. Throws Error if it is not installed.
  std::vector<Explanation> words() const;
  /// The scenarios of the tour, in order.
  Paths tour() const;

  /// The file of a lesson, a playlist or a scenario: a path, relative to `folder` or to the working folder; or the name
  /// of a bundled file, without its ending if desired, and for a lesson, without everything after its number. Returns
  /// the name itself if there is no such file.
  std::filesystem::path find(std::string const& name, std::filesystem::path const& folder = {}) const;
  /// For files that documents name: throws OutsideFile unless the file is within the document's reach or bundled.
  FindFile finder() const;

private:
  std::vector<std::filesystem::path> folders_;
};

}  // namespace slotscape::lessons
