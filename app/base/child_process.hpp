#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sys/types.h>

namespace slotscape {

/// Another program, running beside this one. Its output is collected. The destructor ends it.
class ChildProcess {
public:
  /// `written`: input comes from `write`; Ctrl-C in the terminal does not end the program before it has read
  /// everything.
  enum class Input : bool { empty, written };
  /// `command`: the program's path, then its arguments. Throws Error if it cannot be started.
  explicit ChildProcess(std::vector<std::string> command, Input input = Input::empty);
  ~ChildProcess();
  ChildProcess(ChildProcess const&) = delete;
  ChildProcess& operator=(ChildProcess const&) = delete;

  struct Result {
    int code = 0;    ///< exit code; meaningless after a signal
    int signal = 0;  ///< the signal that ended the program; 0: none
    std::string output = {};
    std::string errors = {};
  };
  /// Collects output without waiting; returns the result once the program has ended. Do not call it again after that.
  std::optional<Result> poll();

  /// Writes some of these bytes as soon as the program reads, and returns how many were written. 0: the program does
  /// not read, or has not read within `patience`.
  std::size_t write(std::span<std::uint8_t const> bytes, std::chrono::milliseconds patience);
  /// Signals the end of the program's input.
  void end_input();

private:
  /// A pipe whose read end belongs to this process.
  class Pipe {
  public:
    Pipe();  ///< Throws Error.
    ~Pipe();
    Pipe(Pipe const&) = delete;
    Pipe& operator=(Pipe const&) = delete;
    int write_end() const { return write_; }
    void close_write_end();
    void read_available();
    std::string text;

  private:
    int read_ = -1;
    int write_ = -1;
  };

  /// A socket, because writing to one whose other end is closed raises no signal. -1: closed.
  class Socket {
  public:
    void open();  ///< Throws Error.
    ~Socket();
    Socket() = default;
    Socket(Socket const&) = delete;
    Socket& operator=(Socket const&) = delete;
    int here() const { return here_; }
    int there() const { return there_; }
    void close_here();
    void close_there();

  private:
    int here_ = -1;
    int there_ = -1;
  };

  bool has_ended(int& status);

  Socket input_;
  Pipe output_;
  Pipe errors_;
  pid_t id_ = -1;  ///< -1: the program has ended
};

}  // namespace slotscape
