#pragma once

#include "gpu/watch/source.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace slotscape::watch {

/// A table that a running program of this user lets others look at, by `slotscape::Watch` or slotscape_watch.py.
struct Announced {
  std::string name;     ///< what the program calls it
  std::string program;  ///< the name of its process
  int pid = 0;
  std::uint64_t bytes = 0;  ///< of all its arrays
  bool on_device = false;   ///< the memory is that of a CUDA device
  bool is_shared = false;   ///< all of it is shared memory, which viewers map
  bool snapshots = false;   ///< viewers see what the program copies for them
  std::string description;  ///< JSON, as the program says it
  std::string socket;       ///< where it is announced: a path
  std::chrono::system_clock::time_point since;
};

/// What is announced now, in the order of names. It asks all at once and waits at most a quarter of a second for those
/// who do not answer. Sockets of programs that are gone are removed.
std::vector<Announced> announced();

/// Looks at a table. Waits at most a second, and throws Error if the program does not answer, or answers rubbish. In
/// snapshot mode there are no arrays until the program takes a snapshot.
///
/// `refresh` never waits for the program. It lets go of memory that the program is about to free, so call it in every
/// frame: the program waits for that at most 100 ms. Memory that is read from the program is read for about 10 ms in
/// each call, so large tables are brought up to date in several.
///
/// where: `cpu` has memory of a device copied to the host; else it is looked at on the device, if that is possible.
std::unique_ptr<Source> connect(Announced const& table, BackendChoice where = BackendChoice::automatic);

}  // namespace slotscape::watch
