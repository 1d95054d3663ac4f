// A program and a viewer, in two processes.

#include "tests/watch_link/program.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>

namespace slotscape::watch::test {
namespace {

struct Way {
  char const* options;
  char const* manner;
  Language language = Language::cpp;
};
void PrintTo(Way const& way, std::ostream* out)
{
  PrintTo(way.language, out);
  *out << ' ' << (*way.options == '\0' ? "plain" : way.options);
}

class EveryWay : public testing::TestWithParam<Way> {
protected:
  void SetUp() override
  {
    std::string const options = GetParam().options;
    bool const needs_numpy = options == "numpy" || options == "dlpack" || options == "interface";
    if (needs_numpy && program_.ask("try numpy") != "done") { GTEST_SKIP() << "NumPy is not installed"; }
  }
  RuntimeFolder folder_;
  Program program_{GetParam().language};
};

TEST_P(EveryWay, ShowsTheTableAsItChanges)
{
  ASSERT_EQ(program_.ask(std::string("watch customers 65536 ") + GetParam().options), "done");
  ASSERT_EQ(program_.ask("insert 1 1000"), "done");

  auto const tables = announced();
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].name, "customers");
  EXPECT_EQ(tables[0].pid, program_.pid());
  EXPECT_EQ(tables[0].bytes, 65536 * sizeof(Pair));
  EXPECT_FALSE(tables[0].on_device);
  EXPECT_NE(tables[0].program, "");

  auto const source = connect(tables[0]);
  auto const sees = [&](std::size_t keys) {
    return comes_true([&] {
      program_.ask("snapshot");
      return keys_of(*source) == keys;
    });
  };
  EXPECT_TRUE(sees(1000));
  EXPECT_EQ(source->manner(), GetParam().manner);
  EXPECT_EQ(source->backend(), Backend::cpu);
  EXPECT_NE(source->description().find("\"slots\": 65536"), std::string::npos);

  program_.ask("insert 1001 500");
  EXPECT_TRUE(sees(1500));
  for (Pair const& pair : pairs(*source)) { ASSERT_EQ(pair.value, 10 * pair.key); }

  program_.ask("move 131072 rehashed");
  program_.ask("insert 1 700");
  EXPECT_TRUE(sees(700));
  EXPECT_EQ(pairs(*source).size(), 131072u);
  EXPECT_NE(source->description().find("\"slots\": 131072"), std::string::npos);

  EXPECT_LT(std::stoi(program_.ask("end")), 300);
  EXPECT_TRUE(comes_true([&] { return !(source->refresh(), source->alive()); }));
  EXPECT_EQ(keys_of(*source), 700u);  // the last state stays
  EXPECT_EQ(source->manner(), "the last state");
  auto const events = source->take_events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, Event::Kind::moved);
  EXPECT_EQ(events[0].text, "rehashed");
  EXPECT_EQ(events[1].kind, Event::Kind::ended);
  EXPECT_TRUE(announced().empty());
}

TEST_P(EveryWay, KeepsTheLastStateOfAProgramThatIsKilled)
{
  program_.ask(std::string("watch customers 65536 ") + GetParam().options);
  program_.ask("insert 1 1000");
  auto const source = connect(find("customers"));
  ASSERT_TRUE(comes_true([&] {
    program_.ask("snapshot");
    return keys_of(*source) == 1000;
  }));
  program_.kill(SIGKILL);
  program_.wait();
  EXPECT_TRUE(comes_true([&] { return !(source->refresh(), source->alive()); }));
  EXPECT_EQ(keys_of(*source), 1000u);
  auto const events = source->take_events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, Event::Kind::ended);
  EXPECT_EQ(events[0].text, "The program has ended without notice.");

  EXPECT_FALSE(std::filesystem::is_empty(folder_.sockets()));
  EXPECT_TRUE(announced().empty());
  EXPECT_TRUE(std::filesystem::is_empty(folder_.sockets()));  // what it left behind is gone
}

TEST_P(EveryWay, ReadsATableWhileItChanges)
{
  constexpr std::size_t slots = 65536;
  program_.ask("watch busy 65536 fast " + std::string(GetParam().options));
  auto const source = connect(find("busy"));
  program_.say("throughput 600");
  std::size_t looks = 0;
  auto const start = Clock::now();
  while (seconds_since(start) < 0.5) {
    source->refresh();
    for (Pair const& pair : pairs(*source)) {
      // Key and value are two words: one may be new where the other is old, but neither is anything else.
      std::uint64_t const key = pair.key;
      std::uint64_t const value = pair.value;
      ASSERT_LE(key, slots / 2);
      ASSERT_EQ(value % 10, 0u);
      ASSERT_LE(value / 10, slots / 2);
    }
    ++looks;
  }
  EXPECT_GT(looks, 5u);
  EXPECT_NE(program_.answer(), "0");
}

INSTANTIATE_TEST_SUITE_P(WatchLink, EveryWay,
                         testing::Values(Way{"shared", "shared memory"}, Way{"", "read from the program's memory"},
                                         Way{"unreadable fast", "copied 100 times a second"},
                                         Way{"snapshots", "snapshots that the program takes"}));

constexpr auto python_language = Language::python;
INSTANTIATE_TEST_SUITE_P(WatchLinkInPython, EveryWay,
                         testing::Values(Way{"", "read from the program's memory", python_language},
                                         Way{"bits", "read from the program's memory", python_language},
                                         Way{"unreadable fast", "copied 100 times a second", python_language},
                                         Way{"snapshots", "snapshots that the program takes", python_language},
                                         Way{"numpy", "read from the program's memory", python_language},
                                         Way{"dlpack", "read from the program's memory", python_language},
                                         Way{"interface", "read from the program's memory", python_language}));

class EitherLanguage : public testing::TestWithParam<Language> {
protected:
  RuntimeFolder folder_;
  Program program_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(WatchLink, EitherLanguage, testing::Values(Language::cpp, Language::python));

TEST_P(EitherLanguage, BringsEventsInOrder)
{
  program_.ask("watch table 4096 shared");
  program_.ask("mark before anybody looks");
  auto const source = connect(find("table"));
  std::vector<std::string> said;
  std::vector<Event> events;
  for (int i = 0; i < 50; ++i) {
    bool const moves = i % 5 == 4;
    said.push_back("event " + std::to_string(i));
    program_.ask((moves ? "move 4096 " : "mark ") + said.back());
    if (i % 7 == 0) { source->refresh(); }
  }
  program_.ask("end");
  auto const take = [&] {
    source->refresh();
    for (Event& event : source->take_events()) { events.push_back(std::move(event)); }
    return !source->alive();
  };
  ASSERT_TRUE(comes_true(take));
  ASSERT_EQ(events.size(), 52u);
  EXPECT_EQ(events[0].text, "before anybody looks");
  EXPECT_LT(events[0].seconds, 0.0);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(events[i + 1].text, said[i]);
    EXPECT_EQ(events[i + 1].kind, i % 5 == 4 ? Event::Kind::moved : Event::Kind::mark);
    EXPECT_LE(events[i].seconds, events[i + 1].seconds);
  }
  EXPECT_EQ(events[51].kind, Event::Kind::ended);
}

TEST_P(EitherLanguage, SeveralViewersLook)
{
  program_.ask("watch table 65536 unreadable fast");
  program_.ask("insert 1 100");
  std::vector<std::unique_ptr<Source>> viewers;
  viewers.reserve(4);
  for (int i = 0; i < 4; ++i) { viewers.push_back(connect(find("table"))); }
  EXPECT_EQ(program_.ask("viewers"), "4");
  program_.ask("insert 101 100");
  for (auto const& viewer : viewers) {
    // All the others are refreshed, too: the program writes to no half that one of them looks at.
    EXPECT_TRUE(comes_true([&] {
      for (auto const& other : viewers) { other->refresh(); }
      return keys_of(*viewer) == 200;
    }));
  }
  viewers.clear();
  EXPECT_TRUE(comes_true([&] { return program_.ask("viewers") == "0"; }));
}

TEST(WatchLink, MemoryThatIsFreedWithoutAWordIsNoHarm)
{
  RuntimeFolder const folder;
  for (char const* options : {"", "unreadable fast"}) {
    Program program;
    program.ask(std::string("watch forgetful 65536 ") + options);
    program.ask("insert 1 100");
    auto const source = connect(find("forgetful"));
    ASSERT_TRUE(comes_true([&] { return keys_of(*source) == 100; }));
    program.ask("free");
    EXPECT_TRUE(comes_true([&] {
      source->refresh();
      return source->manner().find("did not report that") != std::string::npos;
    }));
    EXPECT_TRUE(source->alive());
    EXPECT_EQ(keys_of(*source), 100u);
    EXPECT_TRUE(comes_true([&] {
      source->refresh();
      return program.ask("viewers") == "1";
    }));
  }
}

TEST_P(EitherLanguage, TheProgramGoesOnWhenAViewerIsKilled)
{
  program_.ask("watch table 65536 shared");
  Announced const table = find("table");
  pid_t const viewer = fork();
  if (viewer == 0) {
    auto const source = connect(table);
    while (true) { source->refresh(); }
  }
  ASSERT_TRUE(comes_true([&] { return program_.ask("viewers") == "1"; }));
  kill(viewer, SIGKILL);
  waitpid(viewer, nullptr, 0);
  for (int i = 0; i < 200; ++i) { ASSERT_EQ(program_.ask("mark nobody listens"), "done"); }
  EXPECT_TRUE(comes_true([&] { return program_.ask("viewers") == "0"; }));
  program_.say("quit");
  EXPECT_EQ(program_.wait(), 0);
}

TEST_P(EitherLanguage, AStoppedViewerIsLeftBehind)
{
  program_.ask("watch table 65536 shared");
  auto const source = connect(find("table"));  // and never refreshed again
  ASSERT_TRUE(comes_true([&] { return program_.ask("viewers") == "1"; }));
  int const milliseconds = std::stoi(program_.ask("end"));
  EXPECT_GE(milliseconds, 90);
  EXPECT_LT(milliseconds, 1000);  // 100, and what a busy machine adds

  program_.ask("watch table 65536 shared");
  auto const other = connect(find("table"));
  for (int i = 0; i < 5000; ++i) { program_.say("mark more than it takes"); }
  for (int i = 0; i < 5000; ++i) { ASSERT_EQ(program_.answer(), "done"); }
  EXPECT_EQ(program_.ask("viewers"), "0");
  EXPECT_LT(std::stoi(program_.ask("end")), 100);  // nobody to wait for
}

TEST_P(EitherLanguage, AStoppedProgramDoesNotStopAViewer)
{
  program_.ask("watch table 65536");
  auto const source = connect(find("table"));
  Announced const table = find("table");
  program_.stop();
  auto start = Clock::now();
  for (int i = 0; i < 100; ++i) { source->refresh(); }
  EXPECT_LT(seconds_since(start), 2.0);
  EXPECT_TRUE(source->alive());
  start = Clock::now();
  EXPECT_TRUE(announced().empty());
  EXPECT_LT(seconds_since(start), 0.5);
  EXPECT_THROW(connect(table), Error);
  EXPECT_LT(seconds_since(start), 2.0);
  program_.kill(SIGCONT);
  EXPECT_EQ(find("table").pid, program_.pid());
}

TEST_P(EitherLanguage, AForkedChildLeavesTheTableToItsParent)
{
  program_.ask("watch table 65536 shared");
  auto const source = connect(find("table"));
  EXPECT_EQ(program_.ask("fork"), "0");
  EXPECT_EQ(program_.ask("mark after the child"), "done");
  ASSERT_TRUE(comes_true([&] { return (source->refresh(), true) && !source->take_events().empty(); }));
  EXPECT_TRUE(source->alive());
  EXPECT_EQ(find("table").pid, program_.pid());
}

/// From now on, this process may not read the memory of others, as under Yama's ptrace_scope 2.
void forbid_reading()
{
  std::array<sock_filter, 4> code{{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_process_vm_readv, 0, 1),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)}};
  sock_fprog const program{static_cast<unsigned short>(code.size()), code.data()};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

TEST_P(EitherLanguage, WhatCannotBeReadIsCopiedAndSaysWhy)
{
  program_.ask("watch customers 65536 fast");
  program_.ask("insert 1 1000");
  Announced const table = find("customers");
  pid_t const viewer = fork();
  if (viewer == 0) {
    forbid_reading();
    auto const source = connect(table);
    bool const is_seen = comes_true([&] { return keys_of(*source) == 1000; });
    std::string const manner = source->manner();
    bool const says_why = manner.starts_with("copied 100 times a second (") &&
                          manner.find("memory cannot be read") != std::string::npos &&
                          manner.find("watch_alloc") != std::string::npos;
    if (!says_why) { std::fprintf(stderr, "%s\n", manner.c_str()); }
    _exit(is_seen && says_why ? 0 : 1);
  }
  int status = -1;
  waitpid(viewer, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(WatchLink, LookingCostsTheProgramLittle)
{
  RuntimeFolder const folder;
  // The machines that run tests are busy: the best of a few rounds, and of more where the limit is not held.
  constexpr std::size_t slots = 1 << 20;
  constexpr int usual_rounds = 3;
  constexpr int most_rounds = 20;
  constexpr double limit = 0.5;  // of what it does alone
  for (char const* options : {"shared", "", "unreadable"}) {
    Program program;
    program.ask("watch table " + std::to_string(slots) + " " + options);
    auto const measure = [&] { return std::stod(program.ask("throughput 200")); };
    double alone = 0.0;
    double watched = 0.0;
    for (int round = 0; round < most_rounds && (round < usual_rounds || watched <= limit * alone); ++round) {
      alone = std::max(alone, measure());
      auto const source = connect(find("table"));
      std::atomic<bool> stop{false};
      std::thread viewer([&] {
        while (!stop) {
          source->refresh();
          std::this_thread::sleep_for(std::chrono::milliseconds(16));
        }
      });
      watched = std::max(watched, measure());
      stop = true;
      viewer.join();
    }
    std::printf("%-10s insertions: %.1f M/s alone, %.1f M/s while somebody looks 60 times a second (%+.1f %%)\n",
                *options == '\0' ? "read" : options, alone / 1e6, watched / 1e6, 100.0 * (watched / alone - 1.0));
    EXPECT_GT(watched, limit * alone) << options;
  }
}

}  // namespace
}  // namespace slotscape::watch::test
