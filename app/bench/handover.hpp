#pragma once

#include <string>

namespace slotscape {

/// How long a cache line takes from one core to another, in seconds, over a while: least and most. 0: not measured,
/// or there is one thread only.
///
/// Threads that change one table hand its lines to each other. Between cores that share a cache this takes some 30 ns,
/// between others several times as long, and a virtual machine may be moved from these to those at any time: rates of
/// insertions then halve, though nothing else runs.
struct Handover {
  double least = 0.0;
  double most = 0.0;

  /// Measures it now, on the first and the last core that the process may use; takes some milliseconds.
  void measure();
  void add(Handover const& other);
  /// Whether rates of one time cannot be compared with those of another.
  bool changed() const { return most > much * least; }

private:
  static constexpr double much = 2.0;
};

/// "Handing a cache line from one core to another took 27 ns." or "... 27 to 168 ns."; empty if it was not measured.
std::string text_of(Handover const& handover);

}  // namespace slotscape
