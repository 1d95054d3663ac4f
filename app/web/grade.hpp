#pragma once

#include "app/lessons/library.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slotscape::web {

/// The result of grading a file of answers.
struct Graded {
  std::string file = {};     ///< name of the file
  std::string student = {};  ///< as typed into the page
  std::string lesson = {};
  std::optional<std::uint64_t> seed = {};  ///< nullopt: the file could not be read
  std::vector<int> points = {};            ///< points for each page
  int possible = 0;
  std::string remark = {};  ///< oddities of the file, or why it could not be graded: then `points` is empty
};

/// Recomputes points from files saved by pages (assets/web/answers.js): replays the lesson with the same seed and the
/// same requests. A file does not prove who made it.
class Grader {
public:
  /// Time limit per file: requests of a page never take that long.
  static constexpr std::chrono::milliseconds max_time = std::chrono::minutes(1);

  /// `scenes`: those of the program. Lessons are searched for in the current folder and in the library. Grading a file
  /// ends after `time`.
  Grader(SceneList scenes, lessons::Library library, std::chrono::milliseconds time = max_time)
      : scenes_(scenes), library_(std::move(library)), time_(time)
  {
  }

  /// Never throws Error: problems become remarks.
  Graded grade(std::filesystem::path const& file);
  /// Grades all files, and remarks on a student's second file for the same lesson.
  std::vector<Graded> grade(std::vector<std::filesystem::path> const& files);

private:
  Json const& data_of(JsonNode const& lesson, std::string const& language);
  void go_through(JsonNode const& answers, Graded& graded);

  SceneList scenes_;
  lessons::Library library_;
  std::chrono::milliseconds time_;
  std::map<std::pair<std::string, std::string>, Json> data_;  ///< `page_data` of lessons, by language and name
};

/// A CSV file with a header in English, to be read by programs.
std::string grades_csv(std::vector<Graded> const& grades);
/// Lines for a terminal, with long texts shortened.
std::string grades_text(std::vector<Graded> const& grades);

}  // namespace slotscape::web
