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

/// What became of handed-in answers.
struct Graded {
  std::string file = {};     ///< its name
  std::string student = {};  ///< as typed into the page
  std::string lesson = {};
  std::optional<std::uint64_t> seed = {};  ///< none: it could not be read
  std::vector<int> points = {};            ///< of each page
  int possible = 0;
  std::string remark = {};  ///< all that is odd about the file, or why it could not be graded: then `points` is empty
};

/// Computes points again from files that pages save (assets/web/answers.js): the lesson is gone through once more with
/// the same seed and the same requests. Who made them, a file cannot say.
class Grader {
public:
  /// For one file: a page asks for nothing that takes so long.
  static constexpr std::chrono::milliseconds max_time = std::chrono::minutes(1);

  /// `scenes`: of the program. Lessons are looked for in the present folder and in the library. What a file asks for is
  /// ended after `time`.
  Grader(SceneList scenes, lessons::Library library, std::chrono::milliseconds time = max_time)
      : scenes_(scenes), library_(std::move(library)), time_(time)
  {
  }

  /// Throws no Error: what is wrong is a remark.
  Graded grade(std::filesystem::path const& file);
  /// All that was handed in: a student's second file of a lesson is remarked on, too.
  std::vector<Graded> grade(std::vector<std::filesystem::path> const& files);

private:
  Json const& data_of(JsonNode const& lesson, std::string const& language);
  void go_through(JsonNode const& answers, Graded& graded);

  SceneList scenes_;
  lessons::Library library_;
  std::chrono::milliseconds time_;
  std::map<std::pair<std::string, std::string>, Json> data_;  ///< `page_data` of lessons, by language and name
};

/// As a file of comma-separated values, with a line of names, which are English: programs read them.
std::string grades_csv(std::vector<Graded> const& grades);
/// As lines of a terminal, in which long texts are shortened.
std::string grades_text(std::vector<Graded> const& grades);

}  // namespace slotscape::web
