#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::histories {

/// What became of one history.
struct Done {
  std::string wrong = {};        ///< cut down, where that can be; empty: nothing
  std::uint64_t operations = 0;  ///< of threads
  std::uint64_t faults = 0;      ///< calls that failed for want of memory
  std::uint64_t without = 0;     ///< calls that did without what they were refused
};

/// The histories of a family, by their seed: of each width, if it has any of that kind.
struct Played {
  using OneSeed = Done (*)(std::uint64_t seed);
  std::string_view family;
  std::string (*why_not)();              ///< the backend is not there; empty: it is
  std::vector<OneSeed> calls = {};       ///< against a map
  std::vector<OneSeed> memory = {};      ///< the same, whatever piece of memory is missing; on the CPU
  std::vector<OneSeed> threads = {};     ///< on hot keys, as far as the family lets them
  std::vector<OneSeed> unpromised = {};  ///< the same, beyond that
  std::vector<OneSeed> repeats = {};     ///< batches whose keys repeat
};

}  // namespace slotscape::histories
