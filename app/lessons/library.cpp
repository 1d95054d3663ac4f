#include "app/lessons/library.hpp"

#include "app/base/files.hpp"
#include "app/base/scenario_files.hpp"
#include "app/base/text.hpp"
#include "app/lessons/progress.hpp"
#include "app/lessons/translated.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace slotscape::lessons {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view lesson_ending = ".json";

bool is_file(fs::path const& path)
{
  std::error_code unreadable;
  return fs::is_regular_file(path, unreadable);
}

/// The number at the start of a name; 0 if there is none.
std::uint64_t number_of(fs::path const& file)
{
  std::string const name = file.filename().string();
  std::size_t const digits = std::min(name.find_first_not_of("0123456789"), name.size());
  return parse_number<std::uint64_t>(std::string_view(name).substr(0, digits)).value_or(0);
}

/// The files of the first folder that has any, sorted by number.
Paths numbered_files(std::vector<fs::path> const& folders, std::string_view within)
{
  for (fs::path const& folder : folders) {
    Paths files;
    std::error_code unreadable;
    for (fs::directory_entry const& entry : fs::directory_iterator(folder / within, unreadable)) {
      if (entry.path().extension() == lesson_ending && is_file(entry.path())) { files.push_back(entry.path()); }
    }
    if (files.empty()) { continue; }
    std::ranges::sort(files, {}, [](fs::path const& file) { return std::tuple(number_of(file), file); });
    return files;
  }
  return {};
}

Listed listed(fs::path const& file)
{
  Listed lesson{number_of(file), file.stem().string(), {}, {}, 0, file};
  lesson.title = lesson.name;
  try {
    Json const document = in_language(parse_json(read_text_file(file), file.string()));
    JsonNode const root(document, file.string());
    if (auto const title = root.find("title")) { lesson.title = title->text(); }
    if (auto const about = root.find("about")) { lesson.about = about->text(); }
    if (auto const pages = root.find("pages")) {
      for (JsonNode const& page : pages->elements()) { lesson.max_points += page.find("task") ? max_points : 0; }
    }
  } catch (Error const&) {  // opening it reports the error
  }
  return lesson;
}

std::vector<Listed>::const_iterator find_in(std::vector<Listed> const& all, fs::path const& file)
{
  return std::ranges::find_if(all, [&](Listed const& each) {
    std::error_code unreadable;
    return fs::equivalent(each.file, file, unreadable);
  });
}

std::string spoken_title(Listed const& lesson)
{
  return lesson.number == 0 ? lesson.title : tr("Lesson {}: {}", lesson.number, lesson.title);
}

}  // namespace

LessonWords words_of(std::vector<Listed> const& all, Lesson const& lesson, std::size_t page)
{
  PageSource const& shown = lesson.pages[page];
  auto const here = find_in(all, shown.source->name);
  Listed const* const next = lesson_after(all, lesson);
  return {here == all.end() ? shown.lesson : spoken_title(*here), next == nullptr ? "" : spoken_title(*next)};
}

Listed const* lesson_after(std::vector<Listed> const& all, Lesson const& lesson)
{
  bool const is_one = lesson.files.size() == 1;
  auto next = is_one ? find_in(all, lesson.files.front()) : all.end();
  if (next != all.end()) { ++next; }
  return next == all.end() ? nullptr : &*next;
}

std::string numbered_title(Listed const& lesson)
{
  return lesson.number == 0 ? lesson.title : fmt::format("{}. {}", lesson.number, lesson.title);
}

std::vector<Listed> Library::lessons() const
{
  std::vector<Listed> all;
  for (fs::path const& file : numbered_files(folders_, "lessons")) { all.push_back(listed(file)); }
  return all;
}

std::vector<Explanation> Library::words() const
{
  for (fs::path const& folder : folders_) {
    if (is_file(folder / "words.md")) { return read_word_list(folder / "words.md"); }
  }
  throw Error("The list of words is not installed: words.md belongs in share/slotscape.");
}

Paths Library::tour() const
{
  return numbered_files(folders_, "tour");
}

fs::path Library::find(std::string const& name, fs::path const& folder) const
{
  fs::path path(name);
  std::vector<fs::path> places;
  if (!folder.empty() && path.is_relative()) { places.push_back(folder / path); }
  places.push_back(path);
  if (path.is_relative() && !name.empty()) {
    for (fs::path const& each : folders_) {
      places.push_back(each / "lessons" / path);
      places.push_back(each / path);
    }
  }
  constexpr std::array<std::string_view, 3> endings{"", lesson_ending, scenario_ending};
  for (fs::path const& place : places) {
    for (std::string_view const ending : endings) {
      fs::path file = place;
      file += ending;
      if (is_file(file)) { return file; }
    }
  }
  for (fs::path const& file : numbered_files(folders_, "lessons")) {
    if (file.filename().string().starts_with(name + "-")) { return file; }
  }
  return path;
}

FindFile Library::finder() const
{
  return [library = *this](JsonNode const& name) {
    fs::path file = library.find(name.text(), name.source().folder);
    bool const ours = std::ranges::any_of(library.folders_, [&](fs::path const& each) { return is_in(file, each); });
    if (!ours) { name.require_reach(file); }
    return file;
  };
}

}  // namespace slotscape::lessons
