#include "app/dialogs/desktop_dialog.hpp"

#include "app/base/child_process.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace slotscape {
namespace {

namespace fs = std::filesystem;

using test::TemporaryFolder;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

DesktopDialog const zenity{"zenity", "/usr/bin/zenity", DesktopDialog::Syntax::zenity};
DesktopDialog const kdialog{"kdialog", "/usr/bin/kdialog", DesktopDialog::Syntax::kdialog};

FileQuestion open_question()
{
  return {.title = "Open a thing",
          .files = {{"key file", {".txt", ".u32"}}, {"scenario", {".json"}}},
          .use = [](Paths const&) {}};
}

FileQuestion save_question()
{
  return {.kind = FileQuestion::Kind::save,
          .title = "Save",
          .proposed = "my keys.json",
          .files = {{"scenario", {".json"}}},
          .use = [](Paths const&) {}};
}

FileQuestion folder_question()
{
  return {.kind = FileQuestion::Kind::save_folder,
          .title = "Save tables",
          .proposed = "statistics",
          .use = [](Paths const&) {}};
}

FileQuestion question_for_two()
{
  FileQuestion question = open_question();
  question.most = 2;
  return question;
}

TEST(DesktopDialogCommand, OfZenityOpensInTheFolderWithAFilterForEachKind)
{
  EXPECT_THAT(command_of(zenity, open_question(), "/home/ada", 0),
              ElementsAre("/usr/bin/zenity", "--file-selection", "--title=Open a thing", "--filename=/home/ada/",
                          "--file-filter=All of these | *.txt *.TXT *.u32 *.U32 *.json *.JSON",
                          "--file-filter=Key files | *.txt *.TXT *.u32 *.U32",
                          "--file-filter=Scenarios | *.json *.JSON", "--file-filter=All files | *"));
}

TEST(DesktopDialogCommand, OfZenitySavesUnderTheProposedNameAndAsksBeforeItOverwrites)
{
  EXPECT_THAT(command_of(zenity, save_question(), "/home/ada", 77),
              ElementsAre("/usr/bin/zenity", "--file-selection", "--title=Save", "--filename=/home/ada/my keys.json",
                          "--save", "--confirm-overwrite", "--file-filter=Scenarios | *.json *.JSON", "--modal",
                          "--attach=77"));
  EXPECT_THAT(command_of(zenity, folder_question(), "/home/ada", 0),
              ElementsAre("/usr/bin/zenity", "--file-selection", "--title=Save tables", "--filename=/home/ada/",
                          "--directory"));
}

TEST(DesktopDialogCommand, OfKdialogHasTheSame)
{
  EXPECT_THAT(command_of(kdialog, open_question(), "/home/ada", 77),
              ElementsAre("/usr/bin/kdialog", "--title", "Open a thing", "--attach", "77", "--getopenfilename",
                          "/home/ada",
                          "All of these (*.txt *.u32 *.json)\nKey files (*.txt *.u32)\nScenarios (*.json)\n"
                          "All files (*)"));
  EXPECT_THAT(command_of(kdialog, save_question(), "/home/ada", 0),
              ElementsAre("/usr/bin/kdialog", "--title", "Save", "--getsavefilename", "/home/ada/my keys.json",
                          "Scenarios (*.json)"));
  EXPECT_THAT(command_of(kdialog, folder_question(), "/home/ada", 0),
              ElementsAre("/usr/bin/kdialog", "--title", "Save tables", "--getexistingdirectory", "/home/ada"));
}

TEST(DesktopDialogCommand, AsksForSeveralFilesOnlyWhereTheyAreOfUse)
{
  EXPECT_THAT(command_of(zenity, question_for_two(), "/", 0), Contains("--multiple"));
  EXPECT_THAT(command_of(kdialog, question_for_two(), "/", 0), Contains("--multiple"));
  EXPECT_THAT(command_of(zenity, open_question(), "/", 0), Not(Contains("--multiple")));
  EXPECT_THAT(command_of(kdialog, open_question(), "/", 0), Not(Contains("--multiple")));
}

ChildProcess::Result printed(std::string output)
{
  return {.output = std::move(output)};
}

TEST(DesktopDialogAnswer, IsThePathToTheLastCharacter)
{
  for (char const* path : {"/a b/c.json", "/für/Ω.json", "/two\nlines.json", "/ends in a newline\n"}) {
    for (DesktopDialog const& dialog : {zenity, kdialog}) {
      DesktopAnswer const answer = answer_of(dialog, open_question(), printed(std::string(path) + "\n"));
      EXPECT_THAT(answer.files, ElementsAre(fs::path(path))) << dialog.name;
      EXPECT_EQ(answer.failure, "");
    }
  }
}

TEST(DesktopDialogAnswer, HoldsSeveralPathsWhateverTheirNames)
{
  auto const two = ElementsAre(fs::path("/a b/one\nmodel.ply"), fs::path("/zwei|ö.ply"));
  EXPECT_THAT(answer_of(zenity, question_for_two(), printed("/a b/one\nmodel.ply///zwei|ö.ply\n")).files, two);
  EXPECT_THAT(answer_of(kdialog, question_for_two(), printed("/a b/one\nmodel.ply\n/zwei|ö.ply\n")).files, two);
  EXPECT_THAT(answer_of(zenity, question_for_two(), printed("/one.ply\n")).files, ElementsAre(fs::path("/one.ply")));
}

TEST(DesktopDialogAnswer, IsEmptyIfTheUserCancelled)
{
  DesktopAnswer const answer = answer_of(zenity, open_question(), {.code = 1, .errors = "Gtk-WARNING: no theme\n"});
  EXPECT_THAT(answer.files, IsEmpty());
  EXPECT_EQ(answer.failure, "");
}

TEST(DesktopDialogAnswer, IsAFailureIfTheProgramCouldNotAsk)
{
  auto const failure = [](ChildProcess::Result const& result) {
    DesktopAnswer const answer = answer_of(zenity, open_question(), result);
    EXPECT_THAT(answer.files, IsEmpty());
    return answer.failure;
  };
  EXPECT_EQ(failure({.signal = SIGSEGV}), "it was ended by signal 11");
  EXPECT_EQ(failure({.code = 255}), "it ended with exit code 255");
  EXPECT_EQ(failure({.code = 255, .errors = "This option is not available.\n\n"}), "This option is not available.");
  EXPECT_EQ(failure({.code = 1, .errors = "\nGtk-WARNING: cannot open display: \n"}),
            "Gtk-WARNING: cannot open display: ");
  EXPECT_EQ(failure(printed("")), "it printed no file name");
  EXPECT_EQ(failure(printed("hello\n")), "what it printed is not a path");
  EXPECT_EQ(failure({.signal = SIGKILL, .output = "/half/a/pa"}), "it was ended by signal 9");
}

void write_program(TemporaryFolder const& folder, std::string_view name, std::string_view script)
{
  fs::permissions(folder.write(name, script), fs::perms::owner_all);
}

std::vector<std::string> names_of(std::vector<DesktopDialog> const& dialogs)
{
  std::vector<std::string> names;
  names.reserve(dialogs.size());
  for (DesktopDialog const& dialog : dialogs) { names.push_back(dialog.name); }
  return names;
}

TEST(DesktopDialogPrograms, AreFoundOnThePathInTheDesktopsOrder)
{
  TemporaryFolder const folder;
  std::string const path = "/nowhere:" + folder.path().string() + ":";
  EXPECT_THAT(find_desktop_dialogs(path, "GNOME"), IsEmpty());
  folder.write("qarma", "not a program");
  write_program(folder, "zenity", "");
  write_program(folder, "kdialog", "");
  EXPECT_THAT(names_of(find_desktop_dialogs(path, "ubuntu:GNOME")), ElementsAre("zenity", "kdialog"));
  EXPECT_THAT(names_of(find_desktop_dialogs(path, "KDE")), ElementsAre("kdialog", "zenity"));
  EXPECT_THAT(names_of(find_desktop_dialogs(path, "")), ElementsAre("zenity", "kdialog"));
  EXPECT_EQ(find_desktop_dialogs(path, "KDE").front().program, folder / "kdialog");
}

ChildProcess::Result result_of(ChildProcess& child)
{
  for (;;) {
    if (auto result = child.poll()) { return *result; }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(ChildProcess, IsCollectedWithAllThatItPrinted)
{
  ChildProcess child({"/bin/sh", "-c", "printf '%s\\n' \"$1\"; echo oh >&2; exit 3", "sh", "a  b\nö"});
  ChildProcess::Result const result = result_of(child);
  EXPECT_EQ(result.output, "a  b\nö\n");
  EXPECT_EQ(result.errors, "oh\n");
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.signal, 0);
}

TEST(ChildProcess, MayPrintMoreThanAPipeHolds)
{
  ChildProcess child({"/bin/sh", "-c", "yes | head -c 300000"});
  EXPECT_EQ(result_of(child).output.size(), 300000u);
}

TEST(ChildProcess, TellsOfTheSignalThatEndedIt)
{
  ChildProcess child({"/bin/sh", "-c", "kill -SEGV $$"});
  EXPECT_EQ(result_of(child).signal, SIGSEGV);
}

TEST(ChildProcess, DoesNotStartWhatIsNotThere)
{
  EXPECT_THAT(test::message_of<Error>([] { ChildProcess child({"/nowhere/zenity"}); }), HasSubstr("/nowhere/zenity"));
}

/// Until the child has all of them, or has not read for a while.
std::size_t write_all(ChildProcess& child, std::size_t count, int max_waits)
{
  std::vector<std::uint8_t> const bytes(count, 'x');
  std::size_t written = 0;
  for (int waits = 0; waits < max_waits && written < count;) {
    std::size_t const more = child.write(std::span(bytes).subspan(written), std::chrono::milliseconds(2));
    written += more;
    waits += more == 0 ? 1 : 0;
  }
  return written;
}

TEST(ChildProcess, ReadsWhatIsWritten)
{
  ChildProcess child({"/bin/sh", "-c", "sleep 0.05; wc -c"}, ChildProcess::Input::written);
  EXPECT_EQ(write_all(child, 3'000'000, 5000), 3'000'000u);  // more than a socket holds
  child.end_input();
  EXPECT_EQ(result_of(child).output, "3000000\n");
}

TEST(ChildProcess, MayCloseItsInputBeforeTheEnd)
{
  ChildProcess child({"/bin/sh", "-c", "exec 0<&-; echo enough >&2; exit 4"}, ChildProcess::Input::written);
  EXPECT_LT(write_all(child, 3'000'000, 50), 3'000'000u);
  ChildProcess::Result const result = result_of(child);
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.errors, "enough\n");
}

/// The process id that the child prints.
pid_t id_of(ChildProcess& child, fs::path const& file)
{
  while (test::content_of(file).find('\n') == std::string::npos) {
    EXPECT_FALSE(child.poll()) << "it has ended";
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return std::stoi(test::content_of(file));
}

TEST(ChildProcess, EndsWithItsOwnerEvenIfItWillNot)
{
  for (char const* first : {"", "trap '' TERM; "}) {
    TemporaryFolder const folder;
    pid_t id = 0;
    {
      ChildProcess child({"/bin/sh", "-c", std::string(first) + "echo $$ > \"$1\"; while :; do sleep 0.01; done", "sh",
                          (folder / "id").string()});
      id = id_of(child, folder / "id");
      EXPECT_EQ(::kill(id, 0), 0);
    }
    EXPECT_NE(::kill(id, 0), 0) << "it still runs, or was not waited for";
  }
}

TEST(FileKinds, FitByTheEndOfTheNameInAnyCase)
{
  std::vector<FileKind> const kinds{{"scenario", {".json"}}, {"model", {".ply"}}};
  EXPECT_TRUE(fits("/a/b.json", kinds));
  EXPECT_TRUE(fits("b.PLY", kinds));
  EXPECT_FALSE(fits("b.txt", kinds));
  EXPECT_FALSE(fits("json", kinds));
  EXPECT_FALSE(fits(".json", kinds)) << "a hidden file without an extension";
}

TEST(FileKinds, GiveANameTheExtensionThatItLacks)
{
  std::vector<FileKind> const kinds{{"scenario", {".slotscape.json", ".json"}}};
  EXPECT_EQ(with_extension("/a/b", kinds), "/a/b.slotscape.json");
  EXPECT_EQ(with_extension("/a/b.txt", kinds), "/a/b.txt.slotscape.json");
  EXPECT_EQ(with_extension("/a/v1.2", kinds), "/a/v1.2.slotscape.json");
  EXPECT_EQ(with_extension("/a/b.json", kinds), "/a/b.json");
  EXPECT_EQ(with_extension("/a/B.JSON", kinds), "/a/B.JSON");
  EXPECT_EQ(with_extension("/dev/null", kinds), "/dev/null");
}

}  // namespace
}  // namespace slotscape
