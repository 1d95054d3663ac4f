#pragma once

#include "gpu/watch/live_packets.hpp"
#include "gpu/watch/source.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

/// How memory of a running program is reached.
namespace slotscape::watch::live {

enum class Reading { done, unfinished, forbidden, gone };

/// The arrays of a table, as this process sees them.
class Memory {
public:
  virtual ~Memory() = default;
  std::span<Array const> arrays() const { return arrays_; }
  virtual Backend backend() const { return Backend::cpu; }
  virtual std::string manner() const = 0;
  /// Reads on, where memory has to be read. The arrays may be looked at once this was `done`. It rests three quarters
  /// of the time, unless it is to read `at_once`: what it reads is memory that the program wants to use.
  virtual Reading read(double /*seconds*/, bool /*at_once*/) { return Reading::done; }
  /// Shows one half of memory that the program copies to; false if there are none.
  virtual bool show_half(unsigned /*half*/) { return false; }
  /// Whether the program must not free its memory while this is there.
  virtual bool holds_memory() const { return false; }

protected:
  std::vector<Array> arrays_;
};

/// Arrays that lie in files or can be read from the process. `why` says if that is forbidden, or they are gone; then
/// there is none.
std::unique_ptr<Memory> reach_directly(TableMessage const& table, std::span<watch_link::Descriptor const> files,
                                       int pid, Reading& why);
/// "copied 10 times a second".
std::string manner_of_copies(TableMessage const& table);
/// Memory that the program copies its table to; none if it is not what the program says.
std::unique_ptr<Memory> reach_copies(TableMessage const& table, watch_link::CopiesRecord const& record,
                                     std::span<watch_link::Descriptor const> files);

/// --- CUDA (live_cuda.cpp). Without it, there is never any.

/// Whether these arrays are of a device that this process uses, and it can open them.
bool is_openable(TableMessage const& table);
std::unique_ptr<Memory> reach_on_device(TableMessage const& table, std::span<watch_link::Descriptor const> files);
std::unique_ptr<Memory> reach_copies_on_device(TableMessage const& table, watch_link::CopiesRecord const& record);
/// A copy of device memory, for the time after the program has freed it; none if there is no room.
std::unique_ptr<Memory> keep_state(Memory const& memory);

}  // namespace slotscape::watch::live
