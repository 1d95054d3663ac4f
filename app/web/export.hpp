#pragma once

#include "app/base/json.hpp"
#include "app/lessons/lesson.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slotscape::web {

/// What the program says and shows of a page that a page of its own cannot run.
struct RecordedPage {
  std::string text;            ///< Markdown, with the numbers of the scene
  std::string picture = {};    ///< PNG
  Json statistics = {};        ///< of the scene: what the picture shows is said in words, too
  bool shows_numbers = false;  ///< of tables: they are not what is asked for
  std::string device = {};     ///< that the scene ran on
  std::string question = {};   ///< Markdown; empty: the page has no task
  std::string answer = {};     ///< the same, as told after the right answer
};
/// Records a page of the lesson, by its number from 0.
using RecordPage = std::function<RecordedPage(std::size_t page)>;

/// The module that pages run (app/web/module.cmake), compressed: installed with the program, or in the build tree that
/// it was built in. Throws Error that says how to get it.
std::filesystem::path module_file(std::filesystem::path const& executable);

inline constexpr std::uint64_t max_page_bytes = 3'000'000;

/// How pages are written.
struct PageOptions {
  bool xapi = false;                       ///< they report to the record store that a launch names
  std::optional<std::uint32_t> pass = {};  ///< percent of the points; none: whoever answered everything is through
};

/// A lesson as a page.
struct ExportedLesson {
  std::string name = {};
  std::string title = {};
  std::string about = {};
  std::string page = {};  ///< HTML that needs no other file
  std::size_t pages = 0;
  int points = 0;                                    ///< that can be had on it
  std::map<std::size_t, std::string> recorded = {};  ///< those of its pages that are recorded only, from 0, and why
};

/// What a page holds of its lesson: `name`; `lesson`, a document that names no files, and whose pages can all be shown;
/// of those pages that are `recorded`, by their number, what there is instead of a scene; and `edition`, by which
/// handed-in answers know the lesson again. Throws Error if the lesson is a playlist or a scenario.
Json page_data(SceneList scenes, lessons::Lesson const& lesson, lessons::FindFile const& find,
               RecordPage const& record);

/// Throws Error as `page_data`, and if the page would be larger than `max_page_bytes`.
ExportedLesson export_lesson(SceneList scenes, lessons::Lesson const& lesson, lessons::FindFile const& find,
                             std::filesystem::path const& module, RecordPage const& record,
                             PageOptions const& options = {});

/// The page that leads to those of several lessons, which lie beside it as NAME.html.
std::string index_page(std::vector<ExportedLesson> const& lessons);

/// A text in HTML or XML.
std::string escaped_markup(std::string text);

/// A scene in words, by its statistics: tables with their keys and, if these are no secret, `accesses`; models; threads
/// with what they do next.
std::string described(Json const& statistics, bool accesses);

/// Whether keys or pairs that it speaks of are in a file.
bool names_file(Json const& json);

}  // namespace slotscape::web
