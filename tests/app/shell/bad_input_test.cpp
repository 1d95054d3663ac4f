#include "tests/app/support/strict_family.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/support/paths.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <bit>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace slotscape {
namespace {

using test::content_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Texts = std::vector<std::string>;

struct Ended {
  int status = -1;  ///< exit status; 128 and the signal where one ended it
  std::string errors;
};

/// Runs the program itself, with no CUDA device to be seen and no settings of the user's.
class BadInput : public ::testing::Test {
protected:
  Ended run(Texts words) const
  {
    words.insert(words.begin(),
                 {"env", "CUDA_VISIBLE_DEVICES=-1", "XDG_CONFIG_HOME=" + folder_.path().string(), test::program()});
    std::vector<char*> arguments;
    for (std::string& word : words) { arguments.push_back(word.data()); }
    arguments.push_back(nullptr);
    std::string const errors = folder_ / "stderr.txt";
    return {spawn(arguments, errors), content_of(errors)};
  }

  Ended run_scenario(std::string const& content, Texts more = {}) const
  {
    Texts words{"run", folder_.write("scenario.json", content), "--headless", "--backend", "cpu"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }

  Ended run_step(std::string const& step) const
  {
    return run_scenario(R"({ "version": 1, "table": { "slots": 64 }, "steps": [ )" + step + " ] }");
  }

  Ended run_small(Texts more) const
  {
    return run_scenario(R"({ "version": 1, "table": { "slots": 64 } })", std::move(more));
  }

  TemporaryFolder folder_;

private:
  static int spawn(std::vector<char*> const& arguments, std::string const& errors)
  {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    int const failure = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    if (failure != 0 || waitpid(child, &status, 0) != child) { return -1; }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
};

/// Exit status 2, and one message on stderr that has these words.
template <class... Texts>
void expect_refused(Ended const& ended, Texts... words)
{
  EXPECT_EQ(ended.status, 2) << ended.errors;
  EXPECT_THAT(ended.errors, AllOf(StartsWith("slotscape: "), HasSubstr(words)...));
  EXPECT_THAT(ended.errors, Not(HasSubstr("terminate called")));
}

TEST_F(BadInput, UnknownNames)
{
  expect_refused(run_scenario(R"({ "version": 1, "table": { "family": "none" } })"), "table.family", "linear_probing");
  expect_refused(run_scenario(R"({ "version": 1, "table": { "hash": "md5" } })"), "table.hash", "murmur3");
  expect_refused(run_scenario(R"({ "version": 1, "table": { "deletion": "gone" } })"), "table.deletion", "empty_value");
  expect_refused(run_step(R"({ "op": "upsert", "count": 1 })"), "steps[0].op", "insert");
  expect_refused(run_step(R"({ "op": "insert", "count": 1, "keys": "gaussian" })"), "steps[0].keys", "uniform");
  expect_refused(run_scenario(R"({ "version": 1, "tabel": {} })"), "tabel", "did you mean 'table'");
  expect_refused(run_scenario(R"({ "version": 1, "tables": [ {} ] })"), "tables", "2 to 4");
  expect_refused(run_scenario(R"({ "version": 1, "tables": [ {}, { "hash": "md5" } ] })"), "tables[1].hash", "murmur3");
}

TEST_F(BadInput, StepsThroughWhatIsNone)
{
  expect_refused(run_step(R"({ "op": "step", "operation": "insert", "key": 4294967295 })"), "steps[0]", "reserved");
  expect_refused(run_step(R"({ "op": "step", "operation": "jump", "key": 1 })"), "steps[0].operation", "insert");
  expect_refused(run_step(R"({ "op": "step", "operation": "find", "key": 1, "position": 9 })"), "position 9", "1 step");
}

TEST_F(BadInput, SlotsThatTheFamilyCannotHave)
{
  std::string const table = fmt::format(R"({{ "version": 1, "table": {{ "family": "{}", "slots": 1024 }}, "steps": [ )",
                                        test::strict_family());
  expect_refused(run_scenario(fmt::format(R"({{ "version": 1, "table": {{ "family": "{}", "slots": 1000 }} }})",
                                          test::strict_family())),
                 "table.slots", "power of two");
  expect_refused(run_scenario(table + R"({ "op": "rehash", "slots": 100 } ] })"), "steps[0].slots", "power of two");
  expect_refused(run_scenario(R"({ "version": 1, "table": { "slots": 3 } })"), "table.slots", "4");
  expect_refused(run_step(R"({ "op": "rehash", "slots": 3 })"), "steps[0].slots", "4");
}

TEST_F(BadInput, SlotsTooManyForMemory)
{
  auto const memory =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::uint64_t const slots = std::bit_ceil(memory / 8 + 1);  // 8 bytes each
  expect_refused(run_scenario(fmt::format(R"({{ "version": 1, "table": {{ "slots": {} }} }})", slots)), "slots");
  expect_refused(run_scenario(R"({ "version": 1, "table": { "slots": 1152921504606846976 } })"), "table.slots");
}

TEST_F(BadInput, CountsOutOfRange)
{
  expect_refused(run_step(R"({ "op": "insert", "count": -1 })"), "steps[0].count", "-1", "4294967296");
  expect_refused(run_step(R"({ "op": "insert", "count": 4294967297 })"), "steps[0].count", "4294967296");
  expect_refused(run_step(R"({ "op": "erase", "count": 0.5 })"), "steps[0].count", "whole number");
}

TEST_F(BadInput, KeyFiles)
{
  std::string const step = R"({ "op": "insert", "count": 1, "keys": { "file": "keys.txt" } })";
  expect_refused(run_step(step), "keys.txt", "No such file");
  folder_.write("keys.txt", "12\nthirteen\n");
  expect_refused(run_step(step), "keys.txt: line 2", "'thirteen'");
  folder_.write("keys.txt", "12\n-13\n");
  Ended const negative = run_step(step);
  EXPECT_EQ(negative.status, 0);
  EXPECT_THAT(negative.errors, HasSubstr("note: keys.txt: 1 key is negative (the first is -13 in line 2)"));
  folder_.write("keys.txt", "");
  expect_refused(run_step(step), "keys.txt", "empty");
}

TEST_F(BadInput, BrokenScenarios)
{
  expect_refused(run({"run", folder_ / "none.json", "--headless"}), "none.json", "No such file");
  expect_refused(run({"run", folder_.path(), "--headless"}), "it is a folder");
  expect_refused(run_scenario("{ \"version\": 1,\n  \"steps\": [ { \"op\": \"cle"), "scenario.json: line 2, column",
                 "a quotation mark is missing");
  expect_refused(run_scenario(""), "scenario.json", "empty");
  expect_refused(run_scenario("{}"), "scenario.json", "'version' is missing");
  expect_refused(run_scenario(R"({ "version": 9 })"), "version", "reads version 1");
}

TEST_F(BadInput, WhatIsNoFile)
{
  expect_refused(run({"run", "/dev/zero", "--headless"}), "/dev/zero", "save it as a file");
  expect_refused(run_scenario(R"({ "version": 1, "keys": { "file": "" } })"), "keys.file", "it must name a file");
  std::string const one = folder_ / "one.json";
  expect_refused(run({"run", folder_.write("two.json", R"({ "version": 1 })"), "--headless", "--stats", one,
                      "--save-setup", one}),
                 "one.json", "two outputs");
}

/// Whoever writes a file by hand is told what to change, and where.
TEST_F(BadInput, WhatIsNoJson)
{
  constexpr std::array<std::pair<char const*, char const*>, 14> files{{
      {R"({ "version": 1, })", "line 1, column 17: invalid JSON: the name of a field in quotation marks is missing"},
      {R"({ version: 1 })", "line 1, column 3: invalid JSON: the name of a field in quotation marks is missing"},
      {R"({ 'version': 1 })", "column 3: invalid JSON: strings and names need double quotation marks"},
      {"{ // mine\n \"version\": 1 }", "column 3: invalid JSON: JSON has no comments"},
      {R"({ "version" 1 })", "invalid JSON: a ':' is missing after the name of a field"},
      {"{ \"version\": 1\n \"steps\": [] }", "line 2, column 8: invalid JSON: a ',' or '}' is missing"},
      {R"({ "version": 1, "steps": [1 2] })", "invalid JSON: a ',' or ']' is missing"},
      {R"({ "version": 1, "steps": [1,] })", "column 29: invalid JSON: a value is missing"},
      {R"({ "version": yes })", "invalid JSON: a value is missing: a string in quotation marks"},
      {R"({ "version": 1. })", "invalid JSON: this is not a JSON number"},
      {R"({ "version": 1e999 })", "invalid JSON: the number is too large"},
      {"{ \"version\": \"1\n\" }", "invalid JSON: a string contains a line break"},
      {R"({ "version": "\d" })", "invalid JSON: a string contains an invalid escape"},
      {R"({ "version": 1 } })", "invalid JSON: something follows after the end"},
  }};
  for (auto const& [content, why] : files) { expect_refused(run_scenario(content), "scenario.json", why); }
  expect_refused(run_scenario(R"({ "version": 1)"), "invalid JSON: the file ends too early");
}

TEST_F(BadInput, OutputsThatCannotBeWritten)
{
  folder_.write("file", "");
  std::string const below_a_file = folder_ / "file/out";
  for (char const* option : {"--stats", "--screenshot", "--csv", "--record"}) {
    expect_refused(run_small({option, below_a_file}), below_a_file.c_str(), "cannot be written");
  }
  expect_refused(run_small({"--stats", folder_ / "none/stats.json"}), "stats.json", "there is no folder");
}

TEST_F(BadInput, DevicesThatAreNotThere)
{
  std::string const scenario = folder_.write("small.json", R"({ "version": 1, "table": { "slots": 64 } })");
  expect_refused(run({"run", scenario, "--headless", "--backend", "cuda"}), "--backend cuda is unavailable",
                 "--backend cpu");
  expect_refused(run_small({"--present", "interop"}), "interop");
  expect_refused(run_small({"--present", "staging"}), "staging");
}

TEST_F(BadInput, CommandLines)
{
  expect_refused(run({"fly"}), "run, serve, spatial, sparse, match");
  expect_refused(run({"run"}), "SCENARIO.json");
  expect_refused(run({"--backend", "gpu"}), "--backend", "auto, cuda, cpu");
  expect_refused(run({"--size", "1x1"}), "--size", "320x240");
  expect_refused(run({"--nonsense"}), "--nonsense", "--help");
  expect_refused(run_small({"--frames", "0"}), "--frames", "1 to 1000000");
  expect_refused(run_small({"--seed", "first"}), "--seed", "whole number");
}

TEST_F(BadInput, IsToldFromGoodInput)
{
  Ended const ended = run_small({"--frames", "1", "--size", "320x240", "--stats", folder_ / "stats.json"});
  EXPECT_EQ(ended.status, 0) << ended.errors;
  EXPECT_THAT(content_of(folder_ / "stats.json"), HasSubstr("\"slots\": 64"));
}

/// A column of Latin-1 with gaps, negative numbers and a name that is not UTF-8.
std::filesystem::path latin1_orders(TemporaryFolder const& folder)
{
  std::string orders =
      "Kundennummer gr\xf6\xdf"
      "e;n\n;0\n";
  for (int i = 1; i <= 2000; ++i) { orders += fmt::format("{};{}\n", i % 2 == 0 ? i : -7 * i, i); }
  return folder.write(
      "gr\xf6\xdf"
      "e.csv",
      orders);
}

TEST_F(BadInput, TextsThatAreNotUtf8CostNoReport)
{
  std::filesystem::path const orders = latin1_orders(folder_);
  Ended const bench = run({"bench",      "tables",
                           "--backend",  "cpu",
                           "--families", "linear_probing",
                           "--slots",    "2048",
                           "--load",     "0.5",
                           "--ops",      "find_hit",
                           "--repeats",  "1",
                           "--keys",     orders,
                           "--column",   "Kundennummer gr\xf6\337e",
                           "--json",     folder_ / "bench.json"});
  EXPECT_EQ(bench.status, 0) << bench.errors;
  EXPECT_THAT(bench.errors, AllOf(HasSubstr("note: gr\\xF6\\xDFe.csv: 1,000 keys are negative"),
                                  HasSubstr("1 empty cell of column 'Kundennummer größe'")));
  EXPECT_THAT(content_of(folder_ / "bench.json"),
              AllOf(HasSubstr("\"findings\""), HasSubstr("Kundennummer größe"), HasSubstr("\"key_bits\": 64")));

  folder_.write("w.json",
                "{ \"keys\": { \"file\": \"gr\\\\xF6\\\\xDFe.csv\", \"column\": \"Kundennummer gr\xf6\xdf"
                "e\" }, \"insert\": 1 }");
  for (Texts const& words :
       {Texts{"tune", folder_ / "w.json"}, Texts{"tune", "join", "--keys", orders, "--column", "Kundennummer größe"}}) {
    Texts all = words;
    all.insert(all.end(), {"--backend", "cpu", "--budget", "1", "--json", (folder_ / "tune.json").string(), "--report",
                           (folder_ / "tune.md").string()});
    Ended const tune = run(all);
    EXPECT_EQ(tune.status, 0) << tune.errors;
    EXPECT_THAT(tune.errors, HasSubstr("1 empty cell"));
    EXPECT_THAT(content_of(folder_ / "tune.json"), AllOf(HasSubstr("Kundennummer größe"), HasSubstr("\"findings\"")));
    EXPECT_THAT(content_of(folder_ / "tune.md"), HasSubstr("1,000 keys are negative"));
  }
}

TEST_F(BadInput, JoinsTakeBothSidesFromFiles)
{
  std::string const build = folder_.write("customers.csv", "id,name\n1,a\n2,b\n2,c\n5,d\n");
  std::string const probe = folder_.write("orders.csv", "order,customer\n1,2\n2,2\n3,9\n4,1\n");
  Ended const tune =
      run({"tune", "join", "--keys", build, "--column", "id", "--probe", probe, "--probe-column", "customer", "--kind",
           "left", "--backend", "cpu", "--budget", "1", "--json", (folder_ / "join.json").string()});
  EXPECT_EQ(tune.status, 0) << tune.errors;
  EXPECT_THAT(content_of(folder_ / "join.json"),
              AllOf(HasSubstr("Multi-value table"), HasSubstr("The left join: 4 build rows"),
                    HasSubstr("4 probe rows, 75.0 % of which match")));
  EXPECT_THAT(content_of(folder_ / "join.json"), AllOf(HasSubstr("\"join\""), HasSubstr("\"kind\": \"left\"")));

  expect_refused(run({"tune", "join", "--probe", probe, "--probe-column", "customer"}), "build side must, too", "file");
  expect_refused(run({"tune", "cache", "--kind", "left"}), "belong to a join", "tune join");
  expect_refused(run({"tune", "join", "--probe-column", "customer"}), "--probe-column", "--probe FILE");
  expect_refused(run({"tune", "join", "--kind", "outer"}), "--kind", "inner");
  expect_refused(run({"tune", "join", "--match", "2"}), "--match", "from 0 to 1");
  expect_refused(run({"tune", "join", "--keys", build, "--column", "id", "--probe", probe, "--probe-column", "customer",
                      "--skew", "1"}),
                 "--match and --skew", "leave them out");
}

TEST_F(BadInput, WidthsOfKeysLeadSomewhere)
{
  std::string const keys = folder_.write("keys.txt", "5000000000\n7\n");
  EXPECT_EQ(run({"tune", "join", "--keys", keys, "--key-bits", "32"}).status, 2);
  expect_refused(run({"tune", "join", "--keys", keys, "--key-bits", "32"}), "key 1 is 5000000000", "--key-bits 64");
  expect_refused(run({"tune", "join", "--keys", keys, "--key-bits", "33"}), "--key-bits", "32");
  expect_refused(run({"tune", "join", "--keys", keys, "--empty", "maybe"}), "--empty", "skip or refuse");
  expect_refused(run({"tune", "join", "--empty", "skip"}), "--keys FILE");
  expect_refused(run({"bench", "tables", "--keys", keys, "--key-bits", "32"}), "key 1 is 5000000000", "64");
}

}  // namespace
}  // namespace slotscape
