#pragma once

#include "app/base/child_process.hpp"
#include "app/lessons/lesson.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace slotscape {

/// Exports a lesson as a web page or as a course package in the background. Another process of this program does it
/// (`slotscape lesson export`), because pages may have to be recorded. The process is ended when the object is
/// destroyed.
class LessonExport {
public:
  explicit LessonExport(std::filesystem::path program) : program_(std::move(program)) {}
  /// Throws Error if an export is running, or if the lesson consists of several files.
  void check(lessons::Lesson const& lesson) const;
  /// file: .html or .zip; an existing file is replaced. language: a code; empty: as set in the environment. Throws
  /// Error like `check`.
  void start(lessons::Lesson const& lesson, std::filesystem::path const& file, std::string const& language);
  bool busy() const { return child_ != nullptr; }
  void cancel() { child_.reset(); }
  /// The file, once it is written; to be called every frame. Throws Error if the export failed.
  std::optional<std::filesystem::path> take();

private:
  std::filesystem::path program_;
  std::unique_ptr<ChildProcess> child_;  ///< null: no export is running
  std::filesystem::path file_;
};

}  // namespace slotscape
