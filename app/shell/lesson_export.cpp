#include "app/shell/lesson_export.hpp"

#include "app/base/encoding.hpp"
#include "app/scene/file_question.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

std::string why_it_failed(ChildProcess::Result const& result)
{
  constexpr std::string_view speaker = "slotscape: ";
  std::string text = result.errors;
  if (text.starts_with(speaker)) { text.erase(0, speaker.size()); }
  while (text.ends_with('\n')) { text.pop_back(); }
  return text.empty() ? tr("The system ended the export process.") : text;
}

}  // namespace

void LessonExport::check(lessons::Lesson const& lesson) const
{
  if (busy()) { throw Error(tr("A lesson is being exported already. Wait until it is done.")); }
  if (lesson.files.size() != 1) {
    throw Error(tr("This has several files, but a page holds one lesson. Export the lessons one by one."));
  }
}

void LessonExport::start(lessons::Lesson const& lesson, std::filesystem::path const& file, std::string const& language)
{
  check(lesson);
  bool const is_package = fits(file, std::array{FileKind{"package", {".zip"}}});
  std::vector<std::string> command{program_.string(),
                                   "lesson",
                                   "export",
                                   std::filesystem::absolute(lesson.files.front()).string(),
                                   is_package ? "--scorm" : "--web",
                                   std::filesystem::absolute(file).string()};
  if (!language.empty()) { command.insert(command.end(), {"--language", language}); }
  child_ = std::make_unique<ChildProcess>(std::move(command));
  file_ = file;
}

std::optional<std::filesystem::path> LessonExport::take()
{
  if (!busy()) { return std::nullopt; }
  auto const result = child_->poll();
  if (!result) { return std::nullopt; }
  child_.reset();
  if (result->code != 0 || result->signal != 0) {
    throw Error(tr("{} was not written.", path_text(file_)) + ("\n" + why_it_failed(*result)));
  }
  return std::exchange(file_, {});
}

}  // namespace slotscape
