#pragma once

#include "app/base/json.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slotscape {

/// `slotscape lesson ...` and `slotscape lecture ...`: pages to work through, to present or to hand out.
class LessonCommand {
public:
  /// Adds both commands and their options to a command line that is about to be parsed.
  explicit LessonCommand(CLI::App& app);
  LessonCommand(LessonCommand const&) = delete;
  LessonCommand& operator=(LessonCommand const&) = delete;

  /// The command that was given; null if none was.
  CLI::App const* given() const;
  /// Whether `web` is a page rather than a folder.
  bool web_is_page() const;
  /// Reads the options; the parser may be destroyed afterwards. Throws Error if one is invalid.
  void interpret();

  // options, as interpreted
  bool lecture = false;
  std::vector<std::string> files;     ///< lesson names; empty: list the lessons
  std::optional<std::uint64_t> page;  ///< number of the first page, from 0
  std::optional<std::uint64_t> variant;
  bool check = false;
  bool solved = false;
  bool headless = false;
  std::filesystem::path record;
  bool exports = false;           ///< `lesson export`
  std::filesystem::path web;      ///< the folder for web pages, or a single page; empty: none
  std::filesystem::path package;  ///< the SCORM 1.2 package; empty: none
  bool all = false;               ///< every bundled lesson
  bool xapi = false;
  std::optional<std::uint32_t> pass;  ///< percent
  bool grades = false;                ///< `lesson grade`
  std::vector<std::filesystem::path> answers;
  std::filesystem::path csv;
  Reach reach = Reach::folder;

private:
  void add_common(CLI::App& command);
  void add_export();
  void add_grade();
  void interpret_export();

  struct Typed {
    std::string page;
    std::string variant;
    std::string record;
    std::string web;
    std::string package;
    std::string pass;
    std::vector<std::string> answers;
    std::string csv;
  };
  Typed typed_;
  CLI::App* lesson_;
  CLI::App* lecture_;
  CLI::App* export_;  ///< the subcommand `lesson export`
  CLI::App* grade_;   ///< the subcommand `lesson grade`
};

}  // namespace slotscape
