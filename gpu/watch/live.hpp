#pragma once

#include "gpu/watch/source.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace slotscape::watch {

/// A table that a running program of this user allows others to view, by `slotscape::Watch` or slotscape_watch.py.
struct Announced {
  std::string name;     ///< the program's name for the table
  std::string program;  ///< the name of its process
  int pid = 0;
  std::uint64_t bytes = 0;  ///< total size of its arrays
  bool on_device = false;   ///< in the memory of a CUDA device
  bool is_shared = false;   ///< entirely in shared memory, which viewers map
  bool snapshots = false;   ///< viewers see copies that the program makes for them
  std::string description;  ///< JSON from the program
  std::string socket;       ///< path of the socket that announces it
  std::chrono::system_clock::time_point since;
};

/// All tables that are announced now, sorted by name. Asks all programs at once and waits at most a quarter of a second
/// for those that do not answer. Removes sockets of programs that no longer run.
std::vector<Announced> announced();

/// Connects to a table. Waits at most a second, and throws Error if the program does not answer, or its answer is
/// invalid. In snapshot mode there are no arrays until the program takes a snapshot.
///
/// `refresh` never waits for the program. It releases memory that the program is about to free, so call it in every
/// frame: the program waits at most 100 ms for the release. If memory has to be read from the program, each call reads
/// for about 10 ms, so large tables take several calls to update.
///
/// where: `cpu` copies device memory to the host; otherwise, the table is read on the device, if possible.
std::unique_ptr<Source> connect(Announced const& table, BackendChoice where = BackendChoice::automatic);

}  // namespace slotscape::watch
