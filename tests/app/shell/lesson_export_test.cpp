// A stand-in for the program: what it is asked for is in a file, and it ends as it is told.

#include "app/shell/lesson_export.hpp"
#include "app/base/files.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

namespace slotscape {
namespace {

using ::testing::HasSubstr;

class ExportedLesson : public ::testing::Test {
protected:
  /// then: the rest of the script, once its arguments are written.
  LessonExport exporting(std::string const& then)
  {
    std::filesystem::path const program = folder_.path() / "program";
    write_text_file(program, "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" + asked().string() + "'\n" + then + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return LessonExport(program);
  }
  std::filesystem::path asked() const { return folder_.path() / "asked"; }
  static std::filesystem::path wait_for(LessonExport& exports)
  {
    for (int i = 0; i < 1000; ++i) {
      if (auto const file = exports.take()) { return *file; }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "it does not end";
    return {};
  }

  test::TemporaryFolder folder_;
  lessons::Lesson lesson_{.name = "mine",
                          .title = "Mine",
                          .about = {},
                          .pages = {},
                          .files = {folder_.path() / "mine.json"},
                          .sources = {}};
};

TEST_F(ExportedLesson, IsAPageOrAPackageByItsEnding)
{
  for (auto const& [name, option] : {std::pair("page.html", "--web"), std::pair("course.zip", "--scorm")}) {
    LessonExport exports = exporting("exit 0");
    exports.start(lesson_, folder_.path() / name, "de");
    EXPECT_TRUE(exports.busy());
    EXPECT_EQ(wait_for(exports), folder_.path() / name);
    EXPECT_FALSE(exports.busy());
    EXPECT_EQ(read_text_file(asked()), "lesson\nexport\n" + (folder_.path() / "mine.json").string() + "\n" + option +
                                           "\n" + (folder_.path() / name).string() + "\n--language\nde\n");
  }
}

TEST_F(ExportedLesson, SaysWhyItWasNotWritten)
{
  LessonExport exports = exporting("echo 'slotscape: the module is missing' >&2; exit 2");
  exports.start(lesson_, folder_.path() / "page.html", "");
  try {
    wait_for(exports);
    FAIL() << "it was not written";
  } catch (Error const& error) {
    EXPECT_THAT(error.what(), HasSubstr("page.html was not written.\nthe module is missing"));
  }
  EXPECT_FALSE(exports.busy()) << "another one can be started";
}

TEST_F(ExportedLesson, IsOneAtATimeAndCanBeStopped)
{
  LessonExport exports = exporting("sleep 60");
  exports.start(lesson_, folder_.path() / "page.html", "");
  EXPECT_THROW(exports.start(lesson_, folder_.path() / "other.html", ""), Error);
  exports.cancel();
  EXPECT_FALSE(exports.busy());
  EXPECT_FALSE(exports.take());
  lessons::Lesson playlist = lesson_;
  playlist.files.push_back(folder_.path() / "another.json");
  EXPECT_THROW(exports.start(playlist, folder_.path() / "page.html", ""), Error);
}

}  // namespace
}  // namespace slotscape
