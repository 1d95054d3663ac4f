#pragma once

#include "gpu/library/watch.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace slotscape::watch::cost {

struct Slot {
  std::uint64_t key;  ///< 0: empty
  std::uint64_t value;
};

/// What is measured, and how often.
struct Settings {
  std::uint64_t slots = 1u << 24;
  int rounds = 8;
  double seconds = 2.0;  ///< of each measurement, of which a round has two
  std::string memory;    ///< only kinds whose name contains this
};

/// Keys of the table, in half of its slots: from 1 on.
inline std::uint64_t keys_of(Settings const& settings)
{
  return settings.slots / 2;
}
WatchLayout layout_of(Settings const& settings);

/// Does operations for some milliseconds, and returns how many.
using Work = std::function<std::uint64_t()>;
/// Prints how much slower the owner of a table works while another process looks at it 60 times a second. `memory`: of
/// which kind it is. The table is watched by this name.
void measure(std::string const& memory, std::string const& name, Work const& work, Settings const& settings);

/// Measures tables in every kind of memory of a device; nothing without one.
void measure_on_device(Settings const& settings);
/// Memory for pictures on a device; null without one.
void* device_memory(std::uint64_t bytes);

}  // namespace slotscape::watch::cost
