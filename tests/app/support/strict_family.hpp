#pragma once

#include "gpu/engine/engine.hpp"

#include <stdexcept>
#include <string>

namespace slotscape::test {

/// A family whose number of slots must be a power of two.
inline std::string strict_family()
{
  for (std::string const& name : family_names()) {
    if (family_info(name).slot_counts == SlotCounts::power_of_two) { return name; }
  }
  throw std::logic_error("every family takes other numbers than powers of two");
}

}  // namespace slotscape::test
