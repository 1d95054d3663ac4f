#include "app/base/child_process.hpp"

#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

namespace slotscape {
namespace {

constexpr std::chrono::milliseconds patience{500};  ///< time limit for a program to end once it has been asked to
constexpr std::chrono::milliseconds pause{5};

[[noreturn]] void fail(std::string const& what, int code)
{
  throw Error(fmt::format("{}: {}", what, std::generic_category().message(code)));
}

/// The file descriptors that a child process starts with.
class FileActions {
public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(FileActions const&) = delete;
  FileActions& operator=(FileActions const&) = delete;

  void empty_input() { posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0); }
  void redirect(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, to, from); }
  posix_spawn_file_actions_t const* get() const { return &actions_; }

private:
  posix_spawn_file_actions_t actions_{};
};

/// The attributes that a child process starts with.
class Attributes {
public:
  Attributes() { posix_spawnattr_init(&attributes_); }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(Attributes const&) = delete;
  Attributes& operator=(Attributes const&) = delete;

  /// Keeps Ctrl-C in the terminal from reaching the child.
  void apart_from_terminal()
  {
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  posix_spawnattr_t const* get() const { return &attributes_; }

private:
  posix_spawnattr_t attributes_{};
};

}  // namespace

ChildProcess::Pipe::Pipe()
{
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) { fail("Could not make a pipe", errno); }
  read_ = ends[0];
  write_ = ends[1];
  ::fcntl(read_, F_SETFL, O_NONBLOCK);  // only this end: the child expects blocking writes
}

ChildProcess::Pipe::~Pipe()
{
  close_write_end();
  ::close(read_);
}

void ChildProcess::Pipe::close_write_end()
{
  if (write_ >= 0) { ::close(write_); }
  write_ = -1;
}

void ChildProcess::Pipe::read_available()
{
  std::array<char, 65536> piece{};  // the capacity of a pipe: one read drains it, however much the child writes
  ssize_t const size = ::read(read_, piece.data(), piece.size());
  if (size > 0) { text.append(piece.data(), static_cast<std::size_t>(size)); }
}

void ChildProcess::Socket::open()
{
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    fail("Could not make a socket", errno);
  }
  here_ = ends[0];
  there_ = ends[1];
}

ChildProcess::Socket::~Socket()
{
  close_here();
  close_there();
}

void ChildProcess::Socket::close_here()
{
  if (here_ >= 0) { ::close(here_); }
  here_ = -1;
}

void ChildProcess::Socket::close_there()
{
  if (there_ >= 0) { ::close(there_); }
  there_ = -1;
}

ChildProcess::ChildProcess(std::vector<std::string> command, Input input)
{
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& argument : command) { arguments.push_back(argument.data()); }
  arguments.push_back(nullptr);
  FileActions actions;
  Attributes attributes;
  if (input == Input::empty) {
    actions.empty_input();
  } else {
    attributes.apart_from_terminal();
    input_.open();
    actions.redirect(STDIN_FILENO, input_.there());
  }
  actions.redirect(STDOUT_FILENO, output_.write_end());
  actions.redirect(STDERR_FILENO, errors_.write_end());
  int const failure =
      ::posix_spawn(&id_, arguments.front(), actions.get(), attributes.get(), arguments.data(), environ);
  if (failure != 0) {
    id_ = -1;
    fail(fmt::format("Could not start {}", command.front()), failure);
  }
  input_.close_there();
  output_.close_write_end();
  errors_.close_write_end();
}

ChildProcess::~ChildProcess()
{
  if (id_ < 0) { return; }
  ::kill(id_, SIGTERM);
  int status = 0;
  for (auto waited = std::chrono::milliseconds(0); waited < patience; waited += pause) {
    if (has_ended(status)) { return; }
    std::this_thread::sleep_for(pause);
  }
  ::kill(id_, SIGKILL);
  ::waitpid(id_, &status, 0);
}

bool ChildProcess::has_ended(int& status)
{
  pid_t const ended = ::waitpid(id_, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) { return false; }
  id_ = -1;
  return true;
}

std::optional<ChildProcess::Result> ChildProcess::poll()
{
  output_.read_available();
  errors_.read_available();
  int status = 0;
  if (id_ >= 0 && !has_ended(status)) { return std::nullopt; }
  output_.read_available();
  errors_.read_available();
  return Result{.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                .output = std::move(output_.text),
                .errors = std::move(errors_.text)};
}

std::size_t ChildProcess::write(std::span<std::uint8_t const> bytes, std::chrono::milliseconds patience)
{
  if (input_.here() < 0) {
    std::this_thread::sleep_for(patience);
    return 0;
  }
  ::pollfd waiting{.fd = input_.here(), .events = POLLOUT, .revents = 0};
  if (::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) { return 0; }
  ssize_t const written = ::send(input_.here(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (written > 0) { return static_cast<std::size_t>(written); }
  bool const closed = written < 0 && errno != EAGAIN && errno != EINTR;
  if (closed) { end_input(); }
  return 0;
}

void ChildProcess::end_input()
{
  input_.close_here();
}

}  // namespace slotscape
