#pragma once

#include "gpu/watch/live_packets.hpp"
#include "gpu/watch/source.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

/// Access to the memory of a running program.
namespace slotscape::watch::live {

enum class Reading { done, unfinished, forbidden, gone };

/// The arrays of a table, as this process sees them.
class Memory {
public:
  virtual ~Memory() = default;
  std::span<Array const> arrays() const { return arrays_; }
  virtual Backend backend() const { return Backend::cpu; }
  virtual std::string manner() const = 0;
  /// Continues reading, if the memory has to be read. The arrays may be used once this returned `done`. It pauses for
  /// three quarters of the time, unless told to read `at_once`, because the program also needs the memory that it
  /// reads.
  virtual Reading read(double /*seconds*/, bool /*at_once*/) { return Reading::done; }
  /// Shows one half of memory that the program copies to; returns false if the memory has no halves.
  virtual bool show_half(unsigned /*half*/) { return false; }
  /// Whether the program must not free its memory during the lifetime of this object.
  virtual bool holds_memory() const { return false; }

protected:
  std::vector<Array> arrays_;
};

/// Arrays that are in files or can be read from the process. Returns null if reading is forbidden or the arrays are
/// gone; `why` says which.
std::unique_ptr<Memory> reach_directly(TableMessage const& table, std::span<watch_link::Descriptor const> files,
                                       int pid, Reading& why);
/// Text such as "copied 10 times a second".
std::string manner_of_copies(TableMessage const& table);
/// Memory that the program copies its table to; null if it does not match what the program says.
std::unique_ptr<Memory> reach_copies(TableMessage const& table, watch_link::CopiesRecord const& record,
                                     std::span<watch_link::Descriptor const> files);

/// --- CUDA (live_cuda.cpp). Without CUDA, these functions find nothing.

/// Whether these arrays are on a device that this process uses, and can be opened.
bool is_openable(TableMessage const& table);
std::unique_ptr<Memory> reach_on_device(TableMessage const& table, std::span<watch_link::Descriptor const> files);
std::unique_ptr<Memory> reach_copies_on_device(TableMessage const& table, watch_link::CopiesRecord const& record);
/// A copy of device memory, for use after the program has freed it; null if there is no room.
std::unique_ptr<Memory> keep_state(Memory const& memory);

}  // namespace slotscape::watch::live
