#include "app/lessons/lesson.hpp"

#include "app/base/files.hpp"
#include "app/base/scenario_files.hpp"
#include "app/base/text.hpp"
#include "app/lessons/translated.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace slotscape::lessons {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t first_seed = 1;
constexpr std::uint64_t lesson_version = 1;

/// The file's name without folder and ending.
std::string name_of(fs::path const& file)
{
  std::string const name = file.filename().string();
  if (name.ends_with(scenario_ending)) { return name.substr(0, name.size() - scenario_ending.size()); }
  return file.stem().string();
}

void check_version(JsonNode const& root)
{
  JsonNode const version = root.at("version");
  if (version.whole_number() != lesson_version) {
    version.fail(tr("unknown version; this Slotscape reads version {}", lesson_version));
  }
}

Lesson empty_lesson(fs::path const& file)
{
  Lesson lesson;
  lesson.name = name_of(file);
  lesson.files = lesson.sources = {file};
  return lesson;
}

/// A document and the folder that its paths are relative to.
struct Document {
  std::shared_ptr<Json const> json;
  std::shared_ptr<JsonSource> source;
};

Lesson scenario_as_lesson(Document const& document, fs::path const& file)
{
  Lesson lesson = empty_lesson(file);
  PageSource page{.document = document.json, .page = document.json.get(), .source = document.source, .path = ""};
  page.is_scenario = true;
  lesson.title = page.lesson = lesson.name;
  lesson.pages.push_back(std::move(page));
  return lesson;
}

Lesson pages_of(Document const& document, fs::path const& file)
{
  JsonNode const root(*document.json, document.source);
  root.expect_fields({"version", "title", "about", "variables", "view", "pages"});
  check_version(root);
  Lesson lesson = empty_lesson(file);
  lesson.title = root.at("title").text();
  if (auto const about = root.find("about")) { lesson.about = about->text(); }
  std::size_t const count = root.at("pages").elements().size();
  if (count == 0) { root.at("pages").fail("it must list at least one page"); }
  auto const shared = [&](std::string_view name) {
    auto const found = document.json->find(name);
    return found == document.json->end() ? nullptr : &*found;
  };
  Json const* set_up = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    Json const& page = document.json->at("pages")[i];
    auto const own = page.find("set_up");
    if (page.is_object() && own != page.end()) { set_up = &*own; }
    lesson.pages.push_back({.document = document.json,
                            .page = &page,
                            .set_up = set_up,
                            .variables = shared("variables"),
                            .view = shared("view"),
                            .source = document.source,
                            .path = fmt::format("pages[{}]", i),
                            .lesson = lesson.title});
  }
  return lesson;
}

/// Reads files that other files name.
class Reader {
public:
  Reader(SceneList scenes, FindFile const& find, Reach reach) : scenes_(scenes), find_(find), reach_(reach) {}

  Lesson read(fs::path const& file, bool in_playlist = false) const
  {
    return read(in_language(parse_json(read_input_file(file), file.string())), file, in_playlist);
  }

  Lesson read(Json json, fs::path const& file, bool in_playlist = false) const
  {
    Document const document{std::make_shared<Json const>(std::move(json)),
                            std::make_shared<JsonSource>(
                                JsonSource{.name = file.string(), .folder = file.parent_path(), .reach = reach_})};
    JsonNode const root(*document.json, document.source);
    if (!root.is_object()) { root.expect_fields({}); }
    if (root.find("playlist")) {
      if (in_playlist) { root.fail("a playlist cannot be part of another one"); }
      return playlist(root, file);
    }
    Lesson lesson = root.find("pages") ? pages_of(document, file) : scenario_as_lesson(document, file);
    for (PageSource const& page : lesson.pages) { open_page(scenes_, page, first_seed, find_); }
    return lesson;
  }

private:
  Lesson playlist(JsonNode const& root, fs::path const& file) const
  {
    root.expect_fields({"version", "title", "about", "playlist"});
    check_version(root);
    std::vector<Lesson> parts;
    for (JsonNode const& item : root.at("playlist").elements()) { parts.push_back(part(item)); }
    if (parts.empty()) { root.at("playlist").fail("it must list at least one lesson or scenario"); }
    Lesson lesson = joined(std::move(parts));
    lesson.name = name_of(file);
    lesson.files.insert(lesson.files.begin(), file);
    lesson.sources = {file};
    if (auto const title = root.find("title")) { lesson.title = title->text(); }
    if (auto const about = root.find("about")) { lesson.about = about->text(); }
    return lesson;
  }

  /// "2-clusters", or { "file": "2-clusters", "pages": [1, 3] }: pages 1 to 3.
  Lesson part(JsonNode const& item) const
  {
    if (item.is_text()) { return read(find_(item), true); }
    item.expect_fields({"file", "pages"});
    Lesson lesson = read(find_(item.at("file")), true);
    auto const range = item.find("pages");
    if (!range) { return lesson; }
    auto const ends = range->elements();
    if (ends.size() != 2) { range->fail("it must be the numbers of the first and the last page: [1, 3]"); }
    std::size_t const first = ends[0].whole_number(1, lesson.pages.size());
    std::size_t const last = ends[1].whole_number(first, lesson.pages.size());
    auto const begin = lesson.pages.begin();
    lesson.pages =
        std::vector(begin + static_cast<std::ptrdiff_t>(first - 1), begin + static_cast<std::ptrdiff_t>(last));
    return lesson;
  }

  SceneList scenes_;
  FindFile const& find_;
  Reach reach_;
};

}  // namespace

std::string letter_of(std::size_t option)
{
  return std::string(1, static_cast<char>('A' + option));
}

bool is_lesson(Json const& document)
{
  return document.is_object() && (document.contains("pages") || document.contains("playlist"));
}

Lesson read_lesson(SceneList scenes, fs::path const& file, FindFile const& find, Reach reach)
{
  return Reader(scenes, find, reach).read(file);
}

Lesson lesson_of_document(SceneList scenes, Json document, fs::path const& file, FindFile const& find)
{
  return Reader(scenes, find, Reach::folder).read(std::move(document), file);
}

Lesson lesson_of_scenarios(SceneList scenes, std::string title, Paths const& files, FindFile const& find)
{
  std::vector<Lesson> lessons;
  for (fs::path const& file : files) { lessons.push_back(read_lesson(scenes, file, find)); }
  Lesson lesson = joined(std::move(lessons));
  lesson.name = lower_case(title);
  lesson.title = std::move(title);
  return lesson;
}

Lesson joined(std::vector<Lesson> lessons)
{
  Lesson all;
  for (Lesson& each : lessons) {
    if (all.pages.empty()) {
      all = std::move(each);
      continue;
    }
    all.name += '+' + each.name;  // gives each combination its own progress
    all.title += ", " + each.title;
    std::ranges::move(each.pages, std::back_inserter(all.pages));
    std::ranges::move(each.files, std::back_inserter(all.files));
    std::ranges::move(each.sources, std::back_inserter(all.sources));
  }
  return all;
}

}  // namespace slotscape::lessons
