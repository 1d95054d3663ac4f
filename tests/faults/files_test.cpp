// Whatever fails while something is saved, the file is the old one or the new one, and the error says why.

#include "app/base/files.hpp"
#include "app/base/npy.hpp"
#include "app/base/replaced_file.hpp"
#include "app/bench/report.hpp"
#include "app/clouds/write_ply.hpp"
#include "app/gl/image.hpp"
#include "app/recording/recorder.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/settings_file.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/faults/faults.hpp"

#include <gmock/gmock.h>

#include <sys/resource.h>

#include <csignal>
#include <functional>
#include <iterator>

namespace slotscape {
namespace {

namespace fs = std::filesystem;

using faults::Call;
using test::content_of;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::size_t files_in(fs::path const& folder)
{
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// Something that the program saves: in a first and a second edition.
struct Saved {
  std::string_view name;
  std::function<void(fs::path const& file, bool second)> save;
};

gl::Image shade(std::uint8_t level)
{
  return {8, 8, std::vector<std::uint8_t>(256, level)};
}

std::vector<Saved> all_saved()
{
  return {
      {"text",
       [](fs::path const& file, bool second) { write_text_file(file, std::string(300'000, second ? 'b' : 'a')); }},
      {"settings",
       [](fs::path const& file, bool second) {
         UserSettings settings;
         settings.window_width = second ? 1001 : 1000;
         save_settings(file, settings, scenes());
       }},
      {"progress",
       [](fs::path const& file, bool second) {
         lessons::Progress progress;
         progress.lesson = "probing";
         progress.page = second ? 2 : 1;
         save_progress(file, progress);
       }},
      {"arrays",
       [](fs::path const& file, bool second) {
         std::vector<std::int64_t> const numbers(20'000, second ? 2 : 1);
         write_npz(file, {{"a", npy_of(numbers, {numbers.size()})}, {"b", npy_of(numbers, {numbers.size()})}});
       }},
      {"rows",
       [](fs::path const& file, bool second) {
         BenchReport const report({"name", second ? "ms" : "seconds"}, {"name"}, {}, {.csv = file});
       }},
      {"picture", [](fs::path const& file, bool second) { gl::write_png(file, shade(second ? 200 : 100)); }},
  };
}

class SavedFiles : public testing::TestWithParam<Saved> {
protected:
  void SetUp() override
  {
    GetParam().save(folder_ / "second", true);
    GetParam().save(file_, false);
    old_ = content_of(file_);
    new_ = content_of(folder_ / "second");
    fs::remove(folder_ / "second");
    ASSERT_NE(old_, new_);
  }
  void TearDown() override { faults::stop(); }

  /// Saves the second edition. Returns what was said, or nothing.
  std::string save()
  {
    std::string const said = message_of<Error>([&] { GetParam().save(file_, true); });
    return said == "nothing was thrown" ? "" : said;
  }
  void expect_whole(std::string const& said) const
  {
    EXPECT_EQ(content_of(file_) == (said.empty() ? new_ : old_), true) << "said: " << said;
    EXPECT_EQ(files_in(folder_.path()), 1u) << "something is left over";
    if (!said.empty()) { EXPECT_THAT(said, HasSubstr(file_.string())); }
  }

  TemporaryFolder folder_;
  fs::path file_ = folder_ / "file";
  std::string old_;
  std::string new_;
};

TEST_P(SavedFiles, AreOldOrNewWhateverFails)
{
  for (Call const call : {Call::write, Call::fsync, Call::rename}) {
    std::uint64_t failures = 0;
    for (std::uint64_t after = 0;; ++after) {
      faults::fail(call, after);
      std::string const said = save();
      bool const came = !faults::stop();
      expect_whole(said);
      failures += said.empty() ? 0 : 1;
      GetParam().save(file_, false);
      if (came) { break; }
    }
    bool const is_ours = call != Call::write || GetParam().name != "arrays";  // libzip has the C library write
    EXPECT_EQ(failures != 0, is_ours) << static_cast<int>(call);
  }
}

/// What is on the disk before it gets its name is there after a power failure, too.
TEST_P(SavedFiles, AreOnTheDiskBeforeTheyGetTheirName)
{
  faults::fail(Call::write, ~std::uint64_t{0});
  ASSERT_EQ(save(), "");
  std::string const order = faults::order();
  EXPECT_TRUE(order.ends_with("fsync rename fsync")) << order;
}

/// A disk that is full after so many bytes, wherever the bytes come from.
TEST_P(SavedFiles, AreOldOrNewOnAFullDisk)
{
  auto* const before = std::signal(SIGXFSZ, SIG_IGN);  // as the program does
  rlimit unlimited{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  std::size_t failures = 0;
  for (std::size_t const bytes : {std::size_t{0}, std::size_t{1}, new_.size() / 2, new_.size() - 1, new_.size()}) {
    rlimit limit = unlimited;
    limit.rlim_cur = bytes;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    std::string const said = save();
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &unlimited), 0);
    expect_whole(said);
    EXPECT_EQ(said.empty(), bytes == new_.size()) << bytes << " bytes: " << said;
    failures += said.empty() ? 0 : 1;
    GetParam().save(file_, false);
  }
  EXPECT_EQ(failures, 4u);
  std::signal(SIGXFSZ, before);
}

INSTANTIATE_TEST_SUITE_P(Of, SavedFiles, testing::ValuesIn(all_saved()),
                         [](auto const& info) { return std::string(info.param.name); });

TEST(FullDisk, IsSaidInWords)
{
  TemporaryFolder const folder;
  faults::fail(Call::write, 0);
  std::string const said = message_of<Error>([&] { write_text_file(folder / "a.csv", "1,2\n"); });
  faults::stop();
  EXPECT_THAT(said,
              AllOf(HasSubstr("a.csv: cannot be written: No space left on device"), HasSubstr("free some space")));
}

TEST(FullDisk, EndsARecordingAndKeepsItsFrames)
{
  TemporaryFolder const folder;
  faults::fail(Call::write, 5, true);
  Recorder recorder(open_png_sink(folder / "frames"), 10);
  for (std::uint8_t frame = 0; frame < 20; ++frame) {
    double const now = 0.1 * frame;
    if (recorder.wants_frame(now)) { recorder.add(shade(frame), now); }
  }
  recorder.stop(2.0);
  ASSERT_TRUE(recorder.wait(20.0));
  faults::stop();
  EXPECT_EQ(recorder.status().phase, RecordingPhase::failed);
  EXPECT_THAT(recorder.status().error, HasSubstr("No space left on device"));
  EXPECT_EQ(recorder.status().written, 5u);
  EXPECT_EQ(files_in(folder / "frames"), 5u) << "whole frames, and nothing else";
}

TEST(Rows, ThatWereCutOffAreMeasuredAgain)
{
  TemporaryFolder const folder;
  fs::path const file = folder.write("rows.csv", "name,ms\na,12.5\nb,3");  // of "b,37.25"
  BenchReport const report({"name", "ms"}, {"name"}, {}, {.csv = file, .resume = true});
  EXPECT_EQ(report.earlier(), 1u);
  EXPECT_EQ(content_of(file), "name,ms\na,12.5\n");
}

TEST(Leftovers, OfProcessesThatAreGoneAreRemoved)
{
  TemporaryFolder const folder;
  constexpr std::string_view no_process = "999999999";
  folder.write("settings.json." + std::string(no_process) + ".tmp", "{");
  folder.write("settings.last.pairs." + std::string(no_process) + ".tmp", "{");
  folder.write("settings.json." + std::to_string(::getpid()) + ".tmp", "{");
  folder.write("settings.json.mine.tmp", "{");
  folder.write("settings.json..tmp", "{");
  folder.write("other.json." + std::string(no_process) + ".tmp", "{");
  remove_leftovers(folder / "settings.json");
  EXPECT_EQ(files_in(folder.path()), 4u);
  EXPECT_FALSE(fs::exists(folder / ("settings.json." + std::string(no_process) + ".tmp")));
}

}  // namespace
}  // namespace slotscape
