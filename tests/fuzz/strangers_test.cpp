// What docs/security.md claims.

#include "app/base/field_error.hpp"
#include "app/base/files.hpp"
#include "app/base/npy.hpp"
#include "app/clouds/load_cloud.hpp"
#include "app/dialogs/desktop_dialog.hpp"
#include "app/keys/file_keys.hpp"
#include "app/keys/typed_keys.hpp"
#include "app/lessons/library.hpp"
#include "app/pictures/picture_file.hpp"
#include "app/recording/format.hpp"
#include "app/registry/scenes.hpp"
#include "app/scene/scenario.hpp"
#include "app/tuning/workload.hpp"
#include "app/watch/dump.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/fuzz/targets.hpp"

#include <gmock/gmock.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>
#include <set>

#include "tests/support/paths.hpp"

namespace slotscape {
namespace {

namespace fs = std::filesystem;

using test::content_of;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// --- which files a document may read

/// A folder `in` with a document in it, and things beside that folder that it has no business with.
class StrangersDocument : public ::testing::Test {
protected:
  StrangersDocument()
  {
    for (char const* folder : {"in", "in/below", "out"}) { fs::create_directory(folder_ / folder); }
    for (char const* file : {"in/keys.txt", "in/below/keys.txt", "out/keys.txt"}) { folder_.write(file, "1\n2\n"); }
    fs::create_symlink("below/keys.txt", folder_ / "in/link-inside");
    fs::create_symlink("../out/keys.txt", folder_ / "in/link-outside");
    fs::create_directory_symlink("../out", folder_ / "in/folder-outside");
    mkfifo((folder_ / "in/pipe").c_str(), 0600);
  }
  fs::path document(std::string const& text) const { return folder_.write("in/document.json", text); }
  std::vector<std::string> names_outside() const
  {
    return {"../out/keys.txt",
            folder_ / "out/keys.txt",
            "link-outside",
            "folder-outside/keys.txt",
            "below/../../out/keys.txt",
            "/dev/zero",
            "pipe",
            "/etc/passwd"};
  }

  TemporaryFolder folder_;
};

/// Every field of a scenario that names a file.
constexpr std::array scenarios_with_files{
    R"({{ "version": 1, "keys": {{ "file": "{}" }} }})",
    R"({{ "version": 1, "steps": [ {{ "op": "insert", "count": 1, "keys": {{ "file": "{}" }} }} ] }})",
    R"({{ "version": 1, "steps": [ {{ "op": "insert", "pairs": "{}" }} ] }})",
    R"({{ "version": 1, "spatial": {{ "a": {{ "source": "{}" }} }} }})",
    R"({{ "version": 1, "sparse": {{ "source": "{}" }} }})",
    R"({{ "version": 1, "match": {{ "query": "{}" }} }})",
    R"({{ "version": 1, "watch": {{ "files": ["{}"] }} }})",
    R"({{ "version": 1, "tune": {{ "workload": {{ "keys": {{ "file": "{}" }} }} }} }})"};

TEST_F(StrangersDocument, ReadsNoFileOutsideItsFolder)
{
  for (std::string const text : scenarios_with_files) {
    for (std::string const& name : names_outside()) {
      fs::path const file = document(fmt::format(fmt::runtime(text), name));
      EXPECT_THROW(read_scenario(scenes(), file), OutsideFile) << content_of(file);
      EXPECT_THROW(parse_scenario(scenes(), content_of(file), "pasted", folder_ / "in"), OutsideFile);
    }
  }
}

TEST_F(StrangersDocument, ReadsTheFilesOfItsFolder)
{
  for (char const* const name : {"keys.txt", "below/keys.txt", "link-inside", "below/../keys.txt"}) {
    fs::path const file = document(fmt::format(fmt::runtime(scenarios_with_files[0]), name));
    EXPECT_NO_THROW(read_scenario(scenes(), file)) << name;
  }
}

TEST_F(StrangersDocument, ReadsAllThatItNamesIfAPersonAllowsIt)
{
  for (char const* const name : {"../out/keys.txt", "link-outside", "folder-outside/keys.txt"}) {
    fs::path const file = document(fmt::format(fmt::runtime(scenarios_with_files[0]), name));
    EXPECT_NO_THROW(read_scenario(scenes(), file, Reach::anywhere)) << name;
  }
}

TEST_F(StrangersDocument, OfALessonMayUseThoseOfTheProgram)
{
  fs::create_directory(folder_ / "program");
  for (char const* file : {"program/ours.json", "out/theirs.json"}) {
    folder_.write(file, R"({ "version": 1, "table": { "slots": 64 } })");
  }
  lessons::Library const library({folder_ / "program"});
  auto const read = [&](std::string const& name, Reach reach) {
    std::string const page =
        R"({{ "version": 1, "title": "T", "pages": [ {{ "title": "P", "text": "x", "set_up": "{}" }} ] }})";
    lessons::read_lesson(scenes(), document(fmt::format(fmt::runtime(page), name)), library.finder(), reach);
    lessons::read_lesson(scenes(), document(fmt::format(R"({{ "version": 1, "playlist": ["{}"] }})", name)),
                         library.finder(), reach);
  };
  EXPECT_NO_THROW(read("ours", Reach::folder));
  for (std::string const& name : {std::string("../out/theirs.json"), (folder_ / "out/theirs.json").string(),
                                  std::string("../../out/theirs.json")}) {
    EXPECT_THROW(read(name, Reach::folder), Error) << name;
  }
  EXPECT_THROW(read("../out/theirs.json", Reach::folder), OutsideFile);
  EXPECT_NO_THROW(read("../out/theirs.json", Reach::anywhere));
}

TEST_F(StrangersDocument, OfAWorkloadIsHeldToItsFolder)
{
  fs::path const file = document(R"({ "keys": { "file": "../out/keys.txt" }, "insert": 1 })");
  EXPECT_THROW(tuning::read_workload(file), OutsideFile);
  EXPECT_EQ(tuning::read_workload(file, Reach::anywhere).source.file_keys->size(), 2u);
}

TEST_F(StrangersDocument, CannotWriteToTheTerminal)
{
  std::string const text = R"({ "version": 1, "\u001b[2J\u0007": 1 })";
  std::string const wrong = test::message_of<Error>([&] { parse_scenario(scenes(), text, "a.json", {}); });
  EXPECT_THAT(wrong, HasSubstr("?[2J?: unknown field"));
}

// --- what reading does besides

/// Names, sizes and times of all that is in a folder.
std::map<fs::path, std::string> listing(fs::path const& folder)
{
  std::map<fs::path, std::string> all;
  for (auto const& entry : fs::recursive_directory_iterator(folder)) {
    struct stat found {};
    stat(entry.path().c_str(), &found);
    all[entry.path()] = fmt::format("{} {} {}", found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
  }
  return all;
}

TEST(Strangers, FilesAreReadWithoutAnythingBeingWritten)
{
  TemporaryFolder const folder;
  std::vector<std::pair<std::string_view, std::function<void(fs::path const&)>>> const readers{
      {"cloud", [](fs::path const& file) { clouds::load_cloud(file, {.points = 50}, {}); }},
      {"picture", [](fs::path const& file) { pictures::read_picture(file); }},
      {"array", [](fs::path const& file) { read_npy(file); }},
      {"dump", [](fs::path const& file) { watch::open_dump({.files = {file}}); }},
      {"keys_csv", [](fs::path const& file) { with_opened_key_file({}, file); }},
      {"scenario", [](fs::path const& file) { read_scenario(scenes(), file); }},
      {"lesson", [](fs::path const& file) { lessons::read_lesson(scenes(), file, lessons::Library({}).finder()); }},
      {"workload", [](fs::path const& file) { tuning::read_workload(file); }}};
  for (auto const& [target, read] : readers) {
    fs::copy(test::in_project() / "tests/fuzz/corpus" / target, folder / target);
  }
  auto const before = listing(folder.path());
  std::size_t read_well = 0;
  for (auto const& [target, read] : readers) {
    for (auto const& entry : fs::directory_iterator(folder / target)) {
      try {
        read(entry.path());
        ++read_well;
      } catch (Error const&) {  // says what is wrong with it
      }
    }
  }
  EXPECT_EQ(listing(folder.path()), before);
  EXPECT_GT(read_well, 30u);
}

/// Whether the source calls a function of this name.
bool calls(std::string_view source, std::string_view function)
{
  for (std::size_t at = source.find(function); at != std::string_view::npos; at = source.find(function, at + 1)) {
    bool const begins =
        at == 0 || (std::isalnum(static_cast<unsigned char>(source[at - 1])) == 0 && source[at - 1] != '_');
    if (begins && source.substr(at + function.size()).starts_with('(')) { return true; }
  }
  return false;
}

/// Other programs are started in one place, without a shell, and from four others: films, file dialogs, the clipboard,
/// and lessons that are exported.
TEST(Strangers, ReadersCannotStartPrograms)
{
  constexpr auto starts =
      std::to_array<std::string_view>({"posix_spawn", "posix_spawnp", "system", "popen", "execl", "execle", "execlp",
                                       "execv", "execve", "execvp", "execvpe", "fork", "vfork", "dlopen"});
  std::set<std::string> starting;
  std::set<std::string> asking;
  for (char const* const folder : {"app", "gpu"}) {
    for (auto const& entry : fs::recursive_directory_iterator(test::in_project() / folder)) {
      std::string const ending = entry.path().extension();
      if (ending != ".cpp" && ending != ".hpp" && ending != ".cu" && ending != ".cuh") { continue; }
      std::string const source = content_of(entry.path());
      std::string const name = fs::relative(entry.path(), test::in_project());
      if (std::ranges::any_of(starts, [&](auto each) { return calls(source, each); })) { starting.insert(name); }
      if (source.find("ChildProcess") != std::string::npos) { asking.insert(entry.path().stem()); }
    }
  }
  // watch.hpp and its viewer open the driver of CUDA, by its name; programs of users whose tables are on several GPUs,
  // NCCL.
  EXPECT_THAT(starting, ElementsAre("app/base/child_process.cpp", "gpu/library/nccl.hpp", "gpu/library/watch.hpp"));
  EXPECT_THAT(asking, ElementsAre("child_process", "desktop_dialog", "frame_sink", "lesson_export", "picture_copier"));
}

TEST(Strangers, NamesAreNoOptionsOfOtherPrograms)
{
  for (char const* const name : {"-rf.mp4", "--help.gif"}) {
    EXPECT_THAT(film_command("/bin/ffmpeg", RecordingFormat::mp4, {320, 240}, 30, name).back(), StartsWith("file:/"));
    auto const gif = gif_command("/bin/ffmpeg", name, name);
    EXPECT_THAT(gif, Not(::testing::Contains(name)));
    FileQuestion const question{.kind = FileQuestion::Kind::save, .title = "Save", .proposed = name, .use = {}};
    for (auto const syntax : {DesktopDialog::Syntax::zenity, DesktopDialog::Syntax::kdialog}) {
      auto const command = command_of({"dialog", "/bin/dialog", syntax}, question, name, 0);
      EXPECT_THAT(command, Not(::testing::Contains(StartsWith(name)))) << fmt::format("{}", fmt::join(command, " "));
    }
  }
}

// --- memory

/// What a file of a few bytes promises.
struct Promise {
  std::string name;
  std::string content;
};

std::string npy_header(std::string const& type, std::string const& shape)
{
  std::string const header = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': {}, }}\n", type, shape);
  return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header;
}

std::vector<Promise> clouds_that_promise_much()
{
  std::string const ply =
      "ply\nformat {} 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n";
  std::string const pcd =
      "# .PCD\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 4294967295\nHEIGHT 4294967295\nDATA {}\n";
  std::vector<Promise> all;
  for (char const* const format : {"ascii", "binary_little_endian"}) {
    all.push_back({"a.ply", fmt::format(fmt::runtime(ply), format, 1ull << 60) + "end_header\n1 2 3\n"});
    all.push_back({"a.ply", fmt::format(fmt::runtime(ply), format, 0) +
                                "element face 1\nproperty list uint int vertex_indices\nend_header\n\xff\xff\xff\x7f"});
  }
  for (char const* const data : {"ascii", "binary", "binary_compressed"}) {
    all.push_back({"a.pcd", fmt::format(fmt::runtime(pcd), data) + "\xff\xff\xff\xff\xff\xff\xff\xff"});
  }
  all.push_back({"a.off", "OFF\n1152921504606846976 1152921504606846976 0\n0 0 0\n"});
  all.push_back({"a.stl", std::string(80, ' ') + "\xff\xff\xff\xff"});
  all.push_back({"a.npy", npy_header("'<f8'", "(1152921504606846976, 3)")});
  all.push_back({"a.npy", npy_header("[('x', '<f8', (1099511627776,))]", "(1,)")});
  all.push_back({"a.npy", npy_header("[('x', '<f8', (4294967296, 4294967296))]", "(1,)")});
  all.push_back({"a.npy", npy_header("'<f8'", "(1152921504606846976, 0)")});
  return all;
}

std::vector<Promise> pictures_that_promise_much()
{
  std::string const png("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\x06\0\0\0", 29);
  std::string bmp = "BM" + std::string(52, '\0');
  bmp[10] = 54, bmp[14] = 40, bmp[21] = 0x7f, bmp[25] = 0x7f, bmp[26] = 1, bmp[28] = 24;
  return {{"a.png", png},
          {"a.bmp", bmp},
          {"a.pgm", "P5 4294967295 4294967295 255\n"},
          {"a.ppm", "P3 65535 65535 1\n1"}};
}

/// In KiB, at most so far.
long memory_used()
{
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

TEST(Strangers, PromisesCostNoMemory)
{
  constexpr long most_kib = 32L * 1024;
  TemporaryFolder const folder;
  long const before = memory_used();
  auto const expect_refused = [&](auto const& read, std::string const& what) {
    EXPECT_THROW(read(), Error) << what;
    EXPECT_LT(memory_used() - before, most_kib) << what;
  };
  for (auto const& [name, content] : clouds_that_promise_much()) {
    fs::path const file = folder.write(name, content);
    expect_refused([&] { clouds::load_cloud(file, {.points = 50}, {}); }, content);
    expect_refused([&] { read_npy(file); }, content);
    if (name == "a.npy") {
      expect_refused([&] { watch::open_dump({.files = {file}}); }, content);
    }
  }
  for (auto const& [name, content] : pictures_that_promise_much()) {
    fs::path const file = folder.write(name, content);
    expect_refused([&] { pictures::read_picture(file); }, name);
  }
  std::string archive = content_of(test::in_project() / "tests/fuzz/corpus/dump/packed");
  constexpr std::size_t unpacked_size = 24;  // in the directory, which follows the members
  archive.replace(archive.find("PK\1\2") + unpacked_size, 4, "\xff\xff\xff\x7f");
  fs::path const npz = folder.write("a.npz", archive);
  expect_refused([&] { watch::open_dump({.files = {npz}}); }, "an archive");
  EXPECT_THAT(test::message_of<Error>([&] { watch::open_dump({.files = {npz}}); }), HasSubstr("more than 1 GiB"));
  std::string const deep(2'000'000, '[');
  expect_refused([&] { parse_json(deep, "deep"); }, "lists in lists");
  expect_refused([&] { parse_json(R"({"a":)" + deep, "deep"); }, "lists in lists");
  EXPECT_THAT(parse_keys("0-18446744073709551612", Operation::insert, {64}).error, HasSubstr("more than 1000000 keys"));
  EXPECT_LT(memory_used() - before, most_kib);
}

}  // namespace
}  // namespace slotscape
