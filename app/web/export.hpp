#pragma once

#include "app/base/json.hpp"
#include "app/lessons/lesson.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace slotscape::web {

/// What the program says and shows of a page that a page of its own cannot run.
struct RecordedPage {
  std::string text;           ///< Markdown, with the numbers of the scene
  std::string picture = {};   ///< PNG
  std::string device = {};    ///< that the scene ran on
  std::string question = {};  ///< Markdown; empty: the page has no task
  std::string answer = {};    ///< the same, as told after the right answer
};
/// Records a page of the lesson, by its number from 0.
using RecordPage = std::function<RecordedPage(std::size_t page)>;

/// The module that pages run (app/web/module.cmake), compressed: installed with the program, or in the build tree that
/// it was built in. Throws Error that says how to get it.
std::filesystem::path module_file(std::filesystem::path const& executable);

inline constexpr std::uint64_t max_page_bytes = 3'000'000;

/// What was written, and which of its pages are recorded only.
struct ExportedLesson {
  std::filesystem::path file;
  std::uint64_t bytes = 0;
  std::vector<std::size_t> recorded = {};  ///< from 0
};

/// What a page holds of its lesson: `name`; `lesson`, a document that names no files, and whose pages can all be shown;
/// and of those pages that are `recorded`, by their number, what there is instead of a scene.
Json page_data(SceneList scenes, lessons::Lesson const& lesson, lessons::FindFile const& find,
               RecordPage const& record);

/// Writes FOLDER/NAME.html: the lesson as one page that needs no other file. Throws Error if it is a playlist or a
/// scenario, if the page would be larger than `max_page_bytes`, or if it cannot be written.
ExportedLesson export_lesson(SceneList scenes, lessons::Lesson const& lesson, lessons::FindFile const& find,
                             std::filesystem::path const& module, RecordPage const& record,
                             std::filesystem::path const& folder);

}  // namespace slotscape::web
