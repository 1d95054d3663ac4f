#pragma once

#include "gpu/base/error.hpp"
#include "gpu/watch/live.hpp"

#include "tests/support/paths.hpp"
#include "watched_program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#if !defined(SLOTSCAPE_WATCHED_DEVICE_PROGRAM)
#define SLOTSCAPE_WATCHED_DEVICE_PROGRAM "not of this test"
#endif

namespace slotscape::watch::test {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start)
{
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Whether it becomes true within ten seconds.
inline bool comes_true(std::function<bool()> const& condition)
{
  auto const start = Clock::now();
  while (!condition()) {
    if (seconds_since(start) > 10.0) { return false; }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

/// A runtime folder of the test's own.
class RuntimeFolder {
public:
  RuntimeFolder()
  {
    std::string name = "/tmp/watch_link_test.XXXXXX";
    if (mkdtemp(name.data()) == nullptr) { throw std::runtime_error("mkdtemp"); }
    path_ = name;
    setenv("XDG_RUNTIME_DIR", path_.c_str(), 1);
  }
  RuntimeFolder(RuntimeFolder const&) = delete;
  RuntimeFolder& operator=(RuntimeFolder const&) = delete;
  ~RuntimeFolder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string const& path() const { return path_; }
  std::string sockets() const { return path_ + "/slotscape"; }

private:
  std::string path_;
};

/// What a watched program is written in.
enum class Language { cpp, python, cpp_on_device, python_on_device };
inline bool is_python(Language language)
{
  return language == Language::python || language == Language::python_on_device;
}
inline void PrintTo(Language language, std::ostream* out)  // GoogleTest's name
{
  *out << (is_python(language) ? "Python" : "C++");
}

/// The distribution's Python, which has NumPy if it is installed.
inline std::string python()
{
  return access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
}

/// watched_program.cpp, watched_program.py, or those with a device, in a process of its own.
class Program {
public:
  explicit Program(Language language = Language::cpp)
  {
    int to[2];
    int from[2];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) { throw std::runtime_error("pipe"); }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    std::string path = SLOTSCAPE_WATCHED_PROGRAM;
    if (is_python(language)) { path = python(); }
    if (language == Language::cpp_on_device) { path = SLOTSCAPE_WATCHED_DEVICE_PROGRAM; }
    std::string script =
        slotscape::test::in_project(language == Language::python ? "tests/watch_link/watched_program.py"
                                                                 : "tests/watch_link/watched_device_program.py");
    std::string module = slotscape::test::in_project("gpu/library");
    std::array<char*, 4> arguments{path.data()};
    if (is_python(language)) { arguments = {path.data(), script.data(), module.data(), nullptr}; }
    int const status = posix_spawnp(&pid_, path.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    if (status != 0) { throw std::runtime_error("cannot start " + path); }
    to_ = fdopen(to[1], "w");
    from_ = fdopen(from[0], "r");
  }
  Program(Program const&) = delete;
  Program& operator=(Program const&) = delete;
  ~Program()
  {
    std::fclose(to_);
    std::fclose(from_);
    if (pid_ != 0) { wait(); }
  }

  void say(std::string const& command)
  {
    std::fprintf(to_, "%s\n", command.c_str());
    std::fflush(to_);
  }
  std::string answer()
  {
    std::array<char, 256> line{};
    if (std::fgets(line.data(), line.size(), from_) == nullptr) { return "no answer"; }
    return std::string(line.data(), std::strcspn(line.data(), "\n"));
  }
  std::string ask(std::string const& command)
  {
    say(command);
    return answer();
  }
  /// How it ended, as `waitpid` says.
  int wait()
  {
    int status = 0;
    waitpid(std::exchange(pid_, 0), &status, 0);
    return status;
  }
  void kill(int signal) const { ::kill(pid_, signal); }
  /// All its threads stand still when this returns.
  void stop() const
  {
    kill(SIGSTOP);
    waitpid(pid_, nullptr, WUNTRACED);
  }
  pid_t pid() const { return pid_; }

private:
  pid_t pid_ = 0;
  FILE* to_ = nullptr;
  FILE* from_ = nullptr;
};

/// What is announced under a name.
inline Announced find(std::string const& name)
{
  for (Announced const& table : announced()) {
    if (table.name == name) { return table; }
  }
  throw std::runtime_error(name + " is not announced");
}

struct Pair {
  std::uint64_t key;
  std::uint64_t value;
};

inline std::span<Pair const> pairs(Source& source)
{
  auto const arrays = source.arrays();
  if (arrays.empty()) { return {}; }
  return {reinterpret_cast<Pair const*>(arrays[0].data), static_cast<std::size_t>(arrays[0].bytes / sizeof(Pair))};
}
/// Refreshes, and counts keys.
inline std::size_t keys_of(Source& source)
{
  source.refresh();
  std::size_t count = 0;
  for (Pair const& pair : pairs(source)) { count += pair.key != 0 ? 1 : 0; }
  return count;
}

}  // namespace slotscape::watch::test
