#pragma once

#include <string_view>

namespace slotscape {

/// Takes over the first SIGINT (Ctrl-C) or SIGTERM (`kill`, `timeout`, a batch system), so that the program can write
/// what is done and end. The next one ends it at once, as ever. Make it before any thread starts: threads made later
/// leave the signals to it. One at a time.
class Interrupt {
public:
  Interrupt();
  Interrupt(Interrupt const&) = delete;
  Interrupt& operator=(Interrupt const&) = delete;
  ~Interrupt();

  /// Whether there was one.
  bool asked();

private:
  int signals_ = -1;  // a file descriptor
};

/// Whether there was one, for whoever has no `Interrupt` at hand; false without one. For any thread.
bool interrupt_asked();
/// What came, for people: "Ctrl-C" or "SIGTERM".
std::string_view interrupt_name();
/// The exit status of a program that it ended, as shells report it: 130 or 143.
int interrupted_status();

}  // namespace slotscape
