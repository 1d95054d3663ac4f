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

/// `slotscape lesson ...` and `slotscape lecture ...`: pages to work through, to show, or to give away.
class LessonCommand {
public:
  /// Adds both commands and their options to a command line that is about to be parsed.
  explicit LessonCommand(CLI::App& app);
  LessonCommand(LessonCommand const&) = delete;
  LessonCommand& operator=(LessonCommand const&) = delete;

  /// The one that was given; null if none was.
  CLI::App const* given() const;
  /// Reads the options; the command line need not live any longer. Throws Error at an invalid one.
  void interpret();

  // as interpreted
  bool lecture = false;
  std::vector<std::string> files;     ///< names; empty: list the lessons
  std::optional<std::uint64_t> page;  ///< from 0
  std::optional<std::uint64_t> variant;
  bool check = false;
  bool solved = false;
  bool headless = false;
  std::filesystem::path record;
  std::filesystem::path web;  ///< the folder of `lesson export`; empty: nothing is exported
  Reach reach = Reach::folder;

private:
  void add_common(CLI::App& command);

  struct Typed {
    std::string page;
    std::string variant;
    std::string record;
    std::string web;
  };
  Typed typed_;
  CLI::App* lesson_;
  CLI::App* lecture_;
  CLI::App* export_;  ///< of a lesson
};

}  // namespace slotscape
