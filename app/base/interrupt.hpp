#pragma once

#include <string_view>

namespace slotscape {

/// Catches the first SIGINT (Ctrl-C) or SIGTERM (`kill`, `timeout`, a batch system), so that the program can write its
/// results and end. A second signal ends it at once. Create the object before any thread starts: later threads inherit
/// the blocked signals. Only one object may exist at a time.
class Interrupt {
public:
  Interrupt();
  Interrupt(Interrupt const&) = delete;
  Interrupt& operator=(Interrupt const&) = delete;
  ~Interrupt();

  /// Whether a signal has been received.
  bool asked();

private:
  int signals_ = -1;  // a file descriptor
};

/// Whether a signal has been received, for code without access to the `Interrupt`; false if none exists. Thread-safe.
bool is_interrupted();
/// The signal for messages: "Ctrl-C" or "SIGTERM".
std::string_view interrupt_name();
/// The exit status of an interrupted program, as shells report it: 130 or 143.
int interrupted_status();

}  // namespace slotscape
