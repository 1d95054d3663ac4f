#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace slotscape {

/// Another program, running beside this one. Its output is collected; its input is empty. Ended with the object.
class ChildProcess {
public:
  /// `command`: the program's path, then its arguments. Throws Error if it cannot be started.
  explicit ChildProcess(std::vector<std::string> command);
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

  bool has_ended(int& status);

  Pipe output_;
  Pipe errors_;
  pid_t id_ = -1;  ///< -1: has ended
};

}  // namespace slotscape
