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

/// The program's text and picture for a lesson page that a web page cannot run.
struct RecordedPage {
  std::string text;            ///< Markdown, with the numbers of the scene
  std::string picture = {};    ///< PNG
  Json statistics = {};        ///< of the scene, to describe the picture in words
  bool shows_numbers = false;  ///< of tables: whether numbers may be shown, since they do not give away the answer
  std::string device = {};     ///< the device that ran the scene
  std::string question = {};   ///< Markdown; empty: the page has no task
  std::string answer = {};     ///< the question as shown after the right answer
};
/// Records a page of the lesson, by its number from 0.
using RecordPage = std::function<RecordedPage(std::size_t page)>;

/// The compressed module that pages run (app/web/module.cmake), installed with the program or in its build tree. Throws
/// Error that says how to get it.
std::filesystem::path module_file(std::filesystem::path const& executable);

inline constexpr std::uint64_t max_page_bytes = 3'000'000;

/// Options for writing pages.
struct PageOptions {
  bool xapi = false;                       ///< report to the record store named at launch
  std::optional<std::uint32_t> pass = {};  ///< percent of the points; nullopt: answering everything is enough to pass
};

/// A lesson as a web page.
struct ExportedLesson {
  std::string name = {};
  std::string title = {};
  std::string about = {};
  std::string page = {};  ///< self-contained HTML
  std::size_t pages = 0;
  int points = 0;                                    ///< maximum points
  std::map<std::size_t, std::string> recorded = {};  ///< numbers of pages that are only recorded, from 0, and why
};

/// The data of a page: `name`; `lesson`, a document that names no files, and whose pages can all be shown; `recorded`,
/// the replacements for scenes by page number; and `edition`, by which handed-in answers identify the lesson. Throws
/// Error if the lesson is a playlist or a scenario.
Json page_data(SceneList scenes, lessons::Lesson const& lesson, lessons::FindFile const& find,
               RecordPage const& record);

/// Throws Error like `page_data`, and if the page would be larger than `max_page_bytes`.
ExportedLesson export_lesson(SceneList scenes, lessons::Lesson const& lesson, lessons::FindFile const& find,
                             std::filesystem::path const& module, RecordPage const& record,
                             PageOptions const& options = {});

/// A page with links to those of several lessons, which are beside it as NAME.html.
std::string index_page(std::vector<ExportedLesson> const& lessons);

/// A text escaped for HTML or XML.
std::string escaped_markup(std::string text);

/// A scene in words, from its statistics: tables with their keys and, unless secret, `accesses`; models; threads and
/// their next steps.
std::string described(Json const& statistics, bool accesses);

/// Whether the JSON refers to keys or pairs in a file.
bool names_file(Json const& json);

}  // namespace slotscape::web
