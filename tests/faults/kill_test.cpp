// Programs that are killed while they save: what was saved before is there, and whole.

#include "app/base/files.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/last_session.hpp"
#include "app/shell/settings_file.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/faults/faults.hpp"

#include <gmock/gmock.h>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <thread>

namespace slotscape {
namespace {

namespace fs = std::filesystem;

using ::testing::IsEmpty;

constexpr std::size_t many = 5000;  ///< keys, too many for the session's own file

/// A session in which as many keys as ever have the number of the edition as their value.
Scenario session_of(int edition)
{
  TableSetup set_up;
  set_up.settings.table.slots = static_cast<std::uint64_t>(edition);
  std::vector<Pair> pairs(many);
  for (std::size_t i = 0; i < many; ++i) { pairs[i] = {i, static_cast<Value>(edition)}; }
  set_up.steps.emplace_back(OnKeys{Operation::insert, std::make_shared<std::vector<Pair> const>(std::move(pairs))});
  return test::slots_scenario(std::move(set_up));
}

/// Settings and session number `edition`.
void save_edition(fs::path const& file, int edition)
{
  UserSettings settings;
  settings.window_width = edition;
  save_settings(file, settings, scenes());
  write_scenario(last_session_path(file), session_of(edition));
}

/// The edition of a session, whose parts must be of one.
int edition_of(fs::path const& session)
{
  auto const set_up = test::read_setup<TableSetup>(session);
  auto const& pairs = *std::get<OnKeys>(set_up.steps.front()).pairs;
  EXPECT_EQ(pairs.size(), many);
  EXPECT_EQ(pairs.back().value, set_up.settings.table.slots) << "keys of another edition";
  return static_cast<int>(set_up.settings.table.slots);
}

/// Saves edition after edition, and says which ones are done, until it is killed. An error ends the process.
[[noreturn]] void save_for_ever(fs::path const& file, int first, int done) noexcept
{
  for (int edition = first;; ++edition) {
    save_edition(file, edition);
    if (::write(done, &edition, sizeof(edition)) < 0) { ::_exit(1); }
  }
}

/// A scenario with many keys is several files.
TEST(SavedScenario, IsOfOneEditionWhateverFails)
{
  using faults::Call;
  test::TemporaryFolder const folder;
  fs::path const file = folder / "long.slotscape.json";
  int edition = 1000;
  write_scenario(file, session_of(edition));
  for (Call const call : {Call::write, Call::fsync, Call::rename}) {
    std::uint64_t failures = 0;
    bool came = false;
    for (std::uint64_t after = 0; !came; ++after) {
      faults::fail(call, after);
      bool failed = false;
      try {
        write_scenario(file, session_of(edition + 1));
      } catch (Error const&) {
        failed = true;
      }
      came = !faults::stop();
      failures += failed ? 1 : 0;
      edition += failed ? 0 : 1;
      ASSERT_EQ(edition_of(file), edition) << "after " << after << " of " << static_cast<int>(call);
    }
    EXPECT_GE(failures, 2u) << "the keys and the scenario";
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 2) << "and its keys";
}

/// Numbers in names are names: what another scenario is about stays, and what is outdated goes.
TEST(SavedScenario, LeavesTheKeysOfOthers)
{
  test::TemporaryFolder const folder;
  write_scenario(folder / "table.json", session_of(1000));
  fs::copy_file(folder / "table.json", folder / "table-2.json");
  write_scenario(folder / "table-2.json", session_of(2000));
  EXPECT_EQ(edition_of(folder / "table.json"), 1000);
  EXPECT_EQ(edition_of(folder / "table-2.json"), 2000);
  write_scenario(folder / "run-2024.json", session_of(3000));
  write_scenario(folder / "run-2024.json", session_of(4000));
  EXPECT_EQ(edition_of(folder / "run-2024.json"), 4000);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 6);
}

class KilledWhileSaving : public testing::Test {
protected:
  /// Starts it, kills it some time later, and returns the last edition that was done; `first - 1` if none was.
  int kill_one(int first, std::chrono::microseconds later)
  {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    pid_t const process = ::fork();
    if (process == 0) { save_for_ever(file_, first, ends[1]); }
    ::close(ends[1]);
    std::this_thread::sleep_for(later);
    ::kill(process, SIGKILL);
    int status = 0;
    ::waitpid(process, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "it ended by itself";
    int done = first - 1;
    while (::read(ends[0], &done, sizeof(done)) == sizeof(done)) {}
    ::close(ends[0]);
    return done;
  }

  int unfinished_files() const
  {
    int count = 0;
    for (fs::directory_entry const& entry : fs::directory_iterator(folder_.path())) {
      count += entry.path().extension() == ".tmp" ? 1 : 0;
    }
    return count;
  }

  test::TemporaryFolder folder_;
  fs::path file_ = folder_ / "settings.json";
};

/// SLOTSCAPE_KILLS: how many times.
TEST_F(KilledWhileSaving, SettingsAndSessionAreThoseBeforeOrAfter)
{
  constexpr int first = 1000;
  char const* const wanted = std::getenv("SLOTSCAPE_KILLS");
  int const kills = wanted != nullptr ? std::atoi(wanted) : 12;
  save_edition(file_, first);
  auto const start = std::chrono::steady_clock::now();
  save_edition(file_, first);
  auto const one_takes = std::chrono::steady_clock::now() - start;
  int last = first;
  int left_over = 0;
  for (int i = 0; i < kills; ++i) {
    auto const later = 3.0 * random_unit(1, static_cast<std::uint64_t>(i)) * one_takes;
    int const done = kill_one(last + 1, std::chrono::duration_cast<std::chrono::microseconds>(later));
    left_over += unfinished_files();
    LoadedSettings const loaded = load_settings(file_, scenes());
    ASSERT_THAT(loaded.messages, IsEmpty());
    int const settings = loaded.settings.window_width;
    int const kept = edition_of(last_session_path(file_));
    ASSERT_GE(settings, done);
    ASSERT_LE(settings, done + 1);
    ASSERT_GE(kept, done);
    ASSERT_LE(kept, settings) << "the session is saved after the settings";
    ASSERT_EQ(unfinished_files(), 0) << "what was left over is removed";
    last = kept;
  }
  RecordProperty("kills", kills);
  RecordProperty("left_over", left_over);
  EXPECT_GT(last, first) << "it was always killed before it had saved anything";
  EXPECT_GT(left_over, 0) << "it was never killed in the middle";
  if (wanted != nullptr) {
    std::printf("%d kills left %d files half written beside the others, which are gone\n", kills, left_over);
  }
}

}  // namespace
}  // namespace slotscape
