#pragma once

#include "app/simulation/action.hpp"

#include <vector>

namespace slotscape {

/// What was done to a table since its seed. Past `limit` entries it is too long to repeat and forgets all of it.
class History {
public:
  static constexpr std::size_t limit = 1'000'000;

  void record(Done done);
  /// Keeps the first `entries` alone.
  void truncate(std::size_t entries);
  void reset();

  std::vector<Done> const& entries() const { return entries_; }
  bool complete() const { return complete_; }  ///< false: something done is not in `entries`

private:
  std::vector<Done> entries_;
  bool complete_ = true;
};

}  // namespace slotscape
