#pragma once

#include "gpu/engine/engine.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace slotscape {

/// The cost of each insertion from the first one on, while a table grows by itself: the accesses in its trace,
/// including splits. Measured with random keys in a small table with the same settings on the CPU.
class InsertionCosts {
public:
  static constexpr std::uint64_t most = 256;  ///< insertions

  /// Makes a few more insertions, or starts over if the settings have changed. Does nothing if the family does not grow
  /// by itself.
  void advance(TableSettings const& settings);
  /// The accesses of each insertion that succeeded, in order.
  std::vector<std::uint32_t> const& accesses() const { return accesses_; }

private:
  void begin(TableSettings const& settings);

  TableSettings settings_;
  std::shared_ptr<Engine> engine_;
  std::vector<std::uint32_t> accesses_;
  bool is_full_ = false;
};

}  // namespace slotscape
