#pragma once

namespace slotscape {

/// Takes over the first SIGINT (Ctrl-C), so that the program can write what is done and end. The next one ends it at
/// once, as ever. Make it before any thread starts: threads made later leave the signal to it.
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
  bool asked_ = false;
};

/// The exit status of a program that SIGINT ended, as shells report it.
inline constexpr int interrupted_status = 130;

}  // namespace slotscape
