#pragma once

#include <string>

namespace slotscape {

/// How long it takes to pass a cache line from one core to another, in seconds: the least and the most seen over time.
/// 0: not measured, or there is only one thread.
///
/// Threads that change one table pass its cache lines to each other. Between cores that share a cache, this takes some
/// 30 ns; between others, several times as long. A virtual machine may be moved from the former to the latter at any
/// time: insertion rates then halve, though nothing else runs.
struct Handover {
  double least = 0.0;
  double most = 0.0;

  /// Measures on the first and the last core that the process may use; takes some milliseconds.
  void measure();
  void add(Handover const& other);
  /// Whether rates from different times cannot be compared.
  bool changed() const { return most > much * least; }

private:
  static constexpr double much = 2.0;
};

/// "Passing a cache line from one core to another took 27 ns." or "... 27 to 168 ns."; empty if it was not measured.
std::string text_of(Handover const& handover);

}  // namespace slotscape
