#include "app/base/interrupt.hpp"

#include "app/base/json.hpp"
#include "app/shell/work_report.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>
#include "tests/support/paths.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <thread>
#include <tuple>

namespace slotscape {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int status_after_ctrl_c = 130;
constexpr int status_after_sigterm = 143;

TEST(Interrupt, TakesTheFirstOne)
{
  EXPECT_FALSE(is_interrupted());
  for (auto const& [signal, name, status] :
       {std::tuple{SIGINT, "Ctrl-C", status_after_ctrl_c}, std::tuple{SIGTERM, "SIGTERM", status_after_sigterm}}) {
    Interrupt interrupt;
    EXPECT_FALSE(interrupt.asked());
    EXPECT_FALSE(is_interrupted());
    std::raise(signal);
    EXPECT_TRUE(interrupt.asked());
    EXPECT_TRUE(is_interrupted());
    EXPECT_EQ(interrupt_name(), name);
    EXPECT_EQ(interrupted_status(), status);
  }
  EXPECT_FALSE(is_interrupted()) << "that one is gone";
}

TEST(Interrupt, DropsOneThatNobodyAskedFor)
{
  Interrupt interrupt;
  std::raise(SIGINT);
  std::raise(SIGTERM);
}

std::vector<std::string> lines_told(bool rewrites)
{
  std::vector<std::string> lines;
  WorkReport report([&](std::string const& text) { lines.push_back(text); }, rewrites);
  Progress const progress = Progress::tracked();
  progress.begin("insert 1000");
  for (int i = 0; i <= 24; ++i) {
    progress.report(i / 24.0, 1000 * (i + std::uint64_t{1}));
    report.tell(progress, 0.5 * i);
  }
  report.end();
  return lines;
}

TEST(WorkReport, SaysHowFarAndHowFast)
{
  EXPECT_THAT(lines_told(false), ElementsAre("insert 1000: 83.3 %, 21,000 operations, 2.10 k/s\n"));
}

TEST(WorkReport, RewritesItsLineOnATerminal)
{
  std::vector<std::string> const lines = lines_told(true);
  ASSERT_THAT(lines, SizeIs(24));
  EXPECT_EQ(lines[0], "\r\x1b[Kinsert 1000: 8.3 %, 3,000 operations, 3.00 k/s");
  EXPECT_EQ(lines.back(), "\r\x1b[K") << "nothing remains of it";
}

TEST(WorkReport, SaysNothingOfShortWorkAndWarnsOnce)
{
  std::vector<std::string> lines;
  WorkReport report([&](std::string const& text) { lines.push_back(text); }, false);
  Progress const progress = Progress::tracked();
  progress.begin("find 10");
  progress.report(0.5, 5);
  report.tell(progress, 0.0);
  progress.warn("few empty slots are left");
  progress.report(1.0, 10);
  report.tell(progress, 0.5);
  report.tell(progress, 0.6);
  report.end();
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_THAT(lines[0], HasSubstr("few empty slots are left"));
}

/// The program, running headless; what it writes to stderr is read here.
class Running {
public:
  explicit Running(std::vector<std::string> words)
  {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) { throw std::runtime_error("no pipe"); }
    id_ = fork();
    if (id_ == 0) {
      dup2(ends[1], STDERR_FILENO);
      close(ends[0]);
      std::vector<char*> arguments;
      arguments.reserve(words.size() + 1);
      for (std::string& word : words) { arguments.push_back(word.data()); }
      arguments.push_back(nullptr);
      execvp(arguments[0], arguments.data());
      _exit(127);
    }
    close(ends[1]);
    errors_ = fdopen(ends[0], "r");
  }
  Running(Running const&) = delete;
  Running& operator=(Running const&) = delete;
  ~Running() { fclose(errors_); }

  /// Waits until it has said this, or has ended without.
  bool says(std::string const& words)
  {
    std::array<char, 512> line{};
    while (said_.find(words) == std::string::npos) {
      if (fgets(line.data(), line.size(), errors_) == nullptr) { return false; }
      said_ += line.data();
    }
    return true;
  }
  void interrupt(int signal = SIGINT) const { kill(id_, signal); }
  /// The exit status; -1 if a signal ended it.
  int wait() const
  {
    int status = 0;
    waitpid(id_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

private:
  pid_t id_ = -1;
  FILE* errors_ = nullptr;
  std::string said_;
};

TEST(Headless, TellsOfLongWorkWarnsAndWritesWhatIsDoneOnCtrlC)
{
  test::TemporaryFolder const folder;
  folder.write("long.json", R"({ "version": 1, "table": { "slots": 131072 },
    "steps": [ { "op": "insert", "count": 65536 },
               { "op": "mix", "count": 200e6, "insert": 0.4, "find": 0.3, "erase": 0.3 } ] })");
  Running program({test::program(), "run", folder / "long.json", "--headless", "--backend", "cpu", "--frames", "1",
                   "--size", "640x480", "--stats", folder / "stats.json", "--screenshot", folder / "picture.png"});
  EXPECT_TRUE(program.says("few empty slots are left"));
  EXPECT_TRUE(program.says("operations, "));
  program.interrupt();
  EXPECT_TRUE(program.says("stopped by Ctrl-C"));
  EXPECT_EQ(program.wait(), status_after_ctrl_c);
  auto const stats = nlohmann::json::parse(test::content_of(folder / "stats.json"));
  ASSERT_EQ(stats["operations"].size(), 2u);
  EXPECT_EQ(stats["operations"][1]["op"], "mix");
  EXPECT_GT(stats["operations"][1]["count"], 0);
  EXPECT_LT(stats["operations"][1]["count"], 200'000'000);
  EXPECT_TRUE(std::filesystem::exists(folder / "picture.png"));
}

/// Layers of this size take minutes, and the kernel map a second.
TEST(Headless, WritesAKernelMapBeforeLayersAreCountedAndTheRestOnSigterm)
{
  test::TemporaryFolder const folder;
  Running program({test::program(),      "sparse", "sphere",   "--grid",  "96",         "--points",         "40000",
                   "--kernel",           "7",      "--layers", "8",       "--headless", "--backend",        "cpu",
                   "--frames",           "1",      "--size",   "640x480", "--export",   folder / "map.npz", "--stats",
                   folder / "stats.json"});
  for (int i = 0; i < 3000 && test::content_of(folder / "map.npz").empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_FALSE(test::content_of(folder / "map.npz").empty()) << "while the program goes on";
  program.interrupt(SIGTERM);
  EXPECT_TRUE(program.says("stopped by SIGTERM"));
  EXPECT_EQ(program.wait(), status_after_sigterm);
  auto const stats = nlohmann::json::parse(test::content_of(folder / "stats.json"));
  EXPECT_GT(stats["pairs"], 0);
  EXPECT_LT(stats.contains("layers") ? stats["layers"]["sparse"].size() : 0u, 8u);
}

/// Each lookup of an absent key reads half of the table: all of them take many minutes.
TEST(Headless, ABenchEndsSoonAfterCtrlC)
{
  test::TemporaryFolder const folder;
  Running program({test::program(),  "bench",  "tables",           "--backend", "cpu",        "--families",
                   "linear_probing", "--hash", "identity",         "--keys",    "sequential", "--slots",
                   "4278751",        "--load", "0.5,0.82",         "--ops",     "find_miss",  "--max-seconds",
                   "86400",          "--csv",  folder / "rows.csv"});
  EXPECT_TRUE(program.says("%: "));
  auto const start = std::chrono::steady_clock::now();
  program.interrupt();
  EXPECT_TRUE(program.says("stopped by Ctrl-C"));
  EXPECT_EQ(program.wait(), status_after_ctrl_c);
  std::chrono::duration<double> const took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 15.0);
}

}  // namespace
}  // namespace slotscape
