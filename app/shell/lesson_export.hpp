#pragma once

#include "app/base/child_process.hpp"
#include "app/lessons/lesson.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace slotscape {

/// Writes a lesson as a page for browsers, or as a package for courses, beside the window: another process of this
/// program does it (`slotscape lesson export`), because pages may have to be recorded. Ended with the object.
class LessonExport {
public:
  explicit LessonExport(std::filesystem::path program) : program_(std::move(program)) {}
  /// Throws Error if a lesson is being written, or this one is made of several files.
  void check(lessons::Lesson const& lesson) const;
  /// file: .html or .zip; what is there is replaced. language: a code; empty: as the environment says. Throws Error as
  /// `check`.
  void start(lessons::Lesson const& lesson, std::filesystem::path const& file, std::string const& language);
  bool busy() const { return child_ != nullptr; }
  void cancel() { child_.reset(); }
  /// The file, once it is written. Call it every frame. Throws Error if it could not be.
  std::optional<std::filesystem::path> take();

private:
  std::filesystem::path program_;
  std::unique_ptr<ChildProcess> child_;  ///< null: nothing is being written
  std::filesystem::path file_;
};

}  // namespace slotscape
