#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sys/types.h>

namespace slotscape {

/// Another program, running beside this one. Its output is collected. Ended with the object.
class ChildProcess {
public:
  /// `written`: by `write`; Ctrl-C in the terminal does not end such a program before it has read everything.
  enum class Input : bool { empty, written };
  /// `command`: the program's path, then its arguments. Throws Error if it cannot be started.
  explicit ChildProcess(std::vector<std::string> command, Input input = Input::empty);
  ~ChildProcess();
  ChildProcess(ChildProcess const&) = delete;
  ChildProcess& operator=(ChildProcess const&) = delete;

  struct Result {
    int code = 0;    ///< exit code; meaningless after a signal
    int signal = 0;  ///< that ended it; 0: none
    std::string output = {};
    std::string errors = {};
  };
  /// Collects output without waiting; returns the result once the program has ended. Do not call it again then.
  std::optional<Result> poll();

  /// Gives the program some of these bytes, as soon as it reads, and returns how many. 0: it does not read, or has not
  /// read within `patience`.
  std::size_t write(std::span<std::uint8_t const> bytes, std::chrono::milliseconds patience);
  /// There is no more to read for it.
  void end_input();

private:
  /// The end of a pipe that this process reads.
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
  pid_t id_ = -1;  ///< -1: has ended
};

}  // namespace slotscape
